// SPDX-License-Identifier: BSD-3-Clause
#include "bench/common/machine_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/common/fields.h"

namespace wan::bench {
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

Result<Machine> parse_machine(const std::string& text, const std::string& file) {
  Machine machine;
  std::int64_t processors = 0;
  Entries entries = entries_of(machine);
  entries.emplace_back("processors", &processors);
  int number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    if (line.empty()) continue;
    Fields fields(line, 2);
    const std::string_view name = fields.text();
    const auto entry = std::ranges::find(entries, name, &Entries::value_type::first);
    const std::int64_t value = fields.number();
    if (!fields.good() || entry == entries.end() || value < 0)
      return tl::unexpected(unreadable(file, number, line));
    *entry->second = value;
  }
  machine.processors =
      static_cast<std::int32_t>(std::min<std::int64_t>(processors, std::numeric_limits<std::int32_t>::max()));
  machine.host_link.bandwidth_bytes_per_s =
      std::max<BytesPerSecond>(1, machine.host_link.bandwidth_bytes_per_s);
  machine.site_link.bandwidth_bytes_per_s =
      std::max<BytesPerSecond>(1, machine.site_link.bandwidth_bytes_per_s);
  return machine;
}

}  // namespace wan::bench
