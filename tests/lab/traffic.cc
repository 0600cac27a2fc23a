// SPDX-License-Identifier: BSD-3-Clause
// An MPI program for the lab: what each collective sends between the sites, read off the emulator, against
// what the verifier predicts for its schedule and against the optimum; also between two groups of ranks, on
// an intercommunicator. Ranks meet in a shared file, not by messages, so that between two samples nothing but
// the collective is on the wire. Prints TAP on rank 0. Run by tests/lab/traffic.sh.
//
// A message of n bytes costs n + h bytes of TCP payload, h (the headers of the PML and the BTL) being what an
// empty message costs. A retransmission only adds, so a case that does not match is measured again, twice at
// most.
#include <fcntl.h>
#include <fmt/format.h>
#include <mpi.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <thread>

#include "algo/choice/halves.h"
#include "algo/schedule.h"
#include "base/invariant.h"
#include "bench/collectives/comparison.h"
#include "bench/collectives/operation.h"
#include "bench/lab/counters.h"
#include "check/verify.h"
#include "topo/site_file.h"

namespace wan {
namespace {

using bench::Cell;
using lab::CountersView;

constexpr int kCalls = 3;     ///< between two samples
constexpr int kAttempts = 3;  ///< for a case in which something was retransmitted

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

  /// What the verifier says of one call, without headers.
  Samples predicted(const Cell& cell) const {
    const bench::CellCall made = bench::call_of(cell, size_, team_.distribution());
    const Topology topology = restricted_to(*topology_, made.ranks);
    const Verdict verdict = verify(plan_all(topology, Tuning{}, made.call), made.call, topology.layout);
    invariant(verdict.is_correct() && verdict.latencies <= 1 && verdict.repeated_units == 0,
              "a schedule of the plan");
    Samples samples;
    const auto site_of = [&](SiteIndex site) {
      return topology_->layout.site_of(
          made.ranks[static_cast<std::size_t>(topology.layout.ranks_of(site).front())]);
    };
    for (const auto& [pair, traffic] : verdict.between_sites)
      samples[{site_of(pair.first), site_of(pair.second)}] = {
          static_cast<std::uint64_t>(traffic.messages),
          static_cast<std::uint64_t>(traffic.units * made.call.unit_bytes)};
    return samples;
  }

  /// What the emulator counts for one call; all ranks take part, rank 0's answer counts.
  Samples measured(const Cell& cell) {
    bench::Operation operation(cell, team_);
    call(operation, 1);  // connections
    meeting_.wait_until_quiet();
    const Samples before = sample();
    meeting_.wait();
    call(operation, kCalls);
    meeting_.wait_until_quiet();
    const Samples after = sample();
    meeting_.wait();
    return difference(before, after);
  }

 private:
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
            link.tcp_payload_segments.load(), link.tcp_payload_bytes.load()};
      }
    return samples;
  }

  /// Per call; only pairs between which something went.
  static Samples difference(const Samples& before, const Samples& after) {
    Samples result;
    for (const auto& [pair, end] : after) {
      const Sample& begin = before.at(pair);
      if (end.segments == begin.segments) continue;
      result[pair] = {(end.segments - begin.segments) / kCalls, (end.bytes - begin.bytes) / kCalls};
    }
    return result;
  }

  const bench::Team team_;
  Meeting& meeting_;
  const CountersView& counters_;
  Rank me_ = 0, size_ = 1;
  std::unique_ptr<Topology> topology_;
  std::vector<std::uint32_t> links_;  ///< the emulator's number of each site of the Layout
  std::int64_t round_ = 0;
};

void add_headers(Samples& samples, std::uint64_t header_bytes) {
  for (auto& [pair, sample] : samples) sample.bytes += sample.segments * header_bytes;
}

/// The collectives and roots at 8 bytes; the barrier, from which the size of a header follows, first.
std::vector<Cell> cells(Rank size, bench::Grouping grouping) {
  const Rank last_root = (grouping == bench::Grouping::none ? size : size / 2) - 1;
  std::vector<Cell> cells{{Collective::barrier, bench::Form::blocking, 0, 0}};
  for (const CollectiveTraits& each : all_collectives()) {
    if (each.collective == Collective::barrier || !bench::is_defined(each.collective, grouping)) continue;
    cells.push_back({each.collective, bench::Form::nonblocking, 8, 0});
    if (each.rooted) cells.push_back({each.collective, bench::Form::persistent, 8, last_root});
  }
  return cells;
}

/// Every rank measures as often as rank 0 needs.
bool again(Rank me, bool is_match) {
  int more = is_match ? 0 : 1;
  MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return me >= 0 && more == 1;
}

int run(const SiteFile& file, Meeting& meeting, const CountersView& counters, bench::Grouping grouping) {
  Experiment experiment(file, meeting, counters, grouping);
  Rank me = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  const auto all = cells(experiment.size(), grouping);
  if (me == 0) fmt::print("1..{}\n", all.size());
  std::uint64_t header_bytes = 0;
  int number = 0, failed = 0;
  for (const Cell& cell : all) {
    Samples predicted = experiment.predicted(cell), measured;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      measured = experiment.measured(cell);
      if (number == 0 && !measured.empty() && measured.begin()->second.segments > 0)
        header_bytes = measured.begin()->second.bytes / measured.begin()->second.segments;
      Samples wanted = predicted;
      add_headers(wanted, header_bytes);
      if (!again(me, measured == wanted)) break;
    }
    add_headers(predicted, header_bytes);
    ++number;
    const bool is_match = measured == predicted;
    if (!is_match) ++failed;
    if (me != 0) continue;
    fmt::print("{} {} - {} root {} sends what its schedule says (headers of {} bytes)\n",
               is_match ? "ok" : "not ok", number, traits(cell.collective).name, cell.root, header_bytes);
    if (!is_match) fmt::print("# predicted{}\n# measured {}\n", text(predicted), text(measured));
    std::fflush(stdout);
  }
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace wan

int main(int argc, char** argv) {
  const char* directory = std::getenv("WAN_LAB_DIRECTORY");
  const wan::lab::CountersView counters(std::getenv("WAN_LAB_COUNTERS"));
  const auto distribution = wan::bench::parse_distribution(argc == 3 ? argv[2] : "none", 1);
  if (argc < 2 || argc > 3 || !distribution || !directory || !counters.valid()) {
    std::fprintf(
        stderr,
        "traffic: run as `wan-lab run --topology FILE -- mpirun ... traffic FILE [none|halves|parity]`\n");
    return 2;
  }
  const auto file = wan::SiteFile::load(argv[1]);
  if (!file) {
    std::fprintf(stderr, "traffic: %s\n", file.error().message().c_str());
    return 2;
  }
  MPI_Init(&argc, &argv);
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  wan::Meeting meeting(std::string(directory) + "/traffic-meeting", size);
  const int status = wan::run(*file, meeting, counters, distribution->grouping);
  MPI_Finalize();
  return status;
}
