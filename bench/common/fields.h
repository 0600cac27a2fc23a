// SPDX-License-Identifier: BSD-3-Clause
// The fields of a line of CSV, read one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace wan::bench {

/// "a,b" as "a" and "b"; always one part at least.
std::vector<std::string_view> split(std::string_view text, char separator);

class Fields {
 public:
  /// A line that should have so many columns.
  Fields(std::string_view line, std::size_t columns);

  /// All that was read so far is what it should be.
  bool good() const { return good_; }
  std::string_view text() { return next_ < fields_.size() ? fields_[next_++] : ""; }
  std::int64_t number() { return number(text()); }
  /// Numbers with spaces between them.
  std::vector<std::int64_t> numbers();
  void skip(std::size_t columns) { next_ += columns; }
  /// What a name in a field has been found to mean.
  template <class T>
  T named(std::optional<T> found) {
    good_ &= found.has_value();
    return found.value_or(T{});
  }

 private:
  std::int64_t number(std::string_view text);

  std::vector<std::string_view> fields_;
  std::size_t next_ = 0;
  bool good_;
};

}  // namespace wan::bench
