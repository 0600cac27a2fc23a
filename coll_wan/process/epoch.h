// SPDX-License-Identifier: BSD-3-Clause
// A set of facts that plans are made from: what is believed of some processes and what lies between them.
// When something else is believed, a new epoch begins; plans made in an earlier one are found no more, and
// forgotten when nobody holds it any more (process/plan_cache.h). Threads: any.
#pragma once

#include <memory>

namespace wan {

/// Equal to its copies only.
class Epoch {
 public:
  Epoch() : token_(std::make_shared<char>()) {}
  friend bool operator==(const Epoch&, const Epoch&) = default;

 private:
  friend class EpochWatch;
  const void* address() const { return token_.get(); }
  std::shared_ptr<const char> token_;
};

/// Knows an epoch from others, but does not hold it.
class EpochWatch {
 public:
  explicit EpochWatch(const Epoch& epoch) : token_(epoch.token_), address_(epoch.address()) {}
  bool is_over() const { return token_.expired(); }
  std::size_t hash() const { return std::hash<const void*>()(address_); }
  bool is(const Epoch& epoch) const { return address_ == epoch.address(); }
  friend bool operator==(const EpochWatch& a, const EpochWatch& b) { return a.address_ == b.address_; }
  static std::size_t hash_of(const Epoch& epoch) { return std::hash<const void*>()(epoch.address()); }

 private:
  std::weak_ptr<const char> token_;  ///< as long as it is watched, no other token has its address
  const void* address_;
};

}  // namespace wan
