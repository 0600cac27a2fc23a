// SPDX-License-Identifier: BSD-3-Clause
// What a collective asks of the wide area, whatever the algorithm: how many bytes of information from one
// site another must have, and what the best exchange of one inter-site latency sends for it.
//
// The information is counted for an operator that loses none (such as a sum modulo 2^n): two results that
// differ need different messages. Where ranks are not contiguous in their sites, scan and operators that do
// not commute need totals of runs instead of one total a site. Source: blueprint, section 6; MagPIe
// (papers/004), sections 3 and 4. Tested by tests/unit/cost_demand.cc.
#pragma once

#include <optional>
#include <span>

#include "base/types.h"
#include "cost/combining.h"
#include "cost/site_matrix.h"
#include "topo/layout.h"

namespace wan {

/// What crosses the wide area from one site to another.
struct PairTraffic {
  std::int64_t messages = 0;
  Bytes bytes = 0;

  friend bool operator==(const PairTraffic&, const PairTraffic&) = default;
};

/// Is what several sites send to one (or one to several) the same information, or could be merged on the way;
/// or does it add up?
enum class Sharing : std::uint8_t { shared, distinct };

struct Demand {
  /// Information from the row's site that the column's site must have; nullopt: none. 0 bytes: that it has
  /// been reached.
  SiteMatrix<std::optional<Bytes>> information;
  /// What a flat exchange sends at best: one message for each pair that needs anything.
  SiteMatrix<PairTraffic> traffic;
  Sharing from_several = Sharing::shared;  ///< of what one site must have from several others
  Sharing to_several = Sharing::shared;    ///< of what several sites must have from one
  Bytes combined_everywhere = 0;           ///< allreduce: bytes of the one result that every site must have

  /// The demands. `bytes` is the length of the message; `counts` has an entry for each rank.
  static Demand barrier(const Layout& layout);
  static Demand bcast(const Layout& layout, Rank root, Bytes bytes);
  static Demand gather(const Layout& layout, Rank root, std::span<const Bytes> counts);
  static Demand scatter(const Layout& layout, Rank root, std::span<const Bytes> counts);
  static Demand allgather(const Layout& layout, std::span<const Bytes> counts);
  /// counts: ranks x ranks, row-major by sender.
  static Demand alltoall(const Layout& layout, std::span<const Bytes> counts);
  static Demand reduce(const Layout& layout, Rank root, Combining combining, Bytes bytes);
  static Demand allreduce(const Layout& layout, Combining combining, Bytes bytes);
  static Demand reduce_scatter(const Layout& layout, Combining combining, std::span<const Bytes> counts);
  /// scan and exscan: what a rank adds to its result itself does not cross the wide area.
  static Demand scan(const Layout& layout, Combining combining, Bytes bytes);

  /// Of a demand of `halves`, which are the sites of `layout` split at rank `split`, only what goes from one
  /// group to the other.
  Demand between_groups(const Layout& layout, const Layout& halves, Rank split) const;

 private:
  explicit Demand(SiteIndex sites) : information(sites), traffic(sites) {}
  void need(SiteIndex from, SiteIndex to, Bytes information_bytes, Bytes sent_bytes);
};

}  // namespace wan
