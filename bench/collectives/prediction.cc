// SPDX-License-Identifier: BSD-3-Clause
#include "bench/collectives/prediction.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include "algo/choice/aggregation.h"
#include "algo/choice/halves.h"
#include "algo/schedule.h"
#include "algo/services/survey.h"
#include "check/simulate.h"
#include "cost/machine_file.h"

namespace wan::bench {
namespace {

/// The component's defaults; it reads the window of its host.
Tuning tuning_on(const Machine& machine) {
  Tuning tuning;
  tuning.flow_window = machine.flow_window;
  return tuning;
}

/// The counts are those of the call before.
Nanoseconds survey_ns(const Topology& topology, const Tuning& tuning, const GlobalCall& call,
                      const Model& model) {
  if (!needs_survey(topology, tuning, call.view(0))) return 0;
  Schedule surveys;
  for (Rank rank = 0; rank < call.size; ++rank)
    surveys.push_back(plan_notices(topology, tuning, rank, 3 * sizeof(Count)).program);
  return simulate(surveys, model, 1).end;
}

}  // namespace

Result<Machine> lab_machine(const std::string& file, Bytes mtu) {
  std::ifstream stream(file);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  Result<Machine> machine = parse_machine(text, file);
  if (machine) machine->framing.segment_payload = mtu - machine->framing.segment_headers;
  return machine;
}

Nanoseconds predict(const Cell& cell, const Model& whole, const Distribution& distribution) {
  const CellCall made = call_of(cell, whole.topology().layout.size(), distribution);
  const GlobalCall& call = made.call;
  const Topology topology = restricted_to(whole.topology(), made.ranks);
  const Model model(topology, whole.machine());
  const Tuning tuning = tuning_on(model.machine());
  return survey_ns(topology, tuning, call, model) +
         simulate(plan_all(topology, tuning, call), model, call.unit_bytes).end;
}

void add_predictions(std::vector<Comparison>& comparisons, const Model& model,
                     const Distribution& distribution) {
  for (Comparison& comparison : comparisons)
    if (!comparison.is_overlapped()) comparison.predicted_ns = predict(comparison.cell, model, distribution);
}

std::optional<double> median_error(std::span<const Comparison> comparisons) {
  std::vector<double> errors;
  for (const Comparison& comparison : comparisons)
    if (const auto error = comparison.error(kPredicted)) errors.push_back(std::abs(*error));
  if (errors.empty()) return std::nullopt;
  std::ranges::sort(errors);
  const std::size_t middle = errors.size() / 2;
  return errors.size() % 2 == 1 ? errors[middle] : (errors[middle - 1] + errors[middle]) / 2;
}

}  // namespace wan::bench
