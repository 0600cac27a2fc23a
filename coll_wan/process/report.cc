// SPDX-License-Identifier: BSD-3-Clause
#include "process/report.h"

#include <fmt/format.h>

#include <map>

#include "base/time.h"

namespace wan {
namespace {

using Plans = std::vector<std::shared_ptr<const PlanRecord>>;

/// A string of JSON. What is not ASCII stays as it is (UTF-8).
std::string in_quotes(std::string_view text) {
  std::string json = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') json += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      json += fmt::format("\\u{:04x}", static_cast<int>(c));
    else
      json += c;
  }
  return json + '"';
}

/// "[\n  a,\n  b\n]" of JSON values.
template <class Values, class ToJson>
std::string array_of(const Values& values, ToJson to_json) {
  std::string json;
  for (const auto& value : values) json += fmt::format("{}\n    {}", json.empty() ? "" : ",", to_json(value));
  return json.empty() ? "[]" : "[" + json + "\n  ]";
}

std::string json_of(const Statistics::Sent& sent) {
  return fmt::format(R"({{"from": {}, "to": {}, "messages": {}, "bytes": {}}})", in_quotes(sent.from),
                     in_quotes(sent.to), sent.messages, sent.bytes);
}

std::string json_of_forecast(const Forecast* forecast) {
  if (forecast == nullptr) return R"("predicted_ms": null, "stock": null)";
  const std::string stock =
      forecast->stock ? fmt::format(R"({{"algorithm": "{}", "predicted_ms": {:.6f}}})",
                                    name_of(forecast->stock->algorithm), in_ms(forecast->stock->time_ns))
                      : "null";
  return fmt::format(
      R"("predicted_ms": {{"all": {:.6f}, "this_process": {:.6f}, "lower_bound": {:.6f}}}, "stock": {})",
      in_ms(forecast->time_ns), in_ms(forecast->own_ns), in_ms(forecast->bound_ns), stock);
}

std::string json_of(const PlanRecord& plan) {
  const PlanFacts& facts = plan.facts();
  const PlanTimes times = plan.times();
  return fmt::format(R"({{"call": {}, "collective": "{}", "algorithm": "{}", "lanes": {}, "calls": {}, )"
                     R"("took_ms": {{"sum": {:.6f}, "mean": {:.6f}, "least": {:.6f}, "most": {:.6f}}}, {}}})",
                     in_quotes(plan.title()), name_of(facts.kind), name_of(facts.algorithm), facts.lanes,
                     times.calls, in_ms(times.sum), in_ms(times.mean()), in_ms(times.least),
                     in_ms(times.most), json_of_forecast(plan.forecast()));
}

struct CountedCalls {
  CallKind kind;
  Algorithm algorithm;
  Totals::Calls number;
};

std::vector<CountedCalls> counted_calls(const Totals& totals) {
  std::vector<CountedCalls> all;
  for (CallKind kind; kind.index < kCallKinds; ++kind.index)
    for (const Algorithm algorithm : algorithms_of(kind)) {
      const auto& number =
          totals.of[static_cast<std::size_t>(kind.index)][static_cast<std::size_t>(algorithm)];
      if (number.calls > 0) all.push_back({kind, algorithm, number});
    }
  return all;
}

std::string json_of(const CountedCalls& counted) {
  return fmt::format(R"({{"collective": "{}", "algorithm": "{}", "calls": {}, "bytes": {}}})",
                     name_of(counted.kind), name_of(counted.algorithm), counted.number.calls,
                     counted.number.bytes);
}

/// Those that were called.
Plans called(const Plans& plans) {
  Plans all;
  for (const auto& plan : plans)
    if (plan->times().calls > 0) all.push_back(plan);
  return all;
}

std::string line_of(const PlanRecord& plan) {
  const PlanTimes times = plan.times();
  const Forecast* const made = plan.forecast();
  const std::string predicted =
      made == nullptr ? fmt::format("{:>11} {:>11}", "-", "-")
                      : fmt::format("{:>11.3f} {:>11.3f}", in_ms(made->time_ns), in_ms(made->bound_ns));
  const std::string stock =
      made == nullptr || !made->stock
          ? fmt::format("{:>11}", "-")
          : fmt::format("{:>11.3f} ({})", in_ms(made->stock->time_ns), name_of(made->stock->algorithm));
  return fmt::format("{}\n    {:<10} {:>7} {:>11.3f} {:>11.3f} {} {}\n", plan.title(),
                     name_of(plan.facts().algorithm), times.calls, in_ms(times.mean()), in_ms(times.least),
                     predicted, stock);
}

std::string text_of(const std::string& title, const std::vector<Statistics::Sent>& links) {
  std::string text = fmt::format("\n{}\n", title);
  if (links.empty()) return text + "    nothing\n";
  text += fmt::format("    {:<20} {:<20} {:>12} {:>16}\n", "from", "to", "messages", "bytes");
  for (const Statistics::Sent& link : links)
    text += fmt::format("    {:<20} {:<20} {:>12} {:>16}\n", link.from, link.to, link.messages, link.bytes);
  return text;
}

}  // namespace

std::vector<Statistics::Sent> traffic_of(const Plans& plans) {
  std::map<std::pair<std::string, std::string>, Totals::Calls> links;
  for (const auto& plan : plans) {
    const std::uint64_t calls = plan->times().calls;
    const Forecast* const made = plan->forecast();
    if (made == nullptr || calls == 0) continue;
    for (const LinkForecast& link : made->links)
      links[{link.from, link.to}] +=
          {calls * static_cast<std::uint64_t>(link.messages), calls * static_cast<std::uint64_t>(link.bytes)};
  }
  std::vector<Statistics::Sent> all;
  for (const auto& [sites, number] : links)
    all.push_back({sites.first, sites.second, number.calls, number.bytes});
  return all;
}

std::string report_json(const ReportedJob& job) {
  const auto link = [](const Statistics::Sent& sent) { return json_of(sent); };
  return fmt::format(
      "{{\n  \"format\": 1,\n  \"processes\": {},\n  \"pml\": {},\n  \"eager_limit\": {},\n  \"plans\": "
      "{},\n  \"calls\": {},\n  \"links\": {},\n"
      "  \"sent_by_this_process\": {},\n  \"call_ms\": {:.6f},\n  \"wait_ms\": {:.6f},\n"
      "  \"plans_found\": {},\n  \"plans_made\": {}\n}}\n",
      job.processes, in_quotes(job.pml), job.eager_limit,
      array_of(called(job.plans), [](const auto& plan) { return json_of(*plan); }),
      array_of(counted_calls(job.totals), [](const CountedCalls& each) { return json_of(each); }),
      array_of(traffic_of(job.plans), link), array_of(job.sent, link), in_ms(job.totals.call_ns),
      in_ms(job.totals.wait_ns), job.totals.plan_hits, job.totals.plan_misses);
}

std::string report_text(const ReportedJob& job) {
  std::string text = fmt::format(
      "coll_wan: report of the first of {} processes\n\nMessages go by Open MPI's PML {}, which sends up to "
      "{} "
      "bytes without asking the receiver.\nIts calls took {:.3f} ms, of which it waited {:.3f} "
      "ms "
      "for other sites.\nPlans: {} made, {} found again.\n\n",
      job.processes, job.pml, job.eager_limit, in_ms(job.totals.call_ns), in_ms(job.totals.wait_ns),
      job.totals.plan_misses, job.totals.plan_hits);
  text +=
      "Milliseconds. predicted: until all ranks are done; bound: the least of any algorithm; stock: tuned,\n"
      "predicted. - means not predicted.\n\n";
  text += fmt::format("    {:<10} {:>7} {:>11} {:>11} {:>11} {:>11} {:>11}\n", "algorithm", "calls", "mean",
                      "least", "predicted", "bound", "stock");
  for (const auto& plan : called(job.plans)) text += line_of(*plan);
  text += text_of("Between sites, by the plans of all ranks (of the calls that are predicted)",
                  traffic_of(job.plans));
  return text + text_of("Sent by this process", job.sent);
}

ReportFiles files_of_report(const std::string& value) {
  if (value.empty()) return {};
  if (value.ends_with(".txt")) return {"", value};
  return {value, value + ".txt"};
}

}  // namespace wan
