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
  std::vector<int> sizes{8, 8192, 65536, 1048576, 4194304}, parts{10, 50, 100};
  int repetitions = 9, warm_up = 2;
  std::string topology{}, output{}, segment{};
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

/// Of one round.
struct Set {
  int source;
  std::vector<int> to;
};

Set set_of(const World& world, int part, std::int64_t round) {
  const auto number = [&](int what) {
    return mixed(static_cast<std::uint64_t>(round), static_cast<std::uint64_t>(what), 19);
  };
  Set set{static_cast<int>(number(0) % static_cast<std::uint64_t>(world.size())), {}};
  std::vector<std::pair<std::uint64_t, int>> drawn;
  for (int rank = 0; rank < world.size(); ++rank)
    if (rank != set.source) drawn.emplace_back(number(1 + rank), rank);
  std::ranges::sort(drawn);
  const int wanted = std::max(1, (world.size() - 1) * part / 100);
  for (int i = 0; i < wanted; ++i) set.to.push_back(drawn[static_cast<std::size_t>(i)].second);
  std::ranges::sort(set.to);
  return set;
}

/// A set's data at one rank, by one way.
class Spreading {
 public:
  Spreading(const World& world, WAN_Domain domain, const std::string& way, int bytes)
      : me_(world.me()), domain_(domain), way_(way), data_(static_cast<std::size_t>(bytes)) {}

  void prepare(Set set, std::int64_t round) {
    set_ = std::move(set);
    is_source_ = set_.source == me_;
    is_for_me_ = std::ranges::binary_search(set_.to, me_);
    round_ = round;
    std::ranges::fill(data_, static_cast<unsigned char>(0xEE));
    if (is_source_) fill(data_);
    if (way_ == "bcast" || way_ == "ibcast") make_communicator();
  }
  /// When this rank had the data; 0 where it has them already, or does not need them.
  Nanoseconds run() {
    if (!is_source_ && !is_for_me_) return 0;
    if (way_ == "multicast") return multicast();
    if (way_ == "flat") return send_to_each();
    if (way_ == "bcast_made") make_communicator();
    if (way_ == "ibcast") {
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Ibcast(data_.data(), bytes(), MPI_BYTE, 0, comm_, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
      MPI_Bcast(data_.data(), bytes(), MPI_BYTE, 0, comm_);
    }
    return is_for_me_ ? now_ns() : 0;
  }
  bool is_right() {
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
    if (!is_for_me_) return true;
    std::vector<unsigned char> wanted(data_.size());
    fill(wanted);
    return wanted == data_;
  }

 private:
  int bytes() const { return static_cast<int>(data_.size()); }
  void fill(std::vector<unsigned char>& data) const {
    std::uint64_t number =
        mixed(static_cast<std::uint64_t>(round_), static_cast<std::uint64_t>(set_.source), 5);
    for (unsigned char& each : data) {
      number = number * 6364136223846793005U + 1442695040888963407U;
      each = static_cast<unsigned char>(number >> 56);
    }
  }
  Nanoseconds multicast() {
    WAN_Request request = WAN_REQUEST_NULL;
    if (is_source_)
      WAN_Imulticast(data_.data(), bytes(), MPI_BYTE, static_cast<int>(set_.to.size()), set_.to.data(), 0,
                     domain_, &request);
    else
      WAN_Irecv(data_.data(), bytes(), MPI_BYTE, set_.source, 0, domain_, &request);
    WAN_Wait(&request, MPI_STATUS_IGNORE);
    const Nanoseconds now = now_ns();
    WAN_Flush(domain_);  // what it passes on
    return is_for_me_ ? now : 0;
  }
  Nanoseconds send_to_each() {
    if (!is_source_) {
      MPI_Recv(data_.data(), bytes(), MPI_BYTE, set_.source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      return now_ns();
    }
    std::vector<MPI_Request> requests(set_.to.size());
    for (std::size_t i = 0; i < set_.to.size(); ++i)
      MPI_Isend(data_.data(), bytes(), MPI_BYTE, set_.to[i], 0, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    return 0;
  }
  /// Of the source, which is its rank 0, and the destinations.
  void make_communicator() {
    if (!is_source_ && !is_for_me_) return;
    std::vector<int> members{set_.source};
    members.insert(members.end(), set_.to.begin(), set_.to.end());
    MPI_Group world = MPI_GROUP_NULL, group = MPI_GROUP_NULL;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, static_cast<int>(members.size()), members.data(), &group);
    MPI_Comm_create_group(MPI_COMM_WORLD, group, 7, &comm_);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
  }

  int me_;
  WAN_Domain domain_;
  std::string way_;
  Set set_{};
  bool is_source_ = false, is_for_me_ = false;
  std::int64_t round_ = 0;
  std::vector<unsigned char> data_;
  MPI_Comm comm_ = MPI_COMM_NULL;
};

double ms(Nanoseconds time) {
  return static_cast<double>(time) / 1e6;
}

/// All ways by turns, for the same sets. Rank 0 prints; true: everything was right.
bool measure(Contest& contest, const World& world, WAN_Domain domain, int bytes, int part,
             const Options& options, std::FILE* file) {
  std::vector<Spreading> ways;
  for (const std::string& way : options.ways) ways.emplace_back(world, domain, way, bytes);
  std::vector<Measured> measured(ways.size());
  std::vector<Nanoseconds> bounds;
  for (int round = 0; round < options.warm_up + options.repetitions; ++round) {
    const Set set = set_of(world, part, round);
    const bool counts = round >= options.warm_up;
    if (counts) bounds.push_back(bound(world, set.source, set.to, bytes));
    for (std::size_t i = 0; i < ways.size(); ++i) {
      ways[i].prepare(set, round);
      contest.run(
          round, counts, measured[i], [&] { return ways[i].run(); }, [&] { return ways[i].is_right(); });
    }
  }
  bool is_right = true;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const Summary summary = measured[i].summary();
    is_right = is_right && summary.wrong == 0;
    if (file == nullptr) continue;
    fmt::print(file, "{},{},{},{},{:.4f},{:.4f},{:.4f},{:.4f},{},{}\n", options.ways[i], bytes, part,
               summary.repetitions, ms(summary.median_ns), ms(summary.q1_ns), ms(summary.q3_ns),
               ms(summarize(bounds, 0, 0).median_ns), summary.late, summary.wrong);
    std::fflush(file);
  }
  return is_right;
}

WAN_Domain domain_of(const Options& options) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  if (!options.topology.empty()) MPI_Info_set(info, "wan_topology", options.topology.c_str());
  if (!options.segment.empty()) MPI_Info_set(info, "wan_segment", options.segment.c_str());
  WAN_Domain domain = WAN_DOMAIN_NULL;
  if (WAN_Domain_create(MPI_COMM_WORLD, info, &domain) != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Info_free(&info);
  return domain;
}

/// The exit status of a process.
int run(const Options& options) {
  schedule(options.scheduling);
  const World world("wan-multicast", options.topology);
  world.connect_all();
  WAN_Domain domain = domain_of(options);
  Release release(MPI_COMM_WORLD);
  Contest contest(release);
  std::optional<RowsFile> rows;
  if (release.leads()) rows.emplace(options.output);
  if (rows) fmt::print(rows->get(), "way,bytes,part,repetitions,median_ms,q1_ms,q3_ms,bound_ms,late,wrong\n");
  bool is_right = true;
  for (const int part : options.parts)
    for (const int bytes : options.sizes)
      is_right =
          measure(contest, world, domain, bytes, part, options, rows ? rows->get() : nullptr) && is_right;
  WAN_Domain_free(&domain);
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
  app.add_option("--segment", options.segment, "bytes of a segment of libwan_multicast");
  app.add_option("--topology", options.topology, "sites, by host, and links for the bound");
  app.add_option("--repetitions", options.repetitions, "of each")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  app.add_option("--warm-up", options.warm_up, "before them")
      ->check(CLI::Range(0, 1'000))
      ->capture_default_str();
  app.add_option("--output", options.output, "file for the rows instead of standard output");
  app.add_flag_callback(
      "--real-time", [&] { options.scheduling = wan::bench::Scheduling::real_time; },
      "schedule the ranks before all else on this machine, where that is allowed");
  return wan::bench::mpi_program(app, argc, argv, [&] { return wan::bench::run(options); });
}
