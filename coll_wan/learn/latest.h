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
  Value least() const { return at(0); }
  /// Of two or more.
  Value second_highest() const { return at(size_ - 2); }
  /// The lower one of two.
  Value median() const { return at((size_ - 1) / 2); }

 private:
  /// In ascending order.
  Value at(std::size_t place) const {
    auto values = values_;
    const auto begin = values.begin(), wanted = begin + static_cast<std::ptrdiff_t>(place);
    std::nth_element(begin, wanted, begin + static_cast<std::ptrdiff_t>(size_));
    return *wanted;
  }

  std::array<Value, kMost> values_{};
  std::size_t size_ = 0, next_ = 0;
};

}  // namespace wan
