// SPDX-License-Identifier: BSD-3-Clause
// One value for each directed pair of sites.
#pragma once

#include <algorithm>
#include <vector>

#include "base/types.h"

namespace wan {

template <class T>
class SiteMatrix {
 public:
  explicit SiteMatrix(SiteIndex sites)
      : sites_(sites), values_(static_cast<std::size_t>(sites) * static_cast<std::size_t>(sites)) {}

  SiteIndex sites() const { return sites_; }
  T& at(SiteIndex from, SiteIndex to) { return values_[index(from, to)]; }
  const T& at(SiteIndex from, SiteIndex to) const { return values_[index(from, to)]; }
  void fill(const T& value) { std::ranges::fill(values_, value); }

 private:
  std::size_t index(SiteIndex from, SiteIndex to) const {
    return static_cast<std::size_t>(from) * static_cast<std::size_t>(sites_) + static_cast<std::size_t>(to);
  }

  SiteIndex sites_;
  std::vector<T> values_;
};

}  // namespace wan
