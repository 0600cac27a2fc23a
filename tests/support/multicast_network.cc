// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/multicast_network.h"

#include <algorithm>

namespace wan {

class MulticastNetwork::Wire : public multicast::Carrier {
 public:
  Wire(MulticastNetwork& network, Position self) : network_(network), self_(self) {}
  void send(Position to, const multicast::Message& message, multicast::Payload payload) override {
    multicast::Buffer bytes = encode(message);
    network_.bytes_ += bytes.view().size() + payload.bytes.size();
    network_.queues_[{self_, to}].push_back({std::move(bytes), std::move(payload)});
    ++network_.sent_[{self_, to}];
    ++network_.messages_;
  }

 private:
  MulticastNetwork& network_;
  Position self_;
};

MulticastNetwork::MulticastNetwork(const multicast::Places& places,
                                   const std::vector<std::vector<int>>& columns,
                                   const multicast::Settings& settings) {
  for (Position self = 0; self < places.size(); ++self) {
    Process& process = processes_.emplace_back();
    process.wire = std::make_unique<Wire>(*this, self);
    std::vector<multicast::RoutingTable> tables;
    for (const auto& each : columns) tables.emplace_back(places, self, each);
    process.engine = std::make_unique<multicast::Engine>(std::move(tables), settings, *process.wire);
  }
}

bool MulticastNetwork::has_messages(Pair pair) const {
  const auto found = queues_.find(pair);
  return found != queues_.end() && !found->second.empty();
}

bool MulticastNetwork::has_landings(Pair pair) const {
  const auto found = landings_.find(pair);
  return found != landings_.end() && !found->second.empty();
}

std::vector<MulticastNetwork::Pair> MulticastNetwork::under_way() const {
  std::vector<Pair> pairs;
  for (const auto& [pair, queue] : queues_)
    if ((!queue.empty() || has_landings(pair)) && pair.second != stopped_) pairs.push_back(pair);
  return pairs;
}

bool MulticastNetwork::arrive(Pair pair) {
  auto& queue = queues_[pair];
  Sent sent = std::move(queue.front());
  queue.pop_front();
  if (is_dead(pair.second)) {
    sent.payload = {};
    if (!is_dead(pair.first)) at(pair.first).settle();
    return true;
  }
  const auto arrived =
      at(pair.second).arrived(pair.first, sent.message.view(), static_cast<Bytes>(sent.payload.bytes.size()));
  if (!arrived.place.empty()) landings_[pair].push_back({arrived.place, std::move(sent.payload)});
  sent.payload = {};
  settle(pair);
  return arrived.is_sound;
}

void MulticastNetwork::land(Pair pair, bool is_there) {
  auto& landings = landings_[pair];
  Landing landing = std::move(landings.front());
  landings.pop_front();
  if (is_there) std::ranges::copy(landing.payload.bytes, landing.place.begin());
  landing.payload = {};
  at(pair.second).landed(pair.first, is_there);
  settle(pair);
}

/// What was under way may have given something back.
void MulticastNetwork::settle(Pair pair) {
  if (!is_dead(pair.first)) at(pair.first).settle();
  at(pair.second).settle();
  most_held_ = std::max(most_held_, at(pair.second).held());
}

bool MulticastNetwork::deliver(Pair pair) {
  const bool is_right = !has_messages(pair) || arrive(pair);
  while (has_landings(pair)) land(pair);
  return is_right;
}

void MulticastNetwork::kill(Position position) {
  dead_.insert(position);
  for (auto& [pair, landings] : landings_)
    if (pair.second == position) landings.clear();
}

bool MulticastNetwork::rest() {
  bool has_any = false;
  for (Position each = 0; each < size(); ++each) has_any = (!is_dead(each) && at(each).rest()) || has_any;
  return has_any;
}

void MulticastNetwork::deliver_all() {
  do {
    for (auto pairs = under_way(); !pairs.empty(); pairs = under_way())
      for (const auto& pair : pairs) deliver(pair);
  } while (rest());
}

std::size_t MulticastNetwork::messages_between(Position from, Position to) const {
  const auto found = sent_.find({from, to});
  return found == sent_.end() ? 0 : found->second;
}

}  // namespace wan
