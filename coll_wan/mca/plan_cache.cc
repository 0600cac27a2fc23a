// SPDX-License-Identifier: BSD-3-Clause
#include "mca/plan_cache.h"

namespace wan {

namespace {

class Hasher {
 public:
  void add(std::int64_t value) { hash_ = (hash_ ^ static_cast<std::uint64_t>(value)) * 0x9E3779B97F4A7C15u + (hash_ >> 32); }
  void add(const std::vector<Count>& values) {
    add(std::ssize(values));
    for (const Count value : values) add(value);
  }
  std::size_t result() const { return static_cast<std::size_t>(hash_ ^ hash_ >> 29); }

 private:
  std::uint64_t hash_ = 0;
};

std::size_t bytes_of(const std::vector<Count>& counts) { return counts.capacity() * sizeof(Count); }

std::size_t bytes_of(const Call& call) {
  std::size_t bytes = sizeof(Call) + bytes_of(call.send_counts) + bytes_of(call.receive_counts) + bytes_of(call.loads);
  for (const MemberCounts& member : call.members)
    bytes += sizeof(MemberCounts) + bytes_of(member.send_counts) + bytes_of(member.receive_counts);
  return bytes;
}

}  // namespace

std::size_t PlanCache::Hash::operator()(const Call& call) const {
  Hasher hasher;
  hasher.add(static_cast<std::int64_t>(call.collective) << 8 | static_cast<std::int64_t>(call.placement) << 4 |
             static_cast<std::int64_t>(call.order));
  hasher.add(call.root);
  hasher.add(call.block);
  hasher.add(call.unit_bytes);
  hasher.add(call.split);
  hasher.add(call.back);
  hasher.add(call.send_counts);
  hasher.add(call.receive_counts);
  hasher.add(call.loads);
  for (const MemberCounts& member : call.members) {
    hasher.add(member.rank);
    hasher.add(member.send_counts);
    hasher.add(member.receive_counts);
  }
  return hasher.result();
}

std::shared_ptr<const Program> PlanCache::keep(const Call& call, std::shared_ptr<const Program> program) {
  plans_.push_front({call, program, bytes_of(call) + program->footprint()});
  places_.emplace(plans_.front().call, plans_.begin());
  bytes_ += plans_.front().bytes;
  while (bytes_ > capacity_ && plans_.size() > 1) {
    bytes_ -= plans_.back().bytes;
    places_.erase(plans_.back().call);
    plans_.pop_back();
  }
  return program;
}

}  // namespace wan
