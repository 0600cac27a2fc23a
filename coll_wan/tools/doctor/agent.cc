// SPDX-License-Identifier: BSD-3-Clause
#include "tools/doctor/agent.h"

#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <random>

#include "tools/doctor/gather.h"
#include "tools/doctor/orders.h"
#include "tools/doctor/peer_server.h"
#include "tools/doctor/protocol.h"

namespace wan::tools::doctor {
namespace {

std::string random_token() {
  std::random_device source;
  return fmt::format("{:08x}{:08x}", source(), source());
}

class Agent {
 public:
  SortedJson answer(const SortedJson& order) {
    const auto what = order.at("do").get<std::string>();
    if (what == "facts") return {{"facts", facts(order.get<FactsOrder>())}};
    if (what == "reach") return {{"reaches", reach_all(order.at("targets").get<std::vector<Target>>())}};
    if (what == "measure") return {{"measured", measure(order.at("target").get<Target>())}};
    return {{"error", fmt::format("no such order: {}", what)}};
  }

 private:
  HostFacts facts(const FactsOrder& order) {
    for (const auto& [name, value] : order.environment) ::setenv(name.c_str(), value.c_str(), 1);
    HostFacts facts = gather(order.names, order.topology);
    facts.token = random_token();
    server_ = std::make_unique<PeerServer>(facts.token, facts.software.port_min);
    facts.listeners = server_->listeners();
    return facts;
  }

  std::unique_ptr<PeerServer> server_;
};

}  // namespace

void run_agent(int in, int out) {
  Agent agent;
  answer_orders(in, out, [&agent](const SortedJson& order) { return agent.answer(order); });
}

}  // namespace wan::tools::doctor
