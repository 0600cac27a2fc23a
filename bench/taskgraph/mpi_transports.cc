// SPDX-License-Identifier: BSD-3-Clause
#include "bench/taskgraph/mpi_transports.h"

#include <map>
#include <optional>

namespace wan::bench {
namespace {

int count_of(const Datum& datum) {
  return static_cast<int>(datum.byte_count());
}

/// Operations of MPI or of libwan_multicast, and the data that they need meanwhile.
template <class Request>
class Pending {
 public:
  /// Where the request of an operation with this datum belongs.
  Request* add(const FinalDatum& datum) { return &all_.emplace_back(Request{}, datum).first; }
  std::vector<FinalDatum> take_ended() {
    std::vector<FinalDatum> ended;
    std::erase_if(all_, [&](auto& each) {
      int flag = 0;
      test(&each.first, &flag);
      if (flag) ended.push_back(each.second);
      return flag != 0;
    });
    return ended;
  }
  std::size_t size() const { return all_.size(); }

 private:
  static void test(MPI_Request* request, int* flag) { MPI_Test(request, flag, MPI_STATUS_IGNORE); }
  static void test(WAN_Request* request, int* flag) { WAN_Test(request, flag, MPI_STATUS_IGNORE); }

  std::vector<std::pair<Request, FinalDatum>> all_;
};

class Multicast : public Transport {
 public:
  explicit Multicast(WAN_Domain domain) : domain_(domain) {}

  void send(const FinalDatum& datum, const std::vector<int>& ranks) override {
    WAN_Imulticast(datum->bytes().data(), count_of(*datum), MPI_BYTE, static_cast<int>(ranks.size()),
                   ranks.data(), 0, domain_, sends_.add(datum));
  }
  std::vector<FinalDatum> progress() override {
    receive_what_comes();
    sends_.take_ended();
    return receives_.take_ended();
  }
  /// Also of what it passes on: it has been told of the end then, and nothing else comes.
  bool is_idle() const override {
    if (sends_.size() + receives_.size() > 0) return false;
    WAN_Flush(domain_);
    return true;
  }

 private:
  void receive_what_comes() {
    for (;;) {
      int flag = 0, bytes = 0;
      MPI_Status status;
      WAN_Iprobe(MPI_ANY_SOURCE, 0, domain_, &flag, &status);
      if (!flag) return;
      MPI_Get_count(&status, MPI_BYTE, &bytes);
      const auto datum = std::make_shared<Datum>(static_cast<std::size_t>(bytes));
      WAN_Irecv(datum->bytes().data(), bytes, MPI_BYTE, status.MPI_SOURCE, 0, domain_, receives_.add(datum));
    }
  }

  WAN_Domain domain_;
  Pending<WAN_Request> sends_, receives_;
};

class Flat : public Transport {
 public:
  explicit Flat(MPI_Comm comm) : comm_(comm) {}

  void send(const FinalDatum& datum, const std::vector<int>& ranks) override {
    for (const int rank : ranks)
      MPI_Isend(datum->bytes().data(), count_of(*datum), MPI_BYTE, rank, 0, comm_, sends_.add(datum));
  }
  std::vector<FinalDatum> progress() override {
    receive_what_comes();
    sends_.take_ended();
    return receives_.take_ended();
  }
  bool is_idle() const override { return sends_.size() + receives_.size() == 0; }

 private:
  void receive_what_comes() {
    for (;;) {
      int flag = 0, bytes = 0;
      MPI_Message message = MPI_MESSAGE_NULL;
      MPI_Status status;
      MPI_Improbe(MPI_ANY_SOURCE, 0, comm_, &flag, &message, &status);
      if (!flag) return;
      MPI_Get_count(&status, MPI_BYTE, &bytes);
      const auto datum = std::make_shared<Datum>(static_cast<std::size_t>(bytes));
      MPI_Imrecv(datum->bytes().data(), bytes, MPI_BYTE, &message, receives_.add(datum));
    }
  }

  MPI_Comm comm_;
  Pending<MPI_Request> sends_, receives_;
};

/// The turns of one communicator during a run, which begin in order.
class Course {
 public:
  explicit Course(const Line& line) : line_(line) {}

  /// A result that is there; forgotten where it is not this process that broadcasts it.
  void offer(const FinalDatum& datum) {
    if (line_.rooted.contains(datum->name())) offered_[datum->name()] = datum;
  }
  /// Begins what can begin, and returns what has come.
  std::vector<FinalDatum> progress() {
    while (next_ < line_.turns.size() && receives_.size() < kAhead && begin(line_.turns[next_])) ++next_;
    sends_.take_ended();
    return receives_.take_ended();
  }
  bool is_idle() const { return next_ == line_.turns.size() && sends_.size() + receives_.size() == 0; }

 private:
  /// Broadcasts to receive that have begun: their memory is allocated.
  static constexpr std::size_t kAhead = 16;

  bool begin(const Line::Turn& turn) {
    if (!line_.rooted.contains(turn.name)) {
      const auto datum = std::make_shared<Datum>(turn.name, turn.values);
      MPI_Ibcast(datum->bytes().data(), count_of(*datum), MPI_BYTE, turn.root, line_.comm,
                 receives_.add(datum));
      return true;
    }
    const auto at = offered_.find(turn.name);
    if (at == offered_.end()) return false;
    const FinalDatum datum = at->second;
    // MPI changes nothing at the root.
    MPI_Ibcast(const_cast<char*>(datum->bytes().data()), count_of(*datum), MPI_BYTE, turn.root, line_.comm,
               sends_.add(datum));
    offered_.erase(at);
    return true;
  }

  const Line& line_;
  std::size_t next_ = 0;
  std::map<Name, FinalDatum> offered_;
  Pending<MPI_Request> sends_, receives_;
};

class Communicators : public Transport {
 public:
  Communicators(MPI_Comm messages, const std::vector<Line>& lines)
      : single_(messages), courses_(lines.begin(), lines.end()) {}

  void send(const FinalDatum& datum, const std::vector<int>& ranks) override {
    if (ranks.size() == 1 && datum->name().output != kEnd)
      single_.send(datum, ranks);
    else
      for (Course& course : courses_) course.offer(datum);
  }
  std::vector<FinalDatum> progress() override {
    std::vector<FinalDatum> arrived = single_.progress();
    for (Course& course : courses_)
      for (const FinalDatum& datum : course.progress()) {
        for (Course& other : courses_) other.offer(datum);
        arrived.push_back(datum);
      }
    return arrived;
  }
  bool is_idle() const override {
    return single_.is_idle() && std::ranges::all_of(courses_, &Course::is_idle);
  }

 private:
  Flat single_;
  std::vector<Course> courses_;
};

/// What they all have in common; nullopt where they do not.
template <class Function>
std::optional<int> common(const std::vector<int>& ranks, Function function) {
  const int first = function(ranks.front());
  if (std::ranges::all_of(ranks, [&](int rank) { return function(rank) == first; })) return first;
  return std::nullopt;
}

}  // namespace

Ways::Ways(const TileGraph& graph, const std::string& topology) {
  MPI_Comm_rank(MPI_COMM_WORLD, &me_);
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  if (!topology.empty()) MPI_Info_set(info, "wan_topology", topology.c_str());
  if (WAN_Domain_create(MPI_COMM_WORLD, info, &domain_) != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Info_free(&info);
  MPI_Comm_dup(MPI_COMM_WORLD, &messages_);
  MPI_Comm_dup(MPI_COMM_WORLD, &lines_[kWorld].comm);
  const int row = graph.grid().row_of(me_), column = graph.grid().column_of(me_);
  MPI_Comm_split(MPI_COMM_WORLD, row, column, &lines_[kRow].comm);
  MPI_Comm_split(MPI_COMM_WORLD, column, row, &lines_[kColumn].comm);
  for (const Name& name : graph.broadcasts()) plan(graph, name);
  plan(graph, {graph.exit_task(), kEnd});
}

Ways::~Ways() {
  for (Line& line : lines_) MPI_Comm_free(&line.comm);
  MPI_Comm_free(&messages_);
  WAN_Domain_free(&domain_);
}

/// The turns of this process for one result.
void Ways::plan(const TileGraph& graph, const Name& name) {
  const Grid grid = graph.grid();
  const auto row_of = [&](int rank) { return grid.row_of(rank); };
  const auto column_of = [&](int rank) { return grid.column_of(rank); };
  const int root = graph.owner(name.task), row = row_of(root), column = column_of(root);
  const std::vector<int> ranks = destinations(graph, name);
  if (name.output == kEnd && !ranks.empty()) add_turn(lines_[kWorld], name, 0, root);
  if (name.output == kEnd || ranks.size() < 2) return;
  std::vector<int> elsewhere = ranks;
  std::erase_if(elsewhere, [&](int rank) { return row_of(rank) == row; });
  const std::optional<int> beyond = elsewhere.empty() ? column : common(elsewhere, column_of);
  if (!beyond) return add_turn(lines_[kWorld], name, graph.values(name), root);
  // Along the row, unless the column is the own and has all of them.
  const bool goes_along_row = beyond != column || elsewhere.size() < ranks.size();
  if (goes_along_row && row_of(me_) == row) add_turn(lines_[kRow], name, graph.values(name), column);
  if (!elsewhere.empty() && column_of(me_) == *beyond)
    add_turn(lines_[kColumn], name, graph.values(name), row);
}

void Ways::add_turn(Line& line, const Name& name, std::size_t values, int root) {
  int me = 0;
  MPI_Comm_rank(line.comm, &me);
  line.turns.push_back({name, root, values});
  if (root == me) line.rooted.insert(name);
}

const std::vector<std::string>& Ways::names() {
  static const std::vector<std::string> names{"multicast", "flat", "communicators"};
  return names;
}

std::unique_ptr<Transport> Ways::transport(const std::string& way) const {
  if (way == "multicast") return std::make_unique<Multicast>(domain_);
  if (way == "flat") return std::make_unique<Flat>(messages_);
  return std::make_unique<Communicators>(messages_, lines_);
}

}  // namespace wan::bench
