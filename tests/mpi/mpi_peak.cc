// SPDX-License-Identifier: BSD-3-Clause
// What coll_wan holds at most while a collective is under way, counted by operator new: its plan while it is
// made, the plan, the execution, scratch, and what is staged of data that do not lie in one piece. Not
// counted: what Open MPI has, its requests and fragments; of those tells the resident memory.
//   mpi_peak [--bytes N] [--percent P]
//   mpi_peak --resident 1 [--bytes N]
// Every collective with blocks or vectors of N bytes, in all forms, with contiguous and with derived
// datatypes: no more than P percent, 100, of what tests/support/peak_memory.h states. --resident: prints the
// largest resident memory that a process ever had after an allgather. Invariant: one process thread; labels
// name all sites (tests/mpi/launch.sh), one lane. Tested by: --percent, too low.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "forms.h"
#include "options.h"
#include "session.h"
#include "tests/support/counted_memory.h"
#include "tests/support/peak_memory.h"

namespace mpitest {
namespace {

using wan::Role;
using wan::Standing;

constexpr std::int64_t kElement = sizeof(int), kMebibyte = 1 << 20;

/// Ints at uneven distances in twice the room: neither segments nor runs are long or whole, so they are
/// packed.
class Gappy {
 public:
  static constexpr int kInts = 1000, kRoom = 2 * kInts;

  Gappy() {
    std::vector<int> places;
    for (int i = 0; i < kInts; ++i) places.push_back(2 * i + (i * 7 % 5 == 1 ? 1 : 0));
    MPI_Datatype ints;
    MPI_Type_create_indexed_block(kInts, 1, places.data(), MPI_INT, &ints);
    MPI_Type_create_resized(ints, 0, kRoom * kElement, &type_);
    MPI_Type_commit(&type_);
    MPI_Type_free(&ints);
  }
  ~Gappy() { MPI_Type_free(&type_); }
  Gappy(const Gappy&) = delete;
  Gappy& operator=(const Gappy&) = delete;
  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_;
};

/// Buffers and arguments of a call: for each rank a block, `count` elements of `type` in the room of
/// `spacing` ints each.
struct Data {
  Data(int ranks, int number, MPI_Datatype of, int spacing)
      : count(number),
        type(of),
        send(static_cast<std::size_t>(ranks) * static_cast<std::size_t>(number * spacing), 1),
        receive(send.size(), 0),
        counts(static_cast<std::size_t>(ranks), number),
        types(static_cast<std::size_t>(ranks), of) {
    for (int rank = 0; rank < ranks; ++rank) {
      places.push_back(rank * number);
      byte_places.push_back(rank * number * spacing * static_cast<int>(kElement));
    }
  }
  int count;
  MPI_Datatype type;
  std::vector<int> send, receive, counts, places, byte_places;
  std::vector<MPI_Datatype> types;
};

struct Collective {
  std::string name;
  bool has_vector;  ///< what it is about is one vector, not a block of each rank
  bool reduces;
  std::function<int(Form, MPI_Request*, Data&)> issue;
};

std::vector<Collective> collectives() {
  const MPI_Comm w = MPI_COMM_WORLD;
  return {{"barrier", true, false,
           [w](Form f, MPI_Request* r, Data&) { return issue(f, r, MPITEST_FORMS(Barrier, barrier), w); }},
          {"bcast", true, false,
           [w](Form f, MPI_Request* r, Data& d) {
             return issue(f, r, MPITEST_FORMS(Bcast, bcast), d.receive.data(), d.count, d.type, 0, w);
           }},
          {"gather", false, false,
           [w](Form f, MPI_Request* r, Data& d) {
             return issue(f, r, MPITEST_FORMS(Gather, gather), d.send.data(), d.count, d.type,
                          d.receive.data(), d.count, d.type, 0, w);
           }},
          {"gatherv", false, false,
           [w](Form f, MPI_Request* r, Data& d) {
             return issue(f, r, MPITEST_FORMS(Gatherv, gatherv), d.send.data(), d.count, d.type,
                          d.receive.data(), d.counts.data(), d.places.data(), d.type, 0, w);
           }},
          {"scatter", false, false,
           [w](Form f, MPI_Request* r, Data& d) {
             return issue(f, r, MPITEST_FORMS(Scatter, scatter), d.send.data(), d.count, d.type,
                          d.receive.data(), d.count, d.type, 0, w);
           }},
          {"scatterv", false, false,
           [w](Form f, MPI_Request* r, Data& d) {
             return issue(f, r, MPITEST_FORMS(Scatterv, scatterv), d.send.data(), d.counts.data(),
                          d.places.data(), d.type, d.receive.data(), d.count, d.type, 0, w);
           }},
          {"allgather", false, false,
           [w](Form f, MPI_Request* r, Data& d) {
             return issue(f, r, MPITEST_FORMS(Allgather, allgather), d.send.data(), d.count, d.type,
                          d.receive.data(), d.count, d.type, w);
           }},
          {"allgatherv", false, false,
           [w](Form f, MPI_Request* r, Data& d) {
             return issue(f, r, MPITEST_FORMS(Allgatherv, allgatherv), d.send.data(), d.count, d.type,
                          d.receive.data(), d.counts.data(), d.places.data(), d.type, w);
           }},
          {"alltoall", false, false,
           [w](Form f, MPI_Request* r, Data& d) {
             return issue(f, r, MPITEST_FORMS(Alltoall, alltoall), d.send.data(), d.count, d.type,
                          d.receive.data(), d.count, d.type, w);
           }},
          {"alltoallv", false, false,
           [w](Form f, MPI_Request* r, Data& d) {
             return issue(f, r, MPITEST_FORMS(Alltoallv, alltoallv), d.send.data(), d.counts.data(),
                          d.places.data(), d.type, d.receive.data(), d.counts.data(), d.places.data(), d.type,
                          w);
           }},
          {"alltoallw", false, false,
           [w](Form f, MPI_Request* r, Data& d) {
             return issue(f, r, MPITEST_FORMS(Alltoallw, alltoallw), d.send.data(), d.counts.data(),
                          d.byte_places.data(), d.types.data(), d.receive.data(), d.counts.data(),
                          d.byte_places.data(), d.types.data(), w);
           }},
          {"reduce", true, true,
           [w](Form f, MPI_Request* r, Data& d) {
             return issue(f, r, MPITEST_FORMS(Reduce, reduce), d.send.data(), d.receive.data(), d.count,
                          d.type, MPI_SUM, 0, w);
           }},
          {"allreduce", true, true,
           [w](Form f, MPI_Request* r, Data& d) {
             return issue(f, r, MPITEST_FORMS(Allreduce, allreduce), d.send.data(), d.receive.data(), d.count,
                          d.type, MPI_SUM, w);
           }},
          {"reduce_scatter_block", false, true,
           [w](Form f, MPI_Request* r, Data& d) {
             return issue(f, r, MPITEST_FORMS(Reduce_scatter_block, reduce_scatter_block), d.send.data(),
                          d.receive.data(), d.count, d.type, MPI_SUM, w);
           }},
          {"reduce_scatter", false, true,
           [w](Form f, MPI_Request* r, Data& d) {
             return issue(f, r, MPITEST_FORMS(Reduce_scatter, reduce_scatter), d.send.data(),
                          d.receive.data(), d.counts.data(), d.type, MPI_SUM, w);
           }},
          {"scan", true, true,
           [w](Form f, MPI_Request* r, Data& d) {
             return issue(f, r, MPITEST_FORMS(Scan, scan), d.send.data(), d.receive.data(), d.count, d.type,
                          MPI_SUM, w);
           }},
          {"exscan", true, true, [w](Form f, MPI_Request* r, Data& d) {
             return issue(f, r, MPITEST_FORMS(Exscan, exscan), d.send.data(), d.receive.data(), d.count,
                          d.type, MPI_SUM, w);
           }}};
}

/// The labels of all ranks' sites, by rank.
std::vector<std::string> all_labels(const Session& session) {
  using Label = std::array<char, 16>;
  Label own{};
  if (const char* label = std::getenv("OMPI_MCA_coll_wan_site"))
    std::strncpy(own.data(), label, own.size() - 1);
  std::vector<Label> all(static_cast<std::size_t>(session.size()));
  MPI_Allgather(own.data(), sizeof own, MPI_CHAR, all.data(), sizeof own, MPI_CHAR, MPI_COMM_WORLD);
  std::vector<std::string> labels;
  for (const Label& label : all) labels.emplace_back(label.data());
  return labels;
}

/// Where this rank stands, whatever tree its site has; rank 0 is the root of what is rooted.
Standing standing_of(const Session& session, const std::vector<std::string>& labels) {
  const std::string& own = labels[static_cast<std::size_t>(session.rank())];
  Standing at;
  at.ranks = session.size();
  at.site = std::ranges::count(labels, own);
  std::vector<std::string> sites = labels;
  std::ranges::sort(sites);
  at.sites = std::ranges::unique(sites).begin() - sites.begin();
  const bool is_first = std::ranges::find(labels, own) - labels.begin() == session.rank();
  at.role = session.rank() == 0 ? Role::root : is_first ? Role::coordinator : Role::ordinary;
  at.below = at.children = at.runs_below = at.site - 1;
  at.is_scattered = labels[1] != labels[0];
  return at;
}

/// What a call is about.
struct Size {
  std::int64_t bytes;  ///< of a block or vector
  bool is_derived;
};

/// The most that the call may take: what is stated of scratch and Program, as much again for each step's
/// state and message, what is staged, what plans are chosen by, and the survey of counts.
std::int64_t most_bytes(const Collective& each, const Size& size, Standing at) {
  constexpr std::int64_t kSegment = 8 << 10, kLongSegment = 256 << 10, kStaged = 4 * kMebibyte,
                         kChoice = 4 << 10, kSurvey = 1 << 10;
  const bool is_alltoall = each.name.starts_with("alltoall");
  at.passes_blocks = size.bytes <= (is_alltoall ? 1024 : 8192);
  if (each.name.ends_with("scan") && at.is_scattered) at.runs = at.site;
  std::int64_t most = 0;
  for (const bool is_spread : {false, true}) {
    at.is_spread = is_spread;
    most = std::max(most, size.bytes * wan::most_scratch(each.name, at) +
                              3 * wan::most_program(each.name, at, size.bytes, kSegment));
  }
  const std::int64_t moved = size.bytes * (each.has_vector ? at.sites + at.site : at.ranks * (at.site + 1));
  const std::int64_t staged = size.is_derived ? std::min(moved, kStaged + 2 * at.ranks * kLongSegment) : 0;
  return most + staged + kChoice + (is_alltoall ? kSurvey * at.ranks : 0);
}

/// Nobody goes on before all have come; the component takes no memory for it that it keeps.
void meet(const Session& session) {
  constexpr int kTag = 7;
  for (int rank = 1; rank < session.size(); ++rank)
    if (session.rank() == 0) {
      MPI_Recv(nullptr, 0, MPI_BYTE, rank, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (session.rank() == rank) {
      MPI_Send(nullptr, 0, MPI_BYTE, 0, kTag, MPI_COMM_WORLD);
    }
  for (int rank = 1; rank < session.size(); ++rank)
    if (session.rank() == 0) {
      MPI_Send(nullptr, 0, MPI_BYTE, rank, kTag, MPI_COMM_WORLD);
    } else if (session.rank() == rank) {
      MPI_Recv(nullptr, 0, MPI_BYTE, 0, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/// Displaces what the component keeps for the next calls (process/spare_memory.h), but for a short piece: so
/// that what a call takes is seen. Pairs of processes of two sites reduce, which takes the root one or two
/// vectors; the longest of up to 8 MiB stays, until the next exceeds that.
class Displacement {
 public:
  Displacement(const Session& session, const std::vector<std::string>& labels) {
    int partner = -1;
    std::vector<bool> is_taken(labels.size(), false);
    for (std::size_t i = 0; i < labels.size(); ++i)
      for (std::size_t j = i + 1; j < labels.size() && !is_taken[i]; ++j) {
        if (is_taken[j] || labels[i] == labels[j]) continue;
        is_taken[i] = is_taken[j] = true;
        if (static_cast<int>(i) == session.rank() || static_cast<int>(j) == session.rank())
          partner = static_cast<int>(i);
      }
    MPI_Comm_split(MPI_COMM_WORLD, partner < 0 ? MPI_UNDEFINED : partner, session.rank(), &pair_);
  }
  ~Displacement() {
    if (pair_ != MPI_COMM_NULL) MPI_Comm_free(&pair_);
  }
  Displacement(const Displacement&) = delete;
  Displacement& operator=(const Displacement&) = delete;

  void displace() {
    constexpr int kMost = (8 << 20) / kElement, kLess = 1024;
    if (pair_ == MPI_COMM_NULL) return;
    for (const int count : {kMost - kLess, kMost / 2 - kLess, kMost - kLess, 10 * kLess})
      for (const int root : {0, 1})
        MPI_Reduce(data_.data(), data_.data() + data_.size() / 2, count, MPI_INT, MPI_SUM, root, pair_);
  }

 private:
  MPI_Comm pair_ = MPI_COMM_NULL;
  std::vector<int> data_ = std::vector<int>(2 * (8 << 20) / kElement, 1);
};

void run_one(Form form, const Collective& each, Data& data) {
  MPI_Request request = MPI_REQUEST_NULL;
  each.issue(form, &request, data);
  if (form == Form::kPersistent) MPI_Start(&request);
  if (form != Form::kBlocking) MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (form == Form::kPersistent) MPI_Request_free(&request);
}

class Run {
 public:
  Run(Session& session, std::int64_t bytes, std::int64_t percent)
      : session_(session),
        bytes_(bytes),
        percent_(percent),
        labels_(all_labels(session)),
        at_(standing_of(session, labels_)),
        displacement_(session, labels_) {}

  void all() {
    const int ints = static_cast<int>(bytes_ / kElement);
    Data contiguous(session_.size(), ints, MPI_INT, 1);
    for (const Collective& each : collectives()) in_all_forms(each, contiguous, {bytes_, false});
    if (ints < Gappy::kInts) return;
    const Gappy type;
    Data gappy(session_.size(), ints / Gappy::kInts, type.get(), Gappy::kRoom);
    for (const Collective& each : collectives())
      if (!each.reduces && each.name != "barrier") in_all_forms(each, gappy, {bytes_, true});
  }

 private:
  /// The forms have one execution: the later ones may find what the first has left.
  void in_all_forms(const Collective& each, Data& data, const Size& size) {
    constexpr std::int64_t kLeastKept = 1 << 10;  // of shorter calls no piece is long enough to be kept
    for (const auto& [form, name] :
         {std::pair(Form::kBlocking, "blocking"), std::pair(Form::kNonblocking, "nonblocking"),
          std::pair(Form::kPersistent, "persistent")}) {
      session_.begin(each.name + ", " + name + (size.is_derived ? ", derived" : ""));
      if (form == Form::kBlocking && size.bytes >= kLeastKept) displacement_.displace();
      meet(session_);
      const std::int64_t before = wan::bytes_in_use();
      wan::watch_memory();
      run_one(form, each, data);
      const std::int64_t has = wan::most_bytes_in_use() - before,
                         may_have = most_bytes(each, size, at_) * percent_ / 100;
      session_.check(has <= may_have,
                     "took " + std::to_string(has) + " bytes, " + std::to_string(may_have) + " are stated");
      meet(session_);
    }
  }

  Session& session_;
  std::int64_t bytes_, percent_;
  std::vector<std::string> labels_;
  Standing at_;
  Displacement displacement_;
};

/// The most memory that a process ever had resident, bytes; -1 if the system does not tell.
std::int64_t most_resident_bytes() {
  constexpr std::int64_t kKibibyte = 1024;
  std::int64_t kibibytes = -1;
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "VmHWM:") status >> kibibytes;
  return kibibytes < 0 ? -1 : kibibytes * kKibibyte;
}

/// The largest of all processes', after an allgather.
void tell_resident(Session& session, std::int64_t bytes) {
  session.begin("allgather, resident");
  std::vector<char> own(static_cast<std::size_t>(bytes), 1),
      all(own.size() * static_cast<std::size_t>(session.size()), 0);
  const int count = static_cast<int>(bytes);
  for (int time = 0; time < 3; ++time)
    MPI_Allgather(own.data(), count, MPI_BYTE, all.data(), count, MPI_BYTE, MPI_COMM_WORLD);
  session.check(std::ranges::count(all, 0) == 0, "wrong data");
  const std::int64_t most = most_resident_bytes();
  std::int64_t largest = most;
  MPI_Reduce(&most, &largest, 1, MPI_INT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
  if (session.rank() == 0) std::printf("resident: %lld bytes\n", static_cast<long long>(largest));
}

int run_all(int argc, char** argv) {
  const auto number = [&](const char* name, std::uint64_t otherwise) {
    return static_cast<std::int64_t>(option(argc, argv, name, otherwise));
  };
  const std::int64_t bytes = number("--bytes", 8), percent = number("--percent", 100);
  const bool is_resident = number("--resident", 0) != 0;
  Session session(argc, argv);
  if (is_resident)
    tell_resident(session, bytes);
  else
    Run(session, bytes, percent).all();
  return session.finish("mpi_peak");
}

}  // namespace
}  // namespace mpitest

int main(int argc, char** argv) {
  return mpitest::run_all(argc, argv);
}
