// SPDX-License-Identifier: BSD-3-Clause
// wan-multicast: what it takes until random sets of ranks have what one rank has (papers/001, figure 5): by
// libwan_multicast, by a send to each, by MPI_Bcast on a communicator that was made for the set, with and
// without the time to make it, and by MPI_Ibcast. Each round has another source and another set, equal for
// all ways, and each destination checks what it gets.
// Tested by bench/multicast/multicast_test.sh.
#include <fmt/format.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "api/wan_multicast.h"
#include "bench/common/contest.h"
#include "bench/common/mpi_program.h"
#include "bench/common/random.h"
#include "bench/common/scheduling.h"
#include "bench/common/world.h"

namespace wan::bench {
namespace {

struct Options {
  std::vector<std::string> ways{"multicast", "flat", "bcast", "bcast_made", "ibcast"};
  std::vector<int> sizes{8, 8192, 65536, 1048576, 4194304}, parts{10, 50, 100}, at_once{1};
  int repetitions = 9, warm_up = 2;
  std::vector<std::string> segments{"default"};
  std::string topology{}, output{};
  bool is_connected = false;
  Scheduling scheduling = Scheduling::normal;
};

/// What no way can be quicker than; 0 inside a site.
Nanoseconds bound(const World& world, int source, const std::vector<int>& to, int bytes) {
  Nanoseconds most = 0;
  for (const int rank : to)
    if (const Link* link = world.link(source, rank))
      most =
          std::max(most, link->latency_ns + Nanoseconds{bytes} * 1'000'000'000 / link->bandwidth_bytes_per_s);
  return most;
}

/// Of one multicast.
struct Set {
  int source;
  std::vector<int> to;
};

/// Of the multicast of this number of a round; those of a round have other sources while there are others.
Set set_of(const World& world, int part, std::int64_t round, int number) {
  const auto draw = [&](int what, int salt) {
    return mixed(static_cast<std::uint64_t>(round), static_cast<std::uint64_t>(what),
                 static_cast<std::uint64_t>(salt));
  };
  const auto ranks = static_cast<std::uint64_t>(world.size());
  Set set{static_cast<int>((draw(0, 19) + static_cast<std::uint64_t>(number)) % ranks), {}};
  std::vector<std::pair<std::uint64_t, int>> drawn;
  for (int rank = 0; rank < world.size(); ++rank)
    if (rank != set.source) drawn.emplace_back(draw(1 + rank, 19 + number), rank);
  std::ranges::sort(drawn);
  const int wanted = std::max(1, (world.size() - 1) * part / 100);
  for (int i = 0; i < wanted; ++i) set.to.push_back(drawn[static_cast<std::size_t>(i)].second);
  std::ranges::sort(set.to);
  return set;
}

/// The data of one multicast at one rank that has, or gets, them.
struct Share {
  Set set;
  int number;
  bool is_source;
  std::vector<unsigned char> data{};
  MPI_Comm comm = MPI_COMM_NULL;

  int bytes() const { return static_cast<int>(data.size()); }
};

/// Multicasts of a round at one rank, by one way.
class Spreading {
 public:
  Spreading(const World& world, WAN_Domain domain, const std::string& way, int bytes)
      : me_(world.me()), domain_(domain), way_(way), bytes_(static_cast<std::size_t>(bytes)) {}

  void prepare(const std::vector<Set>& sets, std::int64_t round) {
    round_ = round;
    for (std::size_t i = 0; i < sets.size(); ++i) {
      const bool is_source = sets[i].source == me_;
      if (!is_source && !std::ranges::binary_search(sets[i].to, me_)) continue;
      Share& share = shares_.emplace_back(Share{sets[i], static_cast<int>(i), is_source});
      share.data.assign(bytes_, static_cast<unsigned char>(0xEE));
      if (is_source) fill(share, share.data);
      if (way_ == "bcast" || way_ == "ibcast") make_communicator(share);
    }
  }
  /// When this rank had all data; 0 where it has them already, or does not need any.
  Nanoseconds run() {
    if (shares_.empty()) return 0;
    if (way_ == "multicast") return multicast();
    if (way_ == "flat") return send_to_each();
    return way_ == "ibcast" ? broadcast_at_once() : broadcast_in_turn();
  }
  bool is_right() {
    bool is_right = true;
    std::vector<unsigned char> wanted(bytes_);
    for (Share& share : shares_) {
      if (share.comm != MPI_COMM_NULL) MPI_Comm_free(&share.comm);
      fill(share, wanted);
      is_right = is_right && wanted == share.data;
    }
    shares_.clear();
    return is_right;
  }

 private:
  void fill(const Share& share, std::vector<unsigned char>& data) const {
    std::uint64_t number = mixed(
        static_cast<std::uint64_t>(round_),
        static_cast<std::uint64_t>(share.set.source) << 32 | static_cast<std::uint64_t>(share.number), 5);
    for (unsigned char& each : data) {
      number = number * 6364136223846793005U + 1442695040888963407U;
      each = static_cast<unsigned char>(number >> 56);
    }
  }
  Nanoseconds multicast() {
    std::vector<WAN_Request> comes, goes;
    for (Share& share : shares_) {
      WAN_Request request = WAN_REQUEST_NULL;
      if (share.is_source)
        WAN_Imulticast(share.data.data(), share.bytes(), MPI_BYTE, static_cast<int>(share.set.to.size()),
                       share.set.to.data(), share.number, domain_, &request);
      else
        WAN_Irecv(share.data.data(), share.bytes(), MPI_BYTE, share.set.source, share.number, domain_,
                  &request);
      (share.is_source ? goes : comes).push_back(request);
    }
    WAN_Waitall(static_cast<int>(comes.size()), comes.data(), MPI_STATUSES_IGNORE);
    const Nanoseconds now = comes.empty() ? 0 : now_ns();
    WAN_Waitall(static_cast<int>(goes.size()), goes.data(), MPI_STATUSES_IGNORE);
    WAN_Flush(domain_);  // what it passes on
    return now;
  }
  /// What comes, and then what goes. When the first had ended.
  static Nanoseconds await(std::vector<MPI_Request>& comes, std::vector<MPI_Request>& goes) {
    MPI_Waitall(static_cast<int>(comes.size()), comes.data(), MPI_STATUSES_IGNORE);
    const Nanoseconds now = comes.empty() ? 0 : now_ns();
    MPI_Waitall(static_cast<int>(goes.size()), goes.data(), MPI_STATUSES_IGNORE);
    return now;
  }
  Nanoseconds send_to_each() {
    std::vector<MPI_Request> comes, goes;
    for (Share& share : shares_)
      if (!share.is_source)
        MPI_Irecv(share.data.data(), share.bytes(), MPI_BYTE, share.set.source, share.number, MPI_COMM_WORLD,
                  &comes.emplace_back());
    for (Share& share : shares_)
      for (const int to : share.is_source ? share.set.to : std::vector<int>{})
        MPI_Isend(share.data.data(), share.bytes(), MPI_BYTE, to, share.number, MPI_COMM_WORLD,
                  &goes.emplace_back());
    return await(comes, goes);
  }
  Nanoseconds broadcast_at_once() {
    std::vector<MPI_Request> comes, goes;
    for (Share& share : shares_)
      MPI_Ibcast(share.data.data(), share.bytes(), MPI_BYTE, 0, share.comm,
                 &(share.is_source ? goes : comes).emplace_back());
    return await(comes, goes);
  }
  Nanoseconds broadcast_in_turn() {
    Nanoseconds now = 0;
    for (Share& share : shares_) {
      if (way_ == "bcast_made") make_communicator(share);
      MPI_Bcast(share.data.data(), share.bytes(), MPI_BYTE, 0, share.comm);
      if (!share.is_source) now = now_ns();
    }
    return now;
  }
  /// Of the source, which is its rank 0, and the destinations.
  static void make_communicator(Share& share) {
    std::vector<int> members{share.set.source};
    members.insert(members.end(), share.set.to.begin(), share.set.to.end());
    MPI_Group world = MPI_GROUP_NULL, group = MPI_GROUP_NULL;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, static_cast<int>(members.size()), members.data(), &group);
    MPI_Comm_create_group(MPI_COMM_WORLD, group, share.number, &share.comm);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
  }

  int me_;
  WAN_Domain domain_;
  std::string way_;
  std::size_t bytes_;
  std::int64_t round_ = 0;
  std::vector<Share> shares_{};  ///< in an order all ranks agree on
};

/// What is measured by all ways.
struct Task {
  int bytes, part, at_once;
  std::string segment;
};

/// All ways by turns, for the same sets. Rank 0 prints; true: everything was right.
bool measure(Contest& contest, const World& world, WAN_Domain domain, const Task& task,
             const Options& options, std::FILE* file) {
  std::vector<Spreading> ways;
  for (const std::string& way : options.ways) ways.emplace_back(world, domain, way, task.bytes);
  std::vector<Measured> measured(ways.size());
  std::vector<Nanoseconds> bounds;
  for (int round = 0; round < options.warm_up + options.repetitions; ++round) {
    std::vector<Set> sets;
    for (int i = 0; i < task.at_once; ++i) sets.push_back(set_of(world, task.part, round, i));
    const bool counts = round >= options.warm_up;
    if (counts)
      bounds.push_back(task.at_once == 1 ? bound(world, sets[0].source, sets[0].to, task.bytes) : 0);
    for (std::size_t i = 0; i < ways.size(); ++i) {
      ways[i].prepare(sets, round);
      contest.run(
          round, counts, measured[i], [&] { return ways[i].run(); }, [&] { return ways[i].is_right(); });
    }
  }
  bool is_right = true;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const Summary summary = measured[i].summary();
    is_right = is_right && summary.wrong == 0;
    if (file == nullptr) continue;
    fmt::print(file, "{},{},{},{},{:.4f},{:.4f},{:.4f},{:.4f},{},{},{},{}\n", options.ways[i], task.bytes,
               task.part, summary.repetitions, ms(summary.median_ns), ms(summary.q1_ns), ms(summary.q3_ns),
               ms(summarize(bounds, 0, 0).median_ns), summary.late, summary.wrong, task.at_once,
               task.segment);
    std::fflush(file);
  }
  return is_right;
}

WAN_Domain domain_of(const Options& options, const std::string& segment) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  if (!options.topology.empty()) MPI_Info_set(info, "wan_topology", options.topology.c_str());
  if (segment != "default") MPI_Info_set(info, "wan_segment", segment.c_str());
  WAN_Domain domain = WAN_DOMAIN_NULL;
  if (WAN_Domain_create(MPI_COMM_WORLD, info, &domain) != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Info_free(&info);
  return domain;
}

/// All tasks with segments of this length. True: everything was right.
bool measure_all(Contest& contest, const World& world, const std::string& segment, const Options& options,
                 std::FILE* file) {
  WAN_Domain domain = domain_of(options, segment);
  bool is_right = true;
  for (const int at_once : options.at_once)
    for (const int part : options.parts)
      for (const int bytes : options.sizes)
        is_right =
            measure(contest, world, domain, {bytes, part, at_once, segment}, options, file) && is_right;
  WAN_Domain_free(&domain);
  return is_right;
}

/// The exit status of a process.
int run(const Options& options) {
  schedule(options.scheduling);
  const World world("wan-multicast", options.topology);
  if (!options.is_connected) world.connect_all();
  Release release(MPI_COMM_WORLD);
  Contest contest(release);
  std::optional<RowsFile> rows;
  if (release.leads()) rows.emplace(options.output);
  if (rows)
    rows->line("way,bytes,part,repetitions,median_ms,q1_ms,q3_ms,bound_ms,late,wrong,at_once,segment");
  bool is_right = true;
  for (const std::string& segment : options.segments)
    is_right = measure_all(contest, world, segment, options, rows ? rows->get() : nullptr) && is_right;
  return is_right ? 0 : 1;
}

}  // namespace
}  // namespace wan::bench

int main(int argc, char** argv) {
  CLI::App app("What it takes until random sets of ranks have what one rank has", "wan-multicast");
  wan::bench::Options options;
  app.add_option("--ways", options.ways, "multicast, flat, bcast, bcast_made, ibcast")
      ->delimiter(',')
      ->check(CLI::IsMember({"multicast", "flat", "bcast", "bcast_made", "ibcast"}));
  app.add_option("--sizes", options.sizes, "bytes")->delimiter(',')->check(CLI::Range(1, 1 << 28));
  app.add_option("--parts", options.parts, "percent of the ranks that are destinations")
      ->delimiter(',')
      ->check(CLI::Range(1, 100));
  app.add_option("--concurrent", options.at_once, "multicasts at once, from different ranks")
      ->delimiter(',')
      ->check(CLI::Range(1, 1'000));
  app.add_option("--segments", options.segments, "bytes of a segment of libwan_multicast, or default")
      ->delimiter(',');
  app.add_option("--topology", options.topology, "sites, by host, and links for the bound");
  wan::bench::add_rounds(app, options, "of each");
  app.add_flag("--connected", options.is_connected,
               "MPI has no connections that are made at the first message");
  wan::bench::add_real_time(app, options);
  return wan::bench::mpi_program(app, argc, argv, [&] { return wan::bench::run(options); });
}
