// SPDX-License-Identifier: BSD-3-Clause
// What a collective's call holds at most on one rank, in terms of where the rank stands: the table of
// coll_wan/DESIGN.md, "Memory". Knows nothing of coll_wan, so plans (tests/unit/memory_plans.cc) and runs
// (tests/mpi/mpi_peak.cc) are held against the same numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace wan {

enum class Role : std::uint8_t {
  root,         ///< coordinates its site; all the same as a coordinator where nothing is rooted
  coordinator,  ///< of a site
  ordinary
};

/// Where one rank stands. A run stands for ranks whose contributions are combined to one value: all of a
/// subtree or site in any order, ranks that follow each other in rank order and in scans.
struct Standing {
  Role role = Role::ordinary;
  std::int64_t ranks = 1;       ///< of the communicator: n
  std::int64_t site = 1;        ///< of the own site: s
  std::int64_t sites = 1;       ///< S
  std::int64_t below = 0;       ///< ranks below it in its site's tree: b, s - 1 at a coordinator
  std::int64_t children = 0;    ///< in that tree: k
  std::int64_t runs_below = 0;  ///< of all children's subtrees: u
  std::int64_t runs = 1;        ///< of a site: R
  bool keeps_order = false;     ///< operands may not change places
  bool is_spread = false;       ///< each site gets a part of the vector, and passes it on
  bool in_place = false;
  bool is_scattered = false;   ///< no site's ranks follow each other
  bool passes_blocks = false;  ///< gather, scatter, alltoall(v,w): short blocks go through coordinators
};

/// Scratch, in units of a block: the vector of bcast, reductions and scans, one rank's block elsewhere.
inline std::int64_t most_scratch(std::string_view collective, const Standing& at) {
  const bool coordinates = at.role != Role::ordinary;
  const std::int64_t kept = at.in_place, copied = at.keeps_order && at.children > 0,
                     others = at.is_spread ? at.runs + 1 : (at.sites - 1) * at.runs;
  if (collective == "gather" || collective == "scatter")
    return at.passes_blocks && at.role != Role::root ? at.below : 0;
  if (collective.starts_with("alltoall"))
    return (at.passes_blocks ? at.below * (2 * at.ranks - (coordinates ? at.site : 0)) : 0) + kept * at.ranks;
  if (collective == "reduce" && at.role == Role::coordinator && !at.is_spread) return at.runs_below + copied;
  if (collective == "reduce") return at.runs_below + copied + (coordinates ? others + kept : 0);
  if (collective == "allreduce")
    return at.runs_below + copied + (coordinates ? others + (at.is_spread ? 0 : at.runs) + kept : 0);
  if (collective.starts_with("reduce_scatter"))
    return (at.runs_below + copied) * at.ranks + at.below +
           (coordinates ? (at.sites + 1) * at.runs * at.site + kept * at.ranks : 0);
  if (collective == "scan" || collective == "exscan")
    return (coordinates ? at.runs_below + (at.sites + 1) * at.runs : 2 * at.runs_below + 1) +
           (collective == "exscan");
  return 0;
}

/// Bytes of a Program as it is kept. length: of a block, segment: of the shortest segment that a message is
/// cut into, in units.
inline std::int64_t most_program(std::string_view collective, const Standing& at, std::int64_t length,
                                 std::int64_t segment) {
  const auto of = [](std::int64_t steps, std::int64_t ranges) { return 512 + 96 * steps + 36 * ranges; };
  const auto pieces = [&](std::int64_t units) { return 1 + units / segment; };
  const bool coordinates = at.role != Role::ordinary, is_root = at.role == Role::root;
  const std::int64_t n = at.ranks, k = at.children, u = at.runs_below, q = pieces(length),
                     q_all = pieces(n * length), S = coordinates ? at.sites : 1,
                     scattered = at.is_scattered ? n : 0,
                     joins = u + 1 +
                             (!coordinates   ? 0
                              : at.is_spread ? at.runs + 1
                                             : S * at.runs);
  if (collective == "barrier") return of(3 * (k + S), 0);
  if (collective == "bcast") return of((k + S) * q, (k + S) * q);
  if (collective == "reduce" && !is_root && !at.is_spread) return of(2 * (u + 1) * q, 4 * (u + 1) * q);
  if (collective == "reduce") return of(2 * joins * q, 4 * joins * q);
  if (collective == "allreduce") return of(3 * joins * q, 5 * joins * q);
  if (collective == "scan" || collective == "exscan") return of(4 * joins * q, 8 * joins * q);
  if (collective.starts_with("reduce_scatter")) {
    const std::int64_t cuts = n * length > segment ? q_all + scattered : 1,
                       own = coordinates ? 2 * (S + 1) * at.runs * (cuts / S + 1) : 0,
                       steps = 2 * (u + 1) * cuts + own;
    return of(steps, 2 * steps + (coordinates ? (at.runs + 1) * scattered : at.below));
  }
  if (collective.starts_with("allgather")) {
    const std::int64_t messages = (k + 2) * q_all + (k + 1) * S;
    return of(messages, messages + (k + 3) * std::max(scattered, 2 * at.sites));
  }
  if (collective.starts_with("alltoall") && at.passes_blocks) {
    const std::int64_t passed = most_scratch(collective, at);
    return of(2 * pieces((passed + n) * length) + 2 * (k + S), passed + n);
  }
  if (collective.starts_with("alltoall")) return of(2 * n * q, 2 * n * q);
  if (!at.passes_blocks) return of((is_root ? n : 1) * q, (is_root ? n : 1) * q);
  const std::int64_t messages = k + (is_root ? S : 1) + 2 * pieces((is_root ? n : at.below + 1) * length);
  return of(messages, messages + (is_root ? scattered : 2 * at.below));
}

/// Bytes while a Program of `program` bytes is made.
inline std::int64_t most_in_planning(std::string_view collective, const Standing& at, std::int64_t program) {
  const std::int64_t passed = collective.starts_with("alltoall") ? most_scratch(collective, at) : 0;
  return 4096 + 12 * program + 128 * at.ranks + 64 * passed;
}

}  // namespace wan
