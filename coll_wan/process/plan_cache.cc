// SPDX-License-Identifier: BSD-3-Clause
#include "process/plan_cache.h"

namespace wan {

namespace {

class Hasher {
 public:
  void add(std::int64_t value) {
    hash_ = (hash_ ^ static_cast<std::uint64_t>(value)) * 0x9E3779B97F4A7C15u + (hash_ >> 32);
  }
  void add(const std::vector<Count>& values) {
    add(std::ssize(values));
    for (const Count value : values) add(value);
  }
  void add(const Range& range) {
    add(static_cast<std::int64_t>(range.buffer));
    add(range.offset);
    add(range.length);
  }
  void add(const std::vector<Edge>& edges) {
    add(std::ssize(edges));
    for (const Edge& edge : edges) {
      add(edge.peer);
      add(edge.data);
      add(edge.sends);
      add(edge.load);
    }
  }
  std::size_t result() const { return static_cast<std::size_t>(hash_ ^ hash_ >> 29); }

 private:
  std::uint64_t hash_ = 0;
};

std::size_t bytes_of(const std::vector<Count>& counts) {
  return counts.capacity() * sizeof(Count);
}

std::size_t bytes_of(const Call& call) {
  std::size_t bytes =
      sizeof(Call) + bytes_of(call.send_counts) + bytes_of(call.receive_counts) + bytes_of(call.loads);
  for (const auto& member : call.members)
    bytes += sizeof(MemberCounts) + (member->sends.size() + member->receives.size()) * sizeof(BlockLength);
  return bytes;
}

std::size_t bytes_of(const NeighborCall& call) {
  const std::size_t edges = call.edges.sources.capacity() + call.edges.destinations.capacity();
  std::size_t bytes =
      sizeof(NeighborCall) + edges * sizeof(Edge) + call.bundled.capacity() * sizeof(std::vector<Count>);
  for (const std::vector<Count>& lengths : call.bundled) bytes += bytes_of(lengths);
  return bytes;
}

}  // namespace

std::size_t PlanCache::Hash::operator()(const NeighborCall& call) const {
  Hasher hasher;
  hasher.add((call.traits.gathers ? 2 : 0) + (call.traits.vector ? 1 : 0));
  hasher.add(call.lengths.input);
  hasher.add(call.lengths.output);
  hasher.add(call.edges.sources);
  hasher.add(call.edges.destinations);
  for (const std::vector<Count>& lengths : call.bundled) hasher.add(lengths);
  return hasher.result();
}

std::size_t PlanCache::Hash::operator()(const Call& call) const {
  Hasher hasher;
  hasher.add(static_cast<std::int64_t>(call.collective) << 8 |
             static_cast<std::int64_t>(call.placement) << 4 | static_cast<std::int64_t>(call.order));
  hasher.add(call.root);
  hasher.add(call.block);
  hasher.add(call.unit_bytes);
  hasher.add(call.split);
  hasher.add(call.back);
  hasher.add(call.send_counts);
  hasher.add(call.receive_counts);
  hasher.add(call.loads);
  for (const auto& member : call.members) hasher.add(reinterpret_cast<std::intptr_t>(member.get()));
  return hasher.result();
}

std::shared_ptr<const Plan> PlanCache::keep(Key key, std::shared_ptr<const Plan> program) {
  const std::lock_guard lock(mutex_);
  const auto found = places_.find(std::cref(key));
  if (found != places_.end()) return found->second->program;
  forget_what_is_over();
  const std::size_t bytes =
      std::visit([](const auto& call) { return bytes_of(call); }, key.call) + program->footprint();
  plans_.push_front({std::move(key), program, bytes});
  places_.emplace(plans_.front().key, plans_.begin());
  bytes_ += bytes;
  forget_what_is_too_much();
  return program;
}

void PlanCache::set_capacity(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  capacity_ = bytes;
  forget_what_is_too_much();
}

void PlanCache::forget_what_is_too_much() {
  while (bytes_ > capacity_ && plans_.size() > 1) forget(std::prev(plans_.end()));
}

void PlanCache::forget_what_is_over() {
  for (auto plan = plans_.begin(); plan != plans_.end();)
    if (const auto it = plan++; it->key.epoch.is_over()) forget(it);
}

void PlanCache::forget(Plans::iterator plan) {
  bytes_ -= plan->bytes;
  places_.erase(plan->key);
  plans_.erase(plan);
}

PlanCache& plan_cache() {
  static PlanCache instance(0);
  return instance;
}

}  // namespace wan
