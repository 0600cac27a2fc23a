// SPDX-License-Identifier: BSD-3-Clause
#include "cost/demand.h"

#include <algorithm>
#include <vector>

#include "base/invariant.h"

namespace wan {
namespace {

/// Calls visit(a, b) for each ordered pair of different sites.
template <class Visit>
void for_each_pair(const Layout& layout, Visit visit) {
  for (SiteIndex a = 0; a < layout.sites(); ++a) {
    for (SiteIndex b = 0; b < layout.sites(); ++b) {
      if (a != b) visit(a, b);
    }
  }
}

/// Sum of `counts` over the ranks of each site.
std::vector<Bytes> site_sums(const Layout& layout, std::span<const Bytes> counts) {
  invariant(std::ssize(counts) == layout.size(), "one count for each rank");
  std::vector<Bytes> sums(static_cast<std::size_t>(layout.sites()));
  for (Rank rank = 0; rank < layout.size(); ++rank) {
    sums[static_cast<std::size_t>(layout.site_of(rank))] += counts[static_cast<std::size_t>(rank)];
  }
  return sums;
}

/// The number of messages' worth that a site's total is.
std::int64_t totals_of(const Layout& layout, SiteIndex site, Combining combining) {
  return std::ssize(runs_of(layout.ranks_of(site), combining));
}

/// Number of different totals of `from` that the prefixes of the ranks of `to` contain.
std::int64_t prefixes_needed(const Layout& layout, SiteIndex from, SiteIndex to) {
  std::int64_t changes = 0;
  bool grown = false;
  for (Rank rank = 0; rank < layout.size(); ++rank) {
    const SiteIndex site = layout.site_of(rank);
    if (site == to && grown) ++changes;
    if (site == from || site == to) grown = site == from;
  }
  return changes;
}

/// Number of totals of `from` that lie below some rank of `to`, of which none lies inside one.
std::int64_t totals_below(const Layout& layout, SiteIndex from, SiteIndex to, Combining combining) {
  const Rank last = layout.ranks_of(to).back();
  return std::ranges::count_if(runs_of(layout.ranks_of(from), combining),
                               [&](Run run) { return run.first < last; });
}

}  // namespace

void Demand::need(SiteIndex from, SiteIndex to, Bytes information_bytes, Bytes sent_bytes) {
  if (sent_bytes == 0) return;
  information.at(from, to) = information_bytes;
  traffic.at(from, to) = {1, sent_bytes};
}

Demand Demand::barrier(const Layout& layout) {
  Demand demand(layout.sites());
  for_each_pair(layout, [&](SiteIndex a, SiteIndex b) {
    demand.information.at(a, b) = 0;
    demand.traffic.at(a, b) = {1, 0};
  });
  return demand;
}

Demand Demand::bcast(const Layout& layout, Rank root, Bytes bytes) {
  Demand demand(layout.sites());
  const SiteIndex from = layout.site_of(root);
  for (SiteIndex to = 0; to < layout.sites(); ++to) {
    if (to != from) demand.need(from, to, bytes, bytes);
  }
  return demand;
}

Demand Demand::gather(const Layout& layout, Rank root, std::span<const Bytes> counts) {
  Demand demand(layout.sites());
  demand.from_several = Sharing::distinct;
  const std::vector<Bytes> sums = site_sums(layout, counts);
  const SiteIndex to = layout.site_of(root);
  for (SiteIndex from = 0; from < layout.sites(); ++from) {
    const Bytes bytes = sums[static_cast<std::size_t>(from)];
    if (from != to) demand.need(from, to, bytes, bytes);
  }
  return demand;
}

Demand Demand::scatter(const Layout& layout, Rank root, std::span<const Bytes> counts) {
  Demand demand(layout.sites());
  demand.to_several = Sharing::distinct;
  const std::vector<Bytes> sums = site_sums(layout, counts);
  const SiteIndex from = layout.site_of(root);
  for (SiteIndex to = 0; to < layout.sites(); ++to) {
    const Bytes bytes = sums[static_cast<std::size_t>(to)];
    if (from != to) demand.need(from, to, bytes, bytes);
  }
  return demand;
}

Demand Demand::allgather(const Layout& layout, std::span<const Bytes> counts) {
  Demand demand(layout.sites());
  demand.from_several = Sharing::distinct;
  const std::vector<Bytes> sums = site_sums(layout, counts);
  for_each_pair(layout, [&](SiteIndex a, SiteIndex b) {
    const Bytes bytes = sums[static_cast<std::size_t>(a)];
    demand.need(a, b, bytes, bytes);
  });
  return demand;
}

Demand Demand::alltoall(const Layout& layout, std::span<const Bytes> counts) {
  const std::size_t ranks = static_cast<std::size_t>(layout.size());
  invariant(counts.size() == ranks * ranks, "one count for each pair of ranks");
  SiteMatrix<Bytes> sums(layout.sites());
  for (Rank i = 0; i < layout.size(); ++i) {
    for (Rank j = 0; j < layout.size(); ++j) {
      sums.at(layout.site_of(i), layout.site_of(j)) +=
          counts[static_cast<std::size_t>(i) * ranks + static_cast<std::size_t>(j)];
    }
  }
  Demand demand(layout.sites());
  demand.from_several = demand.to_several = Sharing::distinct;
  for_each_pair(layout, [&](SiteIndex a, SiteIndex b) { demand.need(a, b, sums.at(a, b), sums.at(a, b)); });
  return demand;
}

Demand Demand::reduce(const Layout& layout, Rank root, Combining combining, Bytes bytes) {
  Demand demand(layout.sites());
  const SiteIndex to = layout.site_of(root);
  for (SiteIndex from = 0; from < layout.sites(); ++from) {
    if (from != to) demand.need(from, to, bytes, bytes * totals_of(layout, from, combining));
  }
  return demand;
}

Demand Demand::allreduce(const Layout& layout, Combining combining, Bytes bytes) {
  Demand demand(layout.sites());
  demand.combined_everywhere = bytes;
  for_each_pair(layout, [&](SiteIndex a, SiteIndex b) {
    demand.need(a, b, bytes, bytes * totals_of(layout, a, combining));
  });
  return demand;
}

Demand Demand::reduce_scatter(const Layout& layout, Combining combining, std::span<const Bytes> counts) {
  Demand demand(layout.sites());
  demand.to_several = Sharing::distinct;
  const std::vector<Bytes> sums = site_sums(layout, counts);
  for_each_pair(layout, [&](SiteIndex a, SiteIndex b) {
    const Bytes bytes = sums[static_cast<std::size_t>(b)];
    demand.need(a, b, bytes, bytes * totals_of(layout, a, combining));
  });
  return demand;
}

Demand Demand::between_groups(const Layout& layout, const Layout& halves, Rank split) const {
  Demand demand(layout.sites());
  demand.from_several = from_several;
  demand.to_several = to_several;
  for_each_pair(halves, [&](SiteIndex a, SiteIndex b) {
    const Rank source = halves.ranks_of(a).front(), destination = halves.ranks_of(b).front();
    const SiteIndex from = layout.site_of(source), to = layout.site_of(destination);
    if (from == to || (source < split) == (destination < split) || !information.at(a, b)) return;
    demand.information.at(from, to) = demand.information.at(from, to).value_or(0) + *information.at(a, b);
    demand.traffic.at(from, to).messages += traffic.at(a, b).messages;
    demand.traffic.at(from, to).bytes += traffic.at(a, b).bytes;
  });
  return demand;
}

Demand Demand::scan(const Layout& layout, Combining combining, Bytes bytes) {
  Demand demand(layout.sites());
  for_each_pair(layout, [&](SiteIndex a, SiteIndex b) {
    const std::int64_t prefixes = prefixes_needed(layout, a, b);
    const std::int64_t sent =
        combining.order == OperandOrder::any ? prefixes : totals_below(layout, a, b, combining);
    demand.need(a, b, bytes * prefixes, bytes * sent);
  });
  return demand;
}

}  // namespace wan
