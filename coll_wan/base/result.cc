// SPDX-License-Identifier: BSD-3-Clause
#include "base/result.h"

namespace wan {

std::string InputError::message() const {
  std::string text = file;
  if (line > 0) text += ":" + std::to_string(line);
  if (!key.empty()) text += ": " + key;
  if (!value.empty()) text += (key.empty() ? ": \"" : " = \"") + value + "\"";
  return text + ": " + remedy;
}

}  // namespace wan
