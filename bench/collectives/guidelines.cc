// SPDX-License-Identifier: BSD-3-Clause
#include "bench/collectives/guidelines.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

namespace wan::bench {
namespace {

/// How long a part of a composition is: as what it stands for, as all ranks' parts of that together, or as
/// one rank's share of it.
enum class Length : std::uint8_t { same, all, share };

struct Part {
  Collective collective;
  Length length = Length::same;
};
/// `whole` does not take longer than `parts` one after the other.
struct Composition {
  Collective whole;
  std::vector<Part> parts;
};

const std::vector<Composition>& compositions() {
  using enum Collective;
  static const std::vector<Composition> all = {
      {gather, {{allgather}}},
      {gather, {{reduce, Length::all}}},
      {scatter, {{bcast, Length::all}}},
      {bcast, {{scatter, Length::share}, {allgather, Length::share}}},
      {allgather, {{gather}, {bcast, Length::all}}},
      {allgather, {{alltoall}}},
      {allgather, {{allreduce, Length::all}}},
      {allreduce, {{reduce}, {bcast}}},
      {allreduce, {{reduce_scatter_block, Length::share}, {allgather, Length::share}}},
      {reduce, {{allreduce}}},
      {reduce, {{reduce_scatter_block, Length::share}, {gather, Length::share}}},
      {reduce_scatter_block, {{reduce, Length::all}, {scatter}}},
      {reduce_scatter_block, {{allreduce, Length::all}}},
      {exscan, {{scan}}},
      {gather, {{gatherv}}},
      {scatter, {{scatterv}}},
      {allgather, {{allgatherv}}},
      {alltoall, {{alltoallv}}},
      {alltoallv, {{alltoallw}}},
      {reduce_scatter_block, {{reduce_scatter}}},
  };
  return all;
}

/// A peer's medians.
class Times {
 public:
  Times(std::span<const Comparison> comparisons, const std::string& peer, Rank ranks) : ranks_(ranks) {
    for (const Comparison& comparison : comparisons) {
      const Summary* const summary = comparison.of(peer);
      if (summary != nullptr && comparison.cell.form == Form::blocking && comparison.cell.root == 0)
        times_[comparison.cell.collective][comparison.cell.bytes] = summary->median_ns;
    }
  }
  std::optional<Nanoseconds> of(Collective collective, Bytes bytes) const {
    const auto found = times_.find(collective);
    if (found == times_.end() || !found->second.contains(bytes)) return std::nullopt;
    return found->second.at(bytes);
  }
  /// Bytes of a part of something of `bytes`; nullopt where it cannot be shared evenly.
  std::optional<Bytes> length_of(const Part& part, Bytes bytes) const {
    if (part.length == Length::same) return bytes;
    if (part.length == Length::all) return bytes * ranks_;
    return bytes % ranks_ == 0 ? std::optional(bytes / ranks_) : std::nullopt;
  }
  const std::map<Collective, std::map<Bytes, Nanoseconds>>& all() const { return times_; }

 private:
  Rank ranks_;
  std::map<Collective, std::map<Bytes, Nanoseconds>> times_;
};

std::string text_of(Collective collective, Bytes bytes) {
  return fmt::format("{} {}", traits(collective).name, bytes);
}

std::optional<GuidelineCheck> checked(const Composition& composition, Bytes bytes, const Times& times) {
  GuidelineCheck check{text_of(composition.whole, bytes) + " <=", *times.of(composition.whole, bytes), 0};
  for (const Part& part : composition.parts) {
    const auto length = times.length_of(part, bytes);
    const auto time = length ? times.of(part.collective, *length) : std::nullopt;
    if (!time) return std::nullopt;
    check.text += (check.other_ns > 0 ? " + " : " ") + text_of(part.collective, *length);
    check.other_ns += *time;
  }
  return check;
}

void check_lengths(Collective collective, const std::map<Bytes, Nanoseconds>& by_length,
                   std::vector<GuidelineCheck>& checks) {
  for (auto next = by_length.begin(); next != by_length.end(); ++next)
    for (auto longer = std::next(next); longer != by_length.end(); ++longer) {
      const Bytes pieces = longer->first / next->first;
      checks.push_back({text_of(collective, next->first) + " <= " + text_of(collective, longer->first),
                        next->second, longer->second});
      if (longer->first % next->first == 0)
        checks.push_back(
            {fmt::format("{} <= {} x {}", text_of(collective, longer->first), pieces, next->first),
             longer->second, pieces * next->second});
    }
}

}  // namespace

std::vector<GuidelineCheck> check_guidelines(std::span<const Comparison> comparisons, const std::string& peer,
                                             Rank ranks) {
  const Times times(comparisons, peer, ranks);
  std::vector<GuidelineCheck> checks;
  for (const auto& [collective, by_length] : times.all()) {
    for (const Composition& composition : compositions())
      for (const auto& [bytes, time] : by_length)
        if (composition.whole == collective)
          if (auto check = checked(composition, bytes, times)) checks.push_back(std::move(*check));
    check_lengths(collective, by_length, checks);
  }
  for (const Comparison& comparison : comparisons) {
    const Summary* const own = comparison.of(peer);
    for (const auto& [other, summary] : comparison.peers)
      if (own != nullptr && other != peer)
        checks.push_back(
            {fmt::format("{} {} <= that of {}", text_of(comparison.cell.collective, comparison.cell.bytes),
                         name(comparison.cell.form), other),
             own->median_ns, summary.median_ns});
  }
  return checks;
}

std::string guidelines_report(std::vector<GuidelineCheck> checks) {
  const auto total = checks.size();
  std::erase_if(checks, [](const GuidelineCheck& check) { return !check.is_violated(); });
  std::ranges::sort(checks, std::greater{}, &GuidelineCheck::ratio);
  std::string text = fmt::format("guidelines: {} checked, {} violated\n", total, checks.size());
  for (const GuidelineCheck& check : checks)
    text += fmt::format("  {}: {:.2f} instead of {:.2f} ms, {:.2f} x\n", check.text,
                        static_cast<double>(check.time_ns) / 1e6, static_cast<double>(check.other_ns) / 1e6,
                        check.ratio());
  return text;
}

}  // namespace wan::bench
