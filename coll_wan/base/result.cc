// SPDX-License-Identifier: BSD-3-Clause
// The one form in which a mistake of the user is told. Tested by tests/unit/base_result.cc.
#include "base/result.h"

namespace wan {

std::string InputError::message() const {
  std::string text = file;
  if (line > 0) text += ":" + std::to_string(line);
  if (!key.empty()) text += ": " + key;
  if (!value.empty()) text += (key.empty() ? ": \"" : " = \"") + value + "\"";
  return text + ": " + remedy;
}

tl::unexpected<InputError> bad_value(std::string_view value, std::string_view remedy) {
  return tl::make_unexpected(InputError{.value = std::string(value), .remedy = std::string(remedy)});
}

}  // namespace wan
