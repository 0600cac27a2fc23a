// SPDX-License-Identifier: BSD-3-Clause
// The latest few of many values. Plain data. Tested by: tests/unit/learn_link_estimate.cc.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace wan {

template <class Value, std::size_t kMost>
class Latest {
 public:
  void add(Value value) {
    values_[next_] = value;
    next_ = (next_ + 1) % kMost;
    size_ = std::min(size_ + 1, kMost);
  }
  void clear() { size_ = next_ = 0; }
  std::size_t size() const { return size_; }
  bool is_complete() const { return size_ == kMost; }
  /// Not of none.
  Value least() const { return *std::min_element(values_.begin(), end()); }
  Value highest() const { return *std::max_element(values_.begin(), end()); }
  /// The lower one of two.
  Value median() const {
    auto copy = *this;
    const auto middle = copy.values_.begin() + static_cast<std::ptrdiff_t>((size_ - 1) / 2);
    std::nth_element(copy.values_.begin(), middle, copy.values_.begin() + (end() - values_.begin()));
    return *middle;
  }

 private:
  auto end() const { return values_.begin() + static_cast<std::ptrdiff_t>(size_); }

  std::array<Value, kMost> values_{};
  std::size_t size_ = 0, next_ = 0;
};

}  // namespace wan
