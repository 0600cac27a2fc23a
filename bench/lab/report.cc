// SPDX-License-Identifier: BSD-3-Clause
#include "bench/lab/report.h"

#include <fmt/format.h>

#include <algorithm>

namespace wan::lab {
namespace {

struct Column {
  const char* name;
  std::atomic<std::uint64_t> LinkCounters::*counter;
};

constexpr Column kColumns[] = {
    {"packets", &LinkCounters::packets},
    {"ip_bytes", &LinkCounters::ip_bytes},
    {"tcp_payload_segments", &LinkCounters::tcp_payload_segments},
    {"tcp_payload_bytes", &LinkCounters::tcp_payload_bytes},
    {"tcp_stream_segments", &LinkCounters::tcp_stream_segments},
    {"tcp_stream_bytes", &LinkCounters::tcp_stream_bytes},
    {"lost", &LinkCounters::lost},
    {"overflowed", &LinkCounters::overflowed},
    {"late", &LinkCounters::late},
    {"worst_lateness_ns", &LinkCounters::worst_lateness_ns},
    {"other_ip_bytes", &LinkCounters::other_ip_bytes},
};

template <class Visitor>
void for_each_link(const CountersView& counters, Visitor visit) {
  for (std::uint32_t from = 0; from < counters.sites(); ++from)
    for (std::uint32_t to = 0; to < counters.sites(); ++to)
      if (from != to) visit(counters.site_name(from), counters.site_name(to), counters.link(from, to));
}

std::string json_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace

std::string report_json(const CountersView& counters, const std::string& scheduling,
                        const std::string& departures) {
  std::string links;
  for_each_link(counters, [&](const char* from, const char* to, const LinkCounters& link) {
    links += fmt::format("{}\n    {{\"from\": {}, \"to\": {}", links.empty() ? "" : ",", json_string(from),
                         json_string(to));
    for (const Column& column : kColumns)
      links += fmt::format(", \"{}\": {}", column.name, (link.*column.counter).load());
    links += '}';
  });
  return fmt::format(
      "{{\n  \"scheduling\": {},\n  \"departures\": {},\n  \"late_threshold_ns\": {},\n  \"device_drops\": "
      "{},\n  \"links\": [{}\n  "
      "]\n}}\n",
      json_string(scheduling), json_string(departures), counters.header().late_threshold_ns,
      counters.header().device_drops.load(), links);
}

std::string report_csv(const CountersView& counters) {
  std::string text = "from,to";
  for (const Column& column : kColumns) text += fmt::format(",{}", column.name);
  text += '\n';
  for_each_link(counters, [&](const char* from, const char* to, const LinkCounters& link) {
    text += fmt::format("{},{}", from, to);
    for (const Column& column : kColumns) text += fmt::format(",{}", (link.*column.counter).load());
    text += '\n';
  });
  return text;
}

std::string report_warning(const CountersView& counters) {
  std::uint64_t late = 0, worst_ns = 0;
  for_each_link(counters, [&](const char*, const char*, const LinkCounters& link) {
    late += link.late;
    worst_ns = std::max(worst_ns, link.worst_lateness_ns.load());
  });
  const std::uint64_t drops = counters.header().device_drops;
  if (late == 0 && drops == 0) return "";
  return fmt::format(
      "{} deliveries were late (worst {:.1f} ms) and {} packets were dropped before the emulator saw them: "
      "times measured meanwhile are not valid",
      late, static_cast<double>(worst_ns) / 1e6, drops);
}

}  // namespace wan::lab
