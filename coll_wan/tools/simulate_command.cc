// SPDX-License-Identifier: BSD-3-Clause
// wanctl simulate: how long collectives take by the cost model, beside the lower bound; and how long they
// would take over other links. Tested by tests/wanctl/simulate_test.sh.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "algo/choice/choice.h"
#include "algo/schedule.h"
#include "check/simulate.h"
#include "check/stock.h"
#include "tools/call_options.h"
#include "tools/json.h"
#include "tools/ms_text.h"
#include "tools/text_table.h"
#include "tools/usage_error.h"
#include "tools/what_if.h"
#include "topo/quantity.h"

namespace wan::tools {
namespace {

constexpr Rank kMostSimulatedRanks = 4'096;
/// Open MPI's algorithms know no sites: an alltoall has a message for each pair of ranks.
constexpr Rank kMostStockRanks = 1'024;

struct SimulateOptions {
  CallOptions call;
  std::vector<std::string> collectives;
  std::string sizes;
  WhatIf what_if;
  bool all_algorithms = false, json = false;
};

/// The topology under a name.
struct Case {
  std::string name;
  Topology topology;
};

struct Prediction {
  std::string setting, call;
  Rank ranks;
  SiteIndex sites;
  Algorithm algorithm;
  bool is_chosen;
  Nanoseconds time_ns, bound_ns;
  std::optional<StockForecast> stock;  ///< of the same call by Open MPI's tuned
};

// ---- Where

Topology topology_after(const Setting& setting, const std::string& name, const Machine& machine) {
  return topology_of(value_of(site_file_of(setting.document, name)), setting.ranks, machine);
}

std::vector<Case> cases_of(const SimulateOptions& options) {
  std::vector<Case> cases{{"as it is", topology_of(options.call)}};
  if (!options.what_if.is_empty()) {
    if (options.call.topology.empty())
      refuse("--sites", options.call.sites, "to change links, give --topology FILE");
    const SiteFile file = value_of(SiteFile::load(options.call.topology));
    const Setting setting = changed({document_of(file), options.call.ranks}, options.what_if);
    cases.push_back({"what if", topology_after(setting, "what if", machine_of(options.call))});
  }
  for (const Case& each : cases)
    if (each.topology.layout.size() > kMostSimulatedRanks)
      refuse("--ranks", std::to_string(each.topology.layout.size()),
             fmt::format("simulated are at most {} ranks", kMostSimulatedRanks));
  return cases;
}

// ---- What

std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  for (std::size_t end = 0; end != list.npos; begin = end + 1) {
    end = list.find(',', begin);
    words.push_back(list.substr(begin, end == list.npos ? end : end - begin));
  }
  return words;
}

/// --count for `size` bytes.
std::string count_of(const CallOptions& options, const std::string& size) {
  const Bytes bytes = value_of(parse_bytes(size).map_error([](InputError error) {
    error.file = "--sizes";
    return error;
  }));
  const bool reduces = traits(collective_of(options)).reduces;
  if (reduces && (options.element_bytes < 1 || bytes % options.element_bytes != 0))
    refuse("--sizes", size,
           fmt::format("expected a multiple of the element's {} bytes", options.element_bytes));
  return std::to_string(reduces ? bytes / options.element_bytes : bytes);
}

std::vector<CallOptions> calls_of(const SimulateOptions& options) {
  std::vector<CallOptions> calls;
  const bool all = options.collectives == std::vector<std::string>{"all"};
  for (const std::string& collective : all ? collective_names() : options.collectives) {
    CallOptions call = options.call;
    call.collective = collective;
    collective_of(call);
    if (options.sizes.empty() || collective == "barrier") {
      calls.push_back(call);
      continue;
    }
    for (const std::string& size : words_of(options.sizes)) {
      call.count = count_of(call, size);
      calls.push_back(call);
    }
  }
  return calls;
}

// ---- When

Prediction prediction_of(const Case& where, const Tuning& tuning, const GlobalCall& call) {
  const Model model(where.topology, met_by(tuning, where.topology.machine));
  const Simulation simulation = simulate(plan_all(where.topology, tuning, call), model, call.unit_bytes);
  return {where.name,
          title_of(call, where.topology.layout),
          call.size,
          where.topology.layout.sites(),
          choose(where.topology, tuning, call.view(0)).algorithm(),
          true,
          simulation.end,
          bound_of(where.topology, call),
          std::nullopt};
}

std::optional<StockForecast> stock_of(const Case& where, const Tuning& tuning, const GlobalCall& call) {
  if (call.size > kMostStockRanks) return std::nullopt;
  return forecast_stock(Model(where.topology, met_by_stock(tuning, where.topology.machine)), call);
}

/// What is chosen, and on demand what else fits.
void predict(std::vector<Prediction>& predictions, const Case& where, const SimulateOptions& options,
             const CallOptions& call_options) {
  const Tuning tuning = tuning_of(call_options);
  const GlobalCall call = call_of(call_options, where.topology.layout.size());
  predictions.push_back(prediction_of(where, tuning, call));
  predictions.back().stock = stock_of(where, tuning, call);
  const Algorithm chosen = predictions.back().algorithm;
  if (!options.all_algorithms) return;
  for (const Algorithm other : algorithms_of(call.collective)) {
    Tuning forced = tuning;
    forced.algorithms.force(call.collective, other);
    if (other == Algorithm::automatic || other == chosen ||
        choose(where.topology, forced, call.view(0)).algorithm() != other)
      continue;
    predictions.push_back(prediction_of(where, forced, call));
    predictions.back().is_chosen = false;
  }
}

Row row_of(const Prediction& each, std::string setting) {
  const std::string ratio =
      each.bound_ns > 0
          ? fmt::format("{:.2f}", static_cast<double>(each.time_ns) / static_cast<double>(each.bound_ns))
          : "";
  return {std::move(setting),
          ms_text(each.time_ns),
          ms_text(each.bound_ns),
          ratio,
          std::string(name_of(each.algorithm)) + (each.is_chosen ? "" : " (not chosen)"),
          each.stock ? ms_text(each.stock->time_ns) : "",
          each.stock ? std::string(name_of(each.stock->algorithm)) : ""};
}

/// The setting, and what of the call is another than in the first prediction.
std::string setting_of(const Prediction& each, const Prediction& first) {
  if (each.call == first.call) return each.setting;
  return fmt::format("{} ({} ranks of {} sites)", each.setting, each.ranks, each.sites);
}

void print_text(const std::vector<std::vector<Prediction>>& calls) {
  const char* gap = "";
  for (const auto& predictions : calls) {
    std::vector<Row> rows{
        {"", "predicted ms", "lower bound ms", "ratio", "algorithm", "tuned ms", "tuned algorithm"}};
    for (const Prediction& each : predictions)
      rows.push_back(row_of(each, setting_of(each, predictions.front())));
    fmt::print("{}{}\n{}", gap, predictions.front().call, text_table(rows));
    gap = "\n";
  }
}

Json json_of(const Prediction& each) {
  Json json{{"call", each.call},
            {"setting", each.setting},
            {"ranks", each.ranks},
            {"sites", each.sites},
            {"algorithm", name_of(each.algorithm)},
            {"chosen", each.is_chosen},
            {"predicted_ns", each.time_ns},
            {"lower_bound_ns", each.bound_ns}};
  if (each.stock)
    json["tuned"] = {{"algorithm", name_of(each.stock->algorithm)}, {"predicted_ns", each.stock->time_ns}};
  return json;
}

void print_as_json(const std::vector<std::vector<Prediction>>& calls) {
  Json list = Json::array();
  for (const auto& predictions : calls)
    for (const Prediction& each : predictions) list.push_back(json_of(each));
  print_json({{"predictions", std::move(list)}});
}

Status run(const SimulateOptions& options) {
  const auto cases = cases_of(options);
  std::vector<std::vector<Prediction>> calls;
  for (const CallOptions& call : calls_of(options)) {
    calls.emplace_back();
    for (const Case& each : cases) predict(calls.back(), each, options, call);
  }
  if (options.json)
    print_as_json(calls);
  else
    print_text(calls);
  return Status::fine;
}

void declare_what_if(CLI::App& command, WhatIf& what_if) {
  const auto add = [&](const char* name, std::vector<std::string>& values, const char* type,
                       const char* text) {
    command.add_option(name, values, text)->type_name(type)->expected(1)->take_all();
  };
  add("--latency", what_if.latencies, "LINK=VALUE",
      "What if a link's latency were another: paris:tokyo=x0.5 or \"paris:tokyo=50 ms\"");
  add("--bandwidth", what_if.bandwidths, "LINK=VALUE",
      "What if a link were faster or slower: paris:tokyo=x10 or \"*:*=1 Gbit/s\"");
  add("--uplink", what_if.uplinks, "SITE=VALUE", "What if so much could leave a site: \"paris=10 Gbit/s\"");
  add("--downlink", what_if.downlinks, "SITE=VALUE", "What if so much could enter a site");
  add("--add-site", what_if.sites, "NAME[=RANKS]",
      "What if there were another site, over the file's default links");
  add("--without-site", what_if.without_sites, "NAME", "What if there were one site fewer");
}

}  // namespace

void add_simulate(Commands& commands) {
  const auto options = std::make_shared<SimulateOptions>();
  CLI::App& command = commands.add(
      {.name = "simulate",
       .summary = "Predicts how long collectives take, and what other links would change",
       .details =
           {"Times follow from the cost model of coll_wan for the algorithm that it chooses. No algorithm "
            "can "
            "be quicker than the lower bound.",
            "Beside it stands what Open MPI's own component, tuned, would take over the same links by the "
            "same "
            "model. Nothing stands there where tuned would take an algorithm that the model does not have, "
            "on intercommunicators, for collectives with several lengths, and on more than 1024 ranks.",
            "A LINK is paris:tokyo, both directions, or \"paris>tokyo\", one; * stands for any site. A VALUE "
            "is a quantity, or a factor such as x2. Sites are removed first, then added, then links change "
            "in the order given. SimulateOptions may be given several times."},
       .examples = {{"simulate allreduce --topology sites.toml --sizes 8,64KiB,1MiB", "of three lengths"},
                    {"simulate bcast --topology sites.toml --sizes 1MiB --bandwidth paris:tokyo=x10",
                     "would a faster link help?"},
                    {"simulate all --topology sites.toml --add-site oslo=4 --latency '*:oslo=20 ms'",
                     "every collective, with a site more"}}},
      [options] { return run(*options); });
  std::vector<std::string> words = collective_names();
  words.emplace_back("all");
  commands.offer(command.add_option("collective", options->collectives, "bcast, allreduce, ..., or all")
                     ->required()
                     ->type_name(""),
                 std::move(words));
  declare_communicator(command, options->call);
  command
      .add_option("--sizes", options->sizes,
                  "Bytes of a block, or of a reduction's vector, of several calls: 8,64KiB,1MiB")
      ->type_name("SIZES")
      ->excludes(declare_call(commands, command, options->call));
  declare_what_if(command, options->what_if);
  command.add_flag("--all-algorithms", options->all_algorithms, "Predict those that are not chosen too");
  add_json_flag(command, options->json);
}

}  // namespace wan::tools
