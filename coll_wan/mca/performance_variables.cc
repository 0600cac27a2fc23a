// SPDX-License-Identifier: BSD-3-Clause
#include "mca/performance_variables.h"

#include <deque>

#include "mca/component.h"
#include "mca/ompi.h"
#include "process/statistics.h"

namespace wan {
namespace {

/// What Open MPI gives back with a variable; it lives as long as the component.
struct Variable {
  std::function<std::uint64_t(const Totals&)> value;
  bool needs_predictions = false;
};

std::deque<Variable>& variables() {
  static std::deque<Variable> instance;
  return instance;
}

std::atomic<int>& readers_of_predictions() {
  static std::atomic<int> instance{0};
  return instance;
}

struct Description {
  std::string name, help;
  int variable_class;
};

}  // namespace
}  // namespace wan

extern "C" {
static int wan_get_value(const mca_base_pvar_t* variable, void* value, void* communicator) {
  const auto& mine = *static_cast<const wan::Variable*>(variable->ctx);
  const unsigned long long number = mine.value(wan::all_statistics().of(communicator));
  std::memcpy(value, &number, sizeof number);
  return OMPI_SUCCESS;
}

static int wan_notify(mca_base_pvar_t* variable, mca_base_pvar_event_t event, void*, int* count) {
  const auto& mine = *static_cast<const wan::Variable*>(variable->ctx);
  if (event == MCA_BASE_PVAR_HANDLE_BIND) *count = 1;
  if (mine.needs_predictions && event == MCA_BASE_PVAR_HANDLE_BIND)
    wan::readers_of_predictions().fetch_add(1);
  if (mine.needs_predictions && event == MCA_BASE_PVAR_HANDLE_UNBIND)
    wan::readers_of_predictions().fetch_sub(1);
  return OMPI_SUCCESS;
}
}

namespace wan {
namespace {

/// Registers variables until one fails.
class Registration {
 public:
  template <class Value>
  void add(const Description& description, Value value, bool needs_predictions = false) {
    if (error_ != 0) return;
    Variable& variable = variables().emplace_back(Variable{value, needs_predictions});
    const int index = mca_base_component_pvar_register(
        &mca_coll_wan_component.collm_version, description.name.c_str(), description.help.c_str(),
        OPAL_INFO_LVL_4, description.variable_class, MCA_BASE_VAR_TYPE_UNSIGNED_LONG_LONG, nullptr,
        MCA_BASE_VAR_BIND_MPI_COMM,
        static_cast<mca_base_pvar_flag_t>(MCA_BASE_PVAR_FLAG_READONLY | MCA_BASE_PVAR_FLAG_CONTINUOUS),
        wan_get_value, nullptr, wan_notify, &variable);
    if (index < 0) error_ = index;
  }
  int error() const { return error_; }

 private:
  int error_ = 0;
};

constexpr int kCounter = MCA_BASE_PVAR_CLASS_COUNTER, kSum = MCA_BASE_PVAR_CLASS_AGGREGATE,
              kTimer = MCA_BASE_PVAR_CLASS_TIMER;

void add_calls(Registration& registration, CallKind kind) {
  const std::string name(name_of(kind));
  registration.add({name + "_calls", "Calls of " + name + " that have ended on this communicator.", kCounter},
                   [kind](const Totals& totals) { return totals.of_kind(kind).calls; });
  registration.add({name + "_bytes", "Bytes in this process's buffers in those calls of " + name + ".", kSum},
                   [kind](const Totals& totals) { return totals.of_kind(kind).bytes; });
}

void add_calls(Registration& registration, CallKind kind, Algorithm algorithm) {
  const std::string name(name_of(kind)), way(name_of(algorithm));
  const auto number = [kind, algorithm](const Totals& totals) {
    return totals.of[static_cast<std::size_t>(kind.index)][static_cast<std::size_t>(algorithm)];
  };
  registration.add(
      {name + "_" + way + "_calls", "Those calls of " + name + " that went " + way + ".", kCounter},
      [number](const Totals& totals) { return number(totals).calls; });
  registration.add(
      {name + "_" + way + "_bytes",
       "Bytes in this process's buffers in those calls of " + name + " that went " + way + ".", kSum},
      [number](const Totals& totals) { return number(totals).bytes; });
}

void add_traffic(Registration& registration) {
  registration.add({"inter_site_messages", "Messages that this process has sent to other sites.", kCounter},
                   [](const Totals& totals) { return totals.sent_messages; });
  registration.add({"streamed_messages", "Those of these messages that went over streams.", kCounter},
                   [](const Totals& totals) { return totals.streamed_messages; });
  registration.add({"inter_site_bytes", "Bytes of those messages, without headers.", kSum},
                   [](const Totals& totals) { return totals.sent_bytes; });
  registration.add(
      {"wait_time",
       "Nanoseconds in which calls awaited a message of another site. Of calls that run at the same "
       "time the sum.",
       kTimer},
      [](const Totals& totals) { return totals.wait_ns; });
}

void add_times(Registration& registration) {
  registration.add(
      {"call_time",
       "Nanoseconds that calls took this process, from their start to their end. A nonblocking call "
       "ends when this process makes progress in MPI.",
       kTimer},
      [](const Totals& totals) { return totals.call_ns; });
  registration.add(
      {"predicted_calls",
       "Calls whose time was predicted: while somebody reads this variable, but not on more than 256 "
       "processes, nor where no process knows all lengths, nor of neighbourhoods.",
       kCounter},
      [](const Totals& totals) { return totals.predicted_calls; }, true);
  registration.add(
      {"predicted_calls_time", "Nanoseconds that those calls took this process.", kTimer},
      [](const Totals& totals) { return totals.predicted_calls_ns; }, true);
  registration.add(
      {"predicted_time", "Nanoseconds that those calls were predicted to take this process.", kTimer},
      [](const Totals& totals) { return totals.predicted_ns; }, true);
  registration.add(
      {"bound_time",
       "The least nanoseconds in which any algorithm can complete those calls on all processes.", kTimer},
      [](const Totals& totals) { return totals.bound_ns; }, true);
}

void add_plans(Registration& registration) {
  registration.add({"plan_hits", "Plans that were found among those of earlier calls.", kCounter},
                   [](const Totals& totals) { return totals.plan_hits; });
  registration.add({"plan_misses", "Plans that had to be made.", kCounter},
                   [](const Totals& totals) { return totals.plan_misses; });
  registration.add({"lanes", "The most lanes of a call: processes of a site that shared it between sites.",
                    MCA_BASE_PVAR_CLASS_HIGHWATERMARK},
                   [](const Totals& totals) { return totals.most_lanes; });
}

}  // namespace

int register_performance_variables() {
  Registration registration;
  for (CallKind kind; kind.index < kCallKinds; ++kind.index) {
    add_calls(registration, kind);
    if (algorithms_of(kind).size() > 1)
      for (const Algorithm algorithm : algorithms_of(kind)) add_calls(registration, kind, algorithm);
  }
  add_traffic(registration);
  add_times(registration);
  add_plans(registration);
  return registration.error();
}

bool someone_reads_predictions() {
  return readers_of_predictions().load(std::memory_order_relaxed) > 0;
}

}  // namespace wan
