// SPDX-License-Identifier: BSD-3-Clause
// An MPI program for the lab: what each collective sends between the sites, read off the emulator, against
// what its schedule and the performance variables of MPI_T say, not against the optimum: that schedules are
// as good as promised is tested by tests/property; also between two groups of ranks, on an intercommunicator.
//   traffic FILE [none|halves|parity [BYTES,...]]
// Ranks meet in a shared file, not by messages, so that between two samples nothing but the collective is on
// the wire. Prints TAP on rank 0. Run by tests/lab/traffic_test.sh.
//
// A message of n bytes costs n + h bytes of TCP payload, h (the headers of the PML and the BTL) being what an
// empty message costs. That holds of messages that do not ask their receiver first; so
// coll_wan_eager_window must be kEagerWindow. Every byte that kCalls calls send counts, once however often
// TCP sends it, and of messages that fit into a packet (8 bytes) every TCP segment: one a message.
#include <fcntl.h>
#include <fmt/format.h>
#include <mpi.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <sstream>
#include <thread>

#include "algo/choice/halves.h"
#include "algo/schedule.h"
#include "base/invariant.h"
#include "bench/collectives/comparison.h"
#include "bench/collectives/operation.h"
#include "bench/lab/counters.h"
#include "check/verify.h"
#include "tests/support/mpi_t_handle.h"
#include "topo/site_file.h"

namespace wan {
namespace {

using bench::Cell;
using lab::CountersView;

constexpr int kCalls = 3;         ///< between two samples
constexpr int kMeasurements = 3;  ///< at most
/// Of messages up to this the segments are counted too: TCP cuts no message, and joins none.
constexpr Bytes kOfOnePacket = 8;
constexpr Bytes kEagerWindow = 1 << 30;

/// What MPI_T says that this process has sent to other sites by the collectives of a communicator, since this
/// was made.
class SaidByMpi {
 public:
  explicit SaidByMpi(MPI_Comm comm) {
    MPI_T_pvar_session_create(&session_);
    messages_ = handle("coll_wan_inter_site_messages", MPI_T_PVAR_CLASS_COUNTER, comm);
    bytes_ = handle("coll_wan_inter_site_bytes", MPI_T_PVAR_CLASS_AGGREGATE, comm);
  }
  SaidByMpi(const SaidByMpi&) = delete;
  SaidByMpi& operator=(const SaidByMpi&) = delete;
  ~SaidByMpi() { MPI_T_pvar_session_free(&session_); }

  /// Of all processes, on rank 0.
  std::array<std::uint64_t, 2> all() {
    const std::array<std::uint64_t, 2> own{read(messages_), read(bytes_)};
    std::array<std::uint64_t, 2> sum{};
    MPI_Reduce(own.data(), sum.data(), 2, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    return sum;
  }

 private:
  MPI_T_pvar_handle handle(const char* name, int variable_class, MPI_Comm comm) {
    int index = -1, count = 0;
    MPI_T_pvar_handle made = MPI_T_PVAR_HANDLE_NULL;
    invariant(MPI_T_pvar_get_index(name, variable_class, &index) == MPI_SUCCESS &&
                  mpitest::bind_variable(session_, index, comm, &made, &count) == MPI_SUCCESS,
              name);
    return made;
  }
  std::uint64_t read(MPI_T_pvar_handle handle) {
    unsigned long long value = 0;
    invariant(MPI_T_pvar_read(session_, handle, &value) == MPI_SUCCESS, "a performance variable");
    return value;
  }

  MPI_T_pvar_session session_ = MPI_T_PVAR_SESSION_NULL;
  MPI_T_pvar_handle messages_ = MPI_T_PVAR_HANDLE_NULL, bytes_ = MPI_T_PVAR_HANDLE_NULL;
};

/// Lets messages of others progress while this rank has nothing to do.
void progress_for(std::chrono::microseconds duration) {
  const auto end = std::chrono::steady_clock::now() + duration;
  do {
    int is_there = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  } while (std::chrono::steady_clock::now() < end);
}

/// A barrier over a file that all hosts of the lab see.
class Meeting {
 public:
  Meeting(const std::string& path, Rank size) : size_(static_cast<std::uint64_t>(size)) {
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT, 0600);
    invariant(fd >= 0 && ::ftruncate(fd, sizeof(*arrived_)) == 0, "the meeting file");
    void* mapped = ::mmap(nullptr, sizeof(*arrived_), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    invariant(mapped != MAP_FAILED, "the meeting file's map");
    ::close(fd);
    arrived_ = static_cast<std::atomic<std::uint64_t>*>(mapped);
  }
  void wait() {
    const std::uint64_t all = ++meetings_ * size_;
    arrived_->fetch_add(1);
    while (arrived_->load() < all) progress_for(std::chrono::microseconds(0));
  }
  /// All have come and what they sent has entered its link.
  void wait_until_quiet() {
    wait();
    progress_for(std::chrono::milliseconds(40));
    wait();
  }

 private:
  std::uint64_t size_, meetings_ = 0;
  std::atomic<std::uint64_t>* arrived_ = nullptr;
};

struct Sample {
  std::uint64_t segments = 0, bytes = 0;
  friend bool operator==(const Sample&, const Sample&) = default;
};
using Samples =
    std::map<std::pair<std::int32_t, std::int32_t>, Sample>;  ///< by site of the Layout; none where 0

std::string text(const Samples& samples) {
  std::string text;
  for (const auto& [pair, sample] : samples)
    text += fmt::format(" {}->{}: {} messages, {} bytes;", pair.first, pair.second, sample.segments,
                        sample.bytes);
  return text;
}

/// The hosts of all ranks, in rank order.
std::vector<std::string> hosts_of_ranks(Rank size) {
  std::array<char, MPI_MAX_PROCESSOR_NAME> own{};
  int length = 0;
  MPI_Get_processor_name(own.data(), &length);
  std::vector<char> all(own.size() * static_cast<std::size_t>(size));
  MPI_Allgather(own.data(), static_cast<int>(own.size()), MPI_CHAR, all.data(), static_cast<int>(own.size()),
                MPI_CHAR, MPI_COMM_WORLD);
  std::vector<std::string> hosts;
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(size); ++rank)
    hosts.emplace_back(&all[rank * own.size()]);
  return hosts;
}

class Experiment {
 public:
  Experiment(const SiteFile& file, Meeting& meeting, const CountersView& counters, bench::Grouping grouping)
      : team_(grouping), meeting_(meeting), counters_(counters) {
    MPI_Comm_rank(MPI_COMM_WORLD, &me_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    auto topology = bench::topology_of(hosts_of_ranks(size_), file);
    invariant(topology.has_value(), "a host that the topology file does not name");
    topology_ = std::make_unique<Topology>(std::move(*topology));
    const Layout& layout = topology_->layout;
    for (SiteIndex site = 0; site < layout.sites(); ++site)
      links_.push_back(index_of(layout.site_name(site)));
  }

  Rank size() const { return size_; }
  Rank me() const { return me_; }

  /// What the schedules of kCalls calls send, without headers.
  Samples predicted(const Cell& cell) const {
    const bench::CellCall made = bench::call_of(cell, size_, team_.distribution());
    const Topology topology = restricted_to(*topology_, made.ranks);
    Tuning tuning;
    tuning.eager_window = kEagerWindow;
    const Schedule schedule = plan_all(topology, tuning, made.call);
    // Of long messages the verifier would look at every segment, for minutes.
    invariant(cell.bytes > kOfOnePacket || verify(schedule, made.call, topology.layout).is_correct(),
              "a correct schedule");
    Samples samples;
    for (std::size_t rank = 0; rank < schedule.size(); ++rank)
      add_sends(schedule[rank], site_of(made, static_cast<Rank>(rank)), made, samples);
    return samples;
  }

  /// What the emulator counts for kCalls calls; all ranks take part, rank 0's answer counts.
  Samples measured(const Cell& cell) {
    bench::Operation operation(cell, team_);
    call(operation, 1);  // connections
    meeting_.wait_until_quiet();
    SaidByMpi said(team_.comm());
    const Samples before = sample();
    meeting_.wait();
    call(operation, kCalls);
    meeting_.wait_until_quiet();
    const Samples after = sample();
    meeting_.wait();
    said_ = said.all();
    return difference(before, after);
  }

  /// The messages and bytes, without headers, that MPI_T said of those calls: of all processes, on rank 0.
  const std::array<std::uint64_t, 2>& said() const { return said_; }

 private:
  /// Of a rank of the call, among all sites.
  SiteIndex site_of(const bench::CellCall& made, Rank rank) const {
    return topology_->layout.site_of(made.ranks[static_cast<std::size_t>(rank)]);
  }
  /// kCalls times what a rank at `from` sends to other sites.
  void add_sends(const Program& program, SiteIndex from, const bench::CellCall& made,
                 Samples& samples) const {
    for (StepIndex i = 0; i < program.size(); ++i) {
      const Step step = program.step(i);
      if (step.kind != StepKind::send || site_of(made, step.peer) == from) continue;
      Sample& sample = samples[{from, site_of(made, step.peer)}];
      sample.segments += kCalls;
      sample.bytes += static_cast<std::uint64_t>(kCalls * step.length() * made.call.unit_bytes);
    }
  }
  std::uint32_t index_of(const std::string& site) const {
    for (std::uint32_t i = 0; i < counters_.sites(); ++i)
      if (site == counters_.site_name(i)) return i;
    broken("a site that the emulator does not name");
  }

  void call(bench::Operation& operation, int calls) {
    for (int i = 0; i < calls; ++i) {
      operation.fill(++round_);
      operation.run(0);
      invariant(operation.correct(round_), "the result of a collective");
    }
  }

  Samples sample() const {
    Samples samples;
    for (std::size_t from = 0; from < links_.size(); ++from)
      for (std::size_t to = 0; to < links_.size(); ++to) {
        const auto& link = counters_.link(links_[from], links_[to]);
        samples[{static_cast<std::int32_t>(from), static_cast<std::int32_t>(to)}] = {
            link.tcp_stream_segments.load(), link.tcp_stream_bytes.load()};
      }
    return samples;
  }

  /// Only pairs between which something went.
  static Samples difference(const Samples& before, const Samples& after) {
    Samples result;
    for (const auto& [pair, end] : after) {
      const Sample& begin = before.at(pair);
      if (end.segments != begin.segments)
        result[pair] = {end.segments - begin.segments, end.bytes - begin.bytes};
    }
    return result;
  }

  const bench::Team team_;
  Meeting& meeting_;
  const CountersView& counters_;
  Rank me_ = 0, size_ = 1;
  std::unique_ptr<Topology> topology_;
  std::vector<std::uint32_t> links_;  ///< the emulator's number of each site of the Layout
  std::array<std::uint64_t, 2> said_{};
  std::int64_t round_ = 0;
};

void add_headers(Samples& samples, std::uint64_t header_bytes) {
  for (auto& [pair, sample] : samples) sample.bytes += sample.segments * header_bytes;
}

/// Of empty messages; 0 where not all have the same.
std::uint64_t header_of(const Samples& empty_messages) {
  std::uint64_t bytes = 0;
  for (const auto& [pair, sample] : empty_messages) {
    if (bytes == 0) bytes = sample.bytes / sample.segments;
    if (sample.bytes != bytes * sample.segments) return 0;
  }
  return bytes;
}

/// Is what MPI_T said what the emulator counted? The messages of long vectors are not counted there: those of
/// the schedule are.
bool is_as_said(const Cell& cell, const Samples& measured, const Samples& predicted,
                std::uint64_t header_bytes, const std::array<std::uint64_t, 2>& said) {
  std::uint64_t messages = 0, bytes = 0;
  for (const auto& [pair, sample] : cell.bytes > kOfOnePacket ? predicted : measured)
    messages += sample.segments;
  for (const auto& [pair, sample] : measured) bytes += sample.bytes;
  return said[0] == messages && said[1] + messages * header_bytes == bytes;
}

/// Is it what was predicted? The segments of what TCP has cut are its own affair.
bool is_as_predicted(const Cell& cell, Samples measured, Samples predicted) {
  if (cell.bytes > kOfOnePacket)
    for (Samples* samples : {&measured, &predicted})
      for (auto& [pair, sample] : *samples) sample.segments = 0;
  return measured == predicted;
}

/// All collectives, in all forms by turns, and of 8 bytes two roots; the barrier, from which the size of a
/// header follows, first.
std::vector<Cell> cells(Rank size, bench::Grouping grouping, const std::vector<Bytes>& sizes) {
  const Rank last_root = (grouping == bench::Grouping::none ? size : size / 2) - 1;
  std::vector<Cell> cells{{Collective::barrier, bench::Form::blocking, 0, 0}};
  const bench::Form forms[] = {bench::Form::nonblocking, bench::Form::persistent, bench::Form::blocking};
  for (const Bytes bytes : sizes)
    for (const CollectiveTraits& each : all_collectives()) {
      if (each.collective == Collective::barrier || !bench::is_defined(each.collective, grouping)) continue;
      cells.push_back({each.collective, forms[cells.size() % 3], bytes, 0});
      if (each.rooted && bytes == kOfOnePacket)
        cells.push_back({each.collective, forms[cells.size() % 3], bytes, last_root});
    }
  return cells;
}

/// All ranks hear what rank 0 says.
bool as_rank_0_says(bool value) {
  int word = value ? 1 : 0;
  MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return word != 0;
}

/// Measures a cell and prints a line on rank 0. Where a rank has no processor for long, what it sends is
/// late, and TCP joins what is short. So what does not match is measured again. header_bytes: of a message;
/// the first cell, which sends empty ones, sets it.
bool test_cell(Experiment& experiment, const Cell& cell, int number, std::uint64_t& header_bytes) {
  Samples measured, wanted;
  bool is_match = false;
  for (int left = kMeasurements; left > 0 && !is_match; --left) {
    measured = experiment.measured(cell);
    if (number == 1) header_bytes = header_of(measured);
    if (experiment.me() == 0) {
      wanted = experiment.predicted(cell);
      add_headers(wanted, header_bytes);
      is_match = header_bytes > 0 && is_as_predicted(cell, measured, wanted) &&
                 is_as_said(cell, measured, wanted, header_bytes, experiment.said());
    }
    is_match = as_rank_0_says(is_match);
  }
  if (experiment.me() != 0) return true;
  fmt::print(
      "{} {} - {} {} of {} bytes root {} sends what its schedule and MPI_T say (headers of {} bytes)\n",
      is_match ? "ok" : "not ok", number, bench::name(cell.form), traits(cell.collective).name, cell.bytes,
      cell.root, header_bytes);
  if (!is_match)
    fmt::print("# predicted{}\n# measured {}\n# MPI_T      {} messages, {} bytes\n", text(wanted),
               text(measured), experiment.said()[0], experiment.said()[1]);
  std::fflush(stdout);
  return is_match;
}

/// What is tested.
struct Wish {
  bench::Grouping grouping;
  std::vector<Bytes> sizes;
};

int run(const SiteFile& file, Meeting& meeting, const CountersView& counters, const Wish& wish) {
  Experiment experiment(file, meeting, counters, wish.grouping);
  const auto all = cells(experiment.size(), wish.grouping, wish.sizes);
  if (experiment.me() == 0) fmt::print("1..{}\n", all.size());
  std::uint64_t header_bytes = 0;
  int number = 0, failed = 0;
  for (const Cell& cell : all) failed += test_cell(experiment, cell, ++number, header_bytes) ? 0 : 1;
  return failed == 0 ? 0 : 1;
}

/// Of "8,65536".
std::vector<Bytes> sizes_of(const char* text) {
  std::vector<Bytes> sizes;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) sizes.push_back(std::stoll(word));
  return sizes;
}

}  // namespace
}  // namespace wan

int main(int argc, char** argv) {
  const char* directory = std::getenv("WAN_LAB_DIRECTORY");
  const wan::lab::CountersView counters(std::getenv("WAN_LAB_COUNTERS"));
  const auto distribution = wan::bench::parse_distribution(argc > 2 ? argv[2] : "none", 1);
  if (argc < 2 || argc > 4 || !distribution || !directory || !counters.valid()) {
    std::fprintf(stderr,
                 "traffic: run as `wan-lab run --topology FILE -- mpirun ... traffic FILE "
                 "[none|halves|parity [BYTES,...]]`\n");
    return 2;
  }
  const auto file = wan::SiteFile::load(argv[1]);
  if (!file) {
    std::fprintf(stderr, "traffic: %s\n", file.error().message().c_str());
    return 2;
  }
  MPI_Init(&argc, &argv);
  int size = 1, level = 0;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  wan::Meeting meeting(std::string(directory) + "/traffic-meeting", size);
  const int status =
      wan::run(*file, meeting, counters, {distribution->grouping, wan::sizes_of(argc > 3 ? argv[3] : "8")});
  MPI_T_finalize();
  MPI_Finalize();
  return status;
}
