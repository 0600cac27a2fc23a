// SPDX-License-Identifier: BSD-3-Clause
#include "cost/machine_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/lines.h"

namespace wan {
namespace {

using Entries = std::vector<std::pair<std::string_view, std::int64_t*>>;

void add(Entries& entries, const std::array<std::string_view, 4>& names, Medium& medium) {
  entries.emplace_back(names[0], &medium.overheads.send_ns);
  entries.emplace_back(names[1], &medium.overheads.receive_ns);
  entries.emplace_back(names[2], &medium.send_ps_per_byte);
  entries.emplace_back(names[3], &medium.receive_ps_per_byte);
}

Entries entries_of(Machine& machine) {
  Entries entries;
  add(entries,
      {"shared_memory_send_ns", "shared_memory_receive_ns", "shared_memory_send_ps_per_byte",
       "shared_memory_receive_ps_per_byte"},
      machine.shared_memory);
  add(entries, {"tcp_send_ns", "tcp_receive_ns", "tcp_send_ps_per_byte", "tcp_receive_ps_per_byte"},
      machine.tcp);
  entries.emplace_back("host_latency_ns", &machine.host_link.latency_ns);
  entries.emplace_back("host_bytes_per_s", &machine.host_link.bandwidth_bytes_per_s);
  entries.emplace_back("site_latency_ns", &machine.site_link.latency_ns);
  entries.emplace_back("site_bytes_per_s", &machine.site_link.bandwidth_bytes_per_s);
  entries.emplace_back("copy_ps_per_byte", &machine.copy_ps_per_byte);
  entries.emplace_back("reduce_ps_per_byte", &machine.reduce_ps_per_byte);
  entries.emplace_back("turn_ns", &machine.turn_ns);
  entries.emplace_back("flow_window", &machine.flow_window);
  return entries;
}

/// The value of a line, to be stored where its name says; nullopt: it is no such line.
std::optional<std::pair<std::int64_t*, std::int64_t>> read_line(const Entries& entries,
                                                                std::string_view line) {
  const auto comma = line.find(',');
  const auto entry = std::ranges::find(entries, line.substr(0, comma), &Entries::value_type::first);
  if (comma == line.npos || entry == entries.end()) return std::nullopt;
  std::int64_t value = 0;
  const char* const end = line.data() + line.size();
  const auto [stop, error] = std::from_chars(line.data() + comma + 1, end, value);
  if (error != std::errc() || stop != end || value < 0) return std::nullopt;
  return std::pair(entry->second, value);
}

InputError unreadable(const std::string& file, int line, std::string_view text) {
  return {file, line, "", std::string(text),
          "expected a line as wan-calibrate --output writes it, such as copy_ps_per_byte,150"};
}

}  // namespace

std::string machine_text(const Machine& machine) {
  Machine copy = machine;
  std::string text = fmt::format("processors,{}\n", machine.processors);
  for (const auto& [name, value] : entries_of(copy)) text += fmt::format("{},{}\n", name, *value);
  return text;
}

Result<Machine> parse_machine(std::string_view text, const std::string& file) {
  Machine machine;
  std::int64_t processors = 0;
  Entries entries = entries_of(machine);
  entries.emplace_back("processors", &processors);
  for (int number = 1; !text.empty(); ++number) {
    const std::string_view line = take_line(text);
    if (line.empty()) continue;
    const auto found = read_line(entries, line);
    if (!found) return tl::unexpected(unreadable(file, number, line));
    *found->first = found->second;
  }
  machine.processors =
      static_cast<std::int32_t>(std::min<std::int64_t>(processors, std::numeric_limits<std::int32_t>::max()));
  machine.host_link.bandwidth_bytes_per_s =
      std::max<BytesPerSecond>(1, machine.host_link.bandwidth_bytes_per_s);
  machine.site_link.bandwidth_bytes_per_s =
      std::max<BytesPerSecond>(1, machine.site_link.bandwidth_bytes_per_s);
  return machine;
}

Machine believable(const Machine& measured) {
  constexpr std::int64_t kMost = 32;
  Machine usual, machine = measured;
  const Entries defaults = entries_of(usual), entries = entries_of(machine);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::int64_t value = *defaults[i].second;
    *entries[i].second = std::clamp(*entries[i].second, value / kMost, value * kMost);
  }
  machine.processors = 0;
  return machine;
}

}  // namespace wan
