// SPDX-License-Identifier: BSD-3-Clause
#include "bench/ordering/phases.h"

#include <algorithm>
#include <functional>
#include <set>

#include "base/index.h"

namespace wan::bench {
namespace {

/// From whom, to whom, which entry; each once.
using Transfers = std::vector<std::set<std::pair<Rank, Index>>>;

Messages messages_of(const Transfers& transfers) {
  Messages messages(transfers.size());
  for (std::size_t from = 0; from < transfers.size(); ++from)
    for (const auto& [to, entry] : transfers[from]) messages[from][to].push_back(entry);
  return messages;
}

/// Can this sender meet the deadlines of all its receivers?
bool is_possible(const std::map<Rank, std::vector<Index>>& receivers,
                 const std::vector<std::int64_t>& post_loads, std::int64_t end) {
  std::vector<std::int64_t> deadlines;
  for (const auto& [to, entries] : receivers) deadlines.push_back(end - post_loads[at(to)]);
  return std::ranges::all_of(deadlines, [&](std::int64_t deadline) {
    return std::ranges::count_if(deadlines, [&](std::int64_t other) { return other <= deadline; }) <=
           deadline;
  });
}

}  // namespace

Phases phases_of(const Pattern& pattern, const Partition& partition) {
  Transfers expand(at(partition.ranks)), fold(at(partition.ranks));
  for (std::size_t k = 0; k < pattern.nonzeros.size(); ++k) {
    const auto& [row, column] = pattern.nonzeros[k];
    const Rank here = partition.of_nonzeros[k], x_owner = partition.of_entries[at(column)],
               y_owner = partition.of_entries[at(row)];
    if (x_owner != here) expand[at(x_owner)].insert({here, column});
    if (y_owner != here) fold[at(here)].insert({y_owner, row});
  }
  return {messages_of(expand), messages_of(fold)};
}

Orders ordered_by(const Messages& messages, const std::vector<std::int64_t>& keys) {
  Orders orders;
  for (const auto& receivers : messages) {
    std::vector<Rank>& order = orders.emplace_back();
    for (const auto& [to, entries] : receivers) order.push_back(to);
    std::ranges::stable_sort(order, std::greater{}, [&](Rank rank) { return keys[at(rank)]; });
  }
  return orders;
}

std::vector<std::int64_t> post_loads(const Phases& phases) {
  std::vector<std::int64_t> loads;
  for (const auto& receivers : phases.fold) loads.push_back(std::ssize(receivers));
  return loads;
}

std::int64_t completion(const Orders& orders, const std::vector<std::int64_t>& post_loads) {
  std::vector<std::int64_t> begin(orders.size());
  for (std::size_t from = 0; from < orders.size(); ++from) {
    begin[from] = std::max(begin[from], std::ssize(orders[from]));
    for (std::int64_t k = 0; k < std::ssize(orders[from]); ++k) {
      std::int64_t& of_receiver = begin[at(orders[from][static_cast<std::size_t>(k)])];
      of_receiver = std::max(of_receiver, k + 1);
    }
  }
  std::int64_t latest = 0;
  for (std::size_t rank = 0; rank < orders.size(); ++rank)
    latest = std::max(latest, begin[rank] + post_loads[rank]);
  return latest;
}

std::int64_t least_completion(const Messages& expand, const std::vector<std::int64_t>& post_loads) {
  std::int64_t end = 0;
  for (std::size_t rank = 0; rank < expand.size(); ++rank)
    end = std::max(end, std::ssize(expand[rank]) + post_loads[rank]);
  while (!std::ranges::all_of(expand,
                              [&](const auto& receivers) { return is_possible(receivers, post_loads, end); }))
    ++end;
  return end;
}

}  // namespace wan::bench
