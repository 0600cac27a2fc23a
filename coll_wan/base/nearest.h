// SPDX-License-Identifier: BSD-3-Clause
// The word that a misspelt one was probably meant to be. Pure functions; no threads. Tested by
// tests/unit/base_nearest.cc.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace wan {

/// The fewest insertions, deletions, replacements and swaps of two neighbours that turn one word into the
/// other, each letter touched once (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `word`, the first of several; nullopt where none is within a third of the word's
/// length (at least one letter).
std::optional<std::string_view> nearest(std::string_view word, std::span<const std::string_view> candidates);

/// `did you mean "uplink"?`, or `use hosts, uplink or downlink` where nothing is near. `candidates` is not
/// empty.
std::string suggestion(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace wan
