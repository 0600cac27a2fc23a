// SPDX-License-Identifier: BSD-3-Clause
#include "tools/survey/helper.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "discover/subnet.h"
#include "probe/agent.h"
#include "process/probing.h"
#include "tools/doctor/command_output.h"
#include "tools/doctor/gather.h"
#include "tools/doctor/orders.h"
#include "tools/survey/measurements.h"
#include "tools/survey/wire_json.h"

namespace wan::tools::survey {
namespace {

using doctor::SortedJson;

std::string own_hostname() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

/// As Open MPI would read it, or without Open MPI as it stands in the environment.
std::string parameter(const std::string& info, const std::string& name) {
  const char* variable = std::getenv(("OMPI_MCA_" + name).c_str());
  const std::string value = doctor::parameter_in(info, name);
  return value.empty() && variable != nullptr ? variable : value;
}

class Helper {
 public:
  SortedJson answer(const SortedJson& order) {
    const auto what = order.at("do").get<std::string>();
    if (what == "greet") return greet(order.at("environment").get<std::map<std::string, std::string>>());
    if (what == "listen") return listen();
    if (what == "probe")
      return measure(order.at("me").get<probe::Host>(),
                     order.at("hosts").get<std::vector<probe::Endpoint>>());
    return {{"error", fmt::format("no such order: {}", what)}};
  }

 private:
  SortedJson greet(const std::map<std::string, std::string>& environment) {
    for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
    const auto info = doctor::output_of("ompi_info --all --parsable").text;
    const std::string included = parameter(info, "btl_tcp_if_include");
    addresses_ = addresses_to_call(own_addresses(), included, parameter(info, "btl_tcp_if_exclude"));
    if (addresses_.empty())
      return {{"error",
               fmt::format("no address that Open MPI would use (btl_tcp_if_include: \"{}\")", included)}};
    return {{"host", own_hostname()}, {"addresses", addresses_}};
  }

  SortedJson listen() {
    listener_ = probe::Listener::open(addresses_);
    if (!listener_) return {{"error", "it cannot listen for others"}};
    return {{"endpoint", listener_->endpoint}};
  }

  SortedJson measure(probe::Host me, const std::vector<probe::Endpoint>& hosts) {
    auto listener = std::exchange(listener_, std::nullopt);
    if (!listener || me < 0 || me >= static_cast<probe::Host>(hosts.size()))
      return {{"error", "\"probe\" must follow \"listen\", with \"me\" among the hosts"}};
    probe::Agent agent(std::move(*listener), me, hosts);
    Recorder recorder(agent);
    if (me == 0) {
      probe::explore(static_cast<int>(hosts.size()), std::nullopt, recorder);
      agent.finish();
    } else {
      agent.serve();
    }
    return {{"errands", recorder.measured().errands}, {"findings", recorder.measured().findings}};
  }

  std::vector<std::string> addresses_;
  std::optional<probe::Listener> listener_;
};

}  // namespace

void run_helper(int in, int out) {
  Helper helper;
  doctor::answer_orders(in, out, [&helper](const SortedJson& order) { return helper.answer(order); });
}

}  // namespace wan::tools::survey
