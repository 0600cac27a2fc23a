// SPDX-License-Identifier: BSD-3-Clause
#include "process/message_layer.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>

namespace wan {
namespace {

constexpr int kMostBytes = std::numeric_limits<int>::max();

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

/// nullopt also for "auto" and whatever else is no number.
std::optional<int> number_in(const Environment& environment, const char* name) {
  const auto text = environment(name);
  return text ? parse_memory_units(*text) : std::nullopt;
}

/// What follows `key` in "intra:auto,inter:64k"; the text itself if it has no such parts.
std::string_view part_of(std::string_view text, std::string_view key) {
  if (text.find(':') == std::string_view::npos) return text;
  const std::size_t begin = text.find(key);
  if (begin == std::string_view::npos) return "auto";
  const std::string_view rest = text.substr(begin + key.size());
  return rest.substr(0, rest.find(','));
}

/// "mlx5_0:1,eth0" without the ports.
std::string without_ports(std::string_view devices) {
  std::string names;
  bool is_port = false;
  for (const char c : devices) {
    is_port = c == ':' || (is_port && c != ',');
    if (!is_port) names += c;
  }
  return names;
}

}  // namespace

MessageLayer layer_named(std::string_view pml) {
  return pml == "ob1"   ? MessageLayer::ob1
         : pml == "ucx" ? MessageLayer::ucx
         : pml == "cm"  ? MessageLayer::cm
                        : MessageLayer::other;
}

std::optional<int> parse_memory_units(std::string_view text) {
  if (lower_case(text) == "inf") return kMostBytes;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return std::nullopt;
  std::string unit = lower_case({end, text.data() + text.size()});
  if (unit.size() == 2 && unit.ends_with('b') && unit != "bb") unit.pop_back();
  const auto shift = unit.empty() || unit == "b" ? 0
                     : unit == "k"               ? 10
                     : unit == "m"               ? 20
                     : unit == "g"               ? 30
                                                 : -1;
  if (shift < 0) return std::nullopt;
  return static_cast<int>(number > (kMostBytes >> shift) ? kMostBytes : number << shift);
}

int eager_limit_of_ucx(const Environment& environment) {
  constexpr int kSegment = 8 << 10;
  const std::string threshold = environment("UCX_RNDV_THRESH").value_or("auto");
  // What is as long as the threshold asks.
  const int asks_from = parse_memory_units(part_of(threshold, "inter:"))
                            .value_or(number_in(environment, "UCX_TCP_TX_SEG_SIZE").value_or(kSegment));
  return std::max(asks_from - 1, 1);
}

int eager_limit_of_libfabric(const Environment& environment) {
  constexpr int kBuffer = 16 << 10;
  const int buffer = number_in(environment, "FI_OFI_RXM_BUFFER_SIZE").value_or(kBuffer);
  const int eager = std::max(number_in(environment, "FI_OFI_RXM_EAGER_LIMIT").value_or(buffer), buffer);
  return std::max(std::min(eager, number_in(environment, "FI_TCP_MAX_SAVED_SIZE").value_or(kMostBytes)), 1);
}

int most_under_way_of_libfabric(const Environment& environment) {
  constexpr int kPlaces = 2'048;
  const auto places = [&](const char* name) { return number_in(environment, name).value_or(kPlaces); };
  return std::max(std::min(places("FI_OFI_RXM_TX_SIZE"), places("FI_OFI_RXM_RX_SIZE")) / 2, 1);
}

int buffer_of_ucx(const Environment& environment, const char* name) {
  return number_in(environment, name).value_or(0);
}

std::string interfaces_of(MessageLayer layer, const Environment& environment) {
  const char* const name = layer == MessageLayer::ucx  ? "UCX_NET_DEVICES"
                           : layer == MessageLayer::cm ? "FI_TCP_IFACE"
                                                       : nullptr;
  const std::string named = name == nullptr ? "" : environment(name).value_or("");
  return named == "all" || named.starts_with('^') ? "" : without_ports(named);
}

}  // namespace wan
