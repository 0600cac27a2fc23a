// SPDX-License-Identifier: BSD-3-Clause
// Who can say at which site a process is, and which of them the user wants to be asked (the parameter
// coll_wan_discover). Pure functions; no threads. Tested by tests/unit/discover_source.cc and
// tests/fuzz/discover_sources.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace wan {

/// In the order of sources.def.
enum class Source : std::uint8_t {
#define WAN_SOURCE(name, goes_by) name,
#include "discover/sources.def"
#undef WAN_SOURCE
};

/// How many there are.
inline constexpr std::size_t kSources = 0
#define WAN_SOURCE(name, goes_by) +1
#include "discover/sources.def"
#undef WAN_SOURCE
    ;

std::string_view name_of(Source source);
std::optional<Source> source_named(std::string_view name);

/// Why a source is asked. What is only a hint counts where the user has named the source, and never by
/// default.
enum class Asked : std::uint8_t { by_default, by_name };

struct Ask {
  Source source;
  Asked asked = Asked::by_default;
  friend bool operator==(const Ask&, const Ask&) = default;
};

/// The sources that `text` names, in its order: "slurm,file,auto". `auto` stands for all that it does not
/// name, by default; so does an empty text. A mistake is told as one of `parameter`.
Result<std::vector<Ask>> parse_sources(std::string_view text, const std::string& parameter);
/// What parse_sources() takes: "auto, label, ...".
std::string known_sources();

/// The entry of a source; nullptr if it is not asked.
const Ask* find(const std::vector<Ask>& asks, Source source);
/// Has the user named it?
bool is_named(const std::vector<Ask>& asks, Source source);

}  // namespace wan
