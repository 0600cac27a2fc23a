// SPDX-License-Identifier: BSD-3-Clause
// Edit distance by dynamic programming over three rows. Words are cut at kMostLetters, so hostile input stays
// cheap. Pure functions; no threads. Tested by tests/unit/base_nearest.cc.
#include "base/nearest.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/invariant.h"

namespace wan {
namespace {

constexpr std::size_t kMostLetters = 64;
constexpr std::size_t kMostListed = 12;

std::string quoted(std::string_view word) {
  return '"' + std::string(word) + '"';
}

std::string listed(std::span<const std::string_view> words) {
  std::string text(words.front());
  for (std::size_t i = 1; i < words.size(); ++i)
    text.append(i + 1 < words.size() ? ", " : " or ").append(words[i]);
  return text;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row.back();
}

std::optional<std::string_view> nearest(std::string_view word, std::span<const std::string_view> candidates) {
  if (candidates.empty()) return std::nullopt;
  word = word.substr(0, kMostLetters);
  const auto distance = [word](std::string_view candidate) {
    return edit_distance(word, candidate.substr(0, kMostLetters));
  };
  const auto best = *std::ranges::min_element(candidates, {}, distance);
  const std::size_t tolerated = std::max<std::size_t>(1, word.size() / 3);
  return distance(best) <= tolerated ? std::optional(best) : std::nullopt;
}

std::string suggestion(std::string_view word, std::span<const std::string_view> candidates) {
  invariant(!candidates.empty(), "a suggestion needs candidates");
  if (const auto best = nearest(word, candidates)) return "did you mean " + quoted(*best) + "?";
  return "use " + listed(candidates.first(std::min(candidates.size(), kMostListed)));
}

}  // namespace wan
