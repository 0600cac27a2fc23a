// SPDX-License-Identifier: BSD-3-Clause
// Keeps the Programs of the latest calls of a process: a program calls the same collectives again and again.
// What a Program follows from, beside its call, has an epoch (process/topologies.h), so that communicators
// with the same processes share it; when the epoch is over it is forgotten. Bounded: Programs and what tells
// them apart take up `capacity` bytes at most, or are one; the one that was not used for longest goes first.
// A running call holds its own reference. Threads: any; while one makes a Program the others find theirs.
// Tested by: tests/unit.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <variant>

#include "algo/collectives/neighbor.h"
#include "plan/call.h"
#include "plan/program.h"
#include "process/epoch.h"
#include "process/plan_record.h"

namespace wan {

class PlanCache {
 public:
  explicit PlanCache(std::size_t capacity) : capacity_(capacity) {}

  /// The plan kept for `call`, a Call or a NeighborCall, or the Program or Plan that make() returns, which is
  /// then kept. epoch: of everything else that make() takes into account.
  template <class AnyCall, class Make>
  std::shared_ptr<const Plan> get(const Epoch& epoch, const AnyCall& call, Make make) {
    const Wanted<AnyCall> wanted{epoch, call};
    if (auto program = find(wanted)) return program;
    return keep({EpochWatch(epoch), call}, std::make_shared<const Plan>(make()));
  }
  /// From now on.
  void set_capacity(std::size_t bytes);

 private:
  struct Key {
    EpochWatch epoch;
    std::variant<Call, NeighborCall> call;
    friend bool operator==(const Key&, const Key&) = default;
  };
  /// What would be a Key.
  template <class AnyCall>
  struct Wanted {
    const Epoch& epoch;
    const AnyCall& call;
  };
  using Reference = std::reference_wrapper<const Key>;
  struct Kept {
    Key key;
    std::shared_ptr<const Plan> program;
    std::size_t bytes;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(const Call& call) const;
    std::size_t operator()(const NeighborCall& call) const;
    template <class AnyCall>
    std::size_t operator()(const Wanted<AnyCall>& wanted) const {
      return (*this)(wanted.call) + EpochWatch::hash_of(wanted.epoch);
    }
    std::size_t operator()(Reference key) const {
      return std::visit(*this, key.get().call) + key.get().epoch.hash();
    }
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(Reference a, Reference b) const { return a.get() == b.get(); }
    template <class AnyCall>
    bool operator()(const Wanted<AnyCall>& a, Reference b) const {
      const AnyCall* call = std::get_if<AnyCall>(&b.get().call);
      return b.get().epoch.is(a.epoch) && call != nullptr && *call == a.call;
    }
    template <class AnyCall>
    bool operator()(Reference a, const Wanted<AnyCall>& b) const {
      return (*this)(b, a);
    }
  };
  using Plans = std::list<Kept>;

  template <class AnyKey>
  std::shared_ptr<const Plan> find(const AnyKey& key) {
    const std::lock_guard lock(mutex_);
    if (!plans_.empty() && Equal()(key, plans_.front().key)) return plans_.front().program;
    const auto found = places_.find(key);
    if (found == places_.end()) return nullptr;
    plans_.splice(plans_.begin(), plans_, found->second);
    return found->second->program;
  }
  /// The one to be used: another thread may have been faster.
  std::shared_ptr<const Plan> keep(Key key, std::shared_ptr<const Plan> program);
  void forget(Plans::iterator plan);
  /// Plans of epochs that are over.
  void forget_what_is_over();
  void forget_what_is_too_much();

  std::size_t capacity_;
  std::mutex mutex_;
  std::size_t bytes_ = 0;
  Plans plans_;  ///< latest used first
  std::unordered_map<Reference, Plans::iterator, Hash, Equal> places_;
};

/// The one of this process.
PlanCache& plan_cache();

}  // namespace wan
