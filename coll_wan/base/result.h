// SPDX-License-Identifier: BSD-3-Clause
// Bad user input is a value: where it stands, what it is and what would be right. Tested by
// tests/unit/base_result.cc.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace wan {

/// One mistake in a file, a parameter or an environment variable.
struct InputError {
  std::string file{};    ///< file name, or the name of the parameter or variable
  int line = 0;          ///< 1-based; 0 where there are no lines
  std::string key{};     ///< dotted key ("site.paris.uplink"); empty where there is none
  std::string value{};   ///< the offending text as the user wrote it
  std::string remedy{};  ///< one sentence that says what is wrong and what would be right

  /// "sites.toml:12: site.paris.uplink = "fast": expected a rate such as "10 Gbit/s""
  std::string message() const;
};

template <class T>
using Result = tl::expected<T, InputError>;

/// A mistake in a text whose place the caller knows and adds.
tl::unexpected<InputError> bad_value(std::string_view value, std::string_view remedy);

}  // namespace wan
