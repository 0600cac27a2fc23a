// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/multicast_network.h"

#include <algorithm>

namespace wan {

class MulticastNetwork::Wire : public multicast::Carrier {
 public:
  Wire(MulticastNetwork& network, Position self) : network_(network), self_(self) {}
  void send(Position to, std::shared_ptr<const multicast::Packet> packet) override {
    network_.bytes_ += packet->buffer.view().size();
    network_.queues_[{self_, to}].push_back(std::move(packet));
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

std::vector<std::pair<MulticastNetwork::Position, MulticastNetwork::Position>> MulticastNetwork::under_way()
    const {
  std::vector<std::pair<Position, Position>> pairs;
  for (const auto& [pair, queue] : queues_)
    if (!queue.empty() && pair.second != stopped_) pairs.push_back(pair);
  return pairs;
}

bool MulticastNetwork::deliver(std::pair<Position, Position> pair) {
  auto& queue = queues_[pair];
  std::shared_ptr<const multicast::Packet> packet = std::move(queue.front());
  queue.pop_front();
  const std::string_view bytes = packet->buffer.view();
  multicast::Buffer buffer(bytes.size());
  std::ranges::copy(bytes, buffer.writable().begin());
  packet.reset();
  if (!is_dead(pair.first)) at(pair.first).settle();
  if (is_dead(pair.second)) return true;
  const bool is_right = at(pair.second).arrived(pair.first, std::move(buffer));
  at(pair.second).settle();
  most_held_ = std::max(most_held_, at(pair.second).held());
  return is_right;
}

void MulticastNetwork::deliver_all() {
  for (auto pairs = under_way(); !pairs.empty(); pairs = under_way())
    for (const auto& pair : pairs) deliver(pair);
}

std::size_t MulticastNetwork::messages_between(Position from, Position to) const {
  const auto found = sent_.find({from, to});
  return found == sent_.end() ? 0 : found->second;
}

}  // namespace wan
