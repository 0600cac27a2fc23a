// SPDX-License-Identifier: BSD-3-Clause
// Keeps the Programs of the latest calls of a communicator: a program calls the same collectives again and
// again. Bounded: Programs and what tells them apart take up `capacity` bytes at most, or are one; the one
// that was not used for longest goes first. A running call holds its own reference. Threads: any. Tested by:
// tests/unit.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <variant>

#include "algo/neighbor.h"
#include "plan/call.h"
#include "plan/program.h"

namespace wan {

class PlanCache {
 public:
  explicit PlanCache(std::size_t capacity) : capacity_(capacity) {}

  /// The Program kept for `call`, a Call or a NeighborCall, or the one that make() returns, which is then
  /// kept.
  template <class AnyCall, class Make>
  std::shared_ptr<const Program> get(const AnyCall& call, Make make) {
    std::lock_guard lock(mutex_);
    if (!plans_.empty() && Equal()(call, plans_.front().call)) return plans_.front().program;
    const auto found = places_.find(call);
    if (found == places_.end()) return keep(call, std::make_shared<const Program>(make()));
    plans_.splice(plans_.begin(), plans_, found->second);
    return found->second->program;
  }

 private:
  using Key = std::variant<Call, NeighborCall>;
  using Reference = std::reference_wrapper<const Key>;
  struct Plan {
    Key call;
    std::shared_ptr<const Program> program;
    std::size_t bytes;
  };
  /// Of a key, or of what would be one.
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(const Call& call) const;
    std::size_t operator()(const NeighborCall& call) const;
    std::size_t operator()(Reference key) const { return std::visit(*this, key.get()); }
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(Reference a, Reference b) const { return a.get() == b.get(); }
    template <class AnyCall>
    bool operator()(const AnyCall& a, Reference b) const {
      const AnyCall* call = std::get_if<AnyCall>(&b.get());
      return call != nullptr && *call == a;
    }
    template <class AnyCall>
    bool operator()(Reference a, const AnyCall& b) const {
      return (*this)(b, a);
    }
  };
  using Plans = std::list<Plan>;

  std::shared_ptr<const Program> keep(Key call, std::shared_ptr<const Program> program);

  const std::size_t capacity_;
  std::mutex mutex_;
  std::size_t bytes_ = 0;
  Plans plans_;  ///< latest used first
  std::unordered_map<Reference, Plans::iterator, Hash, Equal> places_;
};

}  // namespace wan
