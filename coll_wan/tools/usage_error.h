// SPDX-License-Identifier: BSD-3-Clause
// How a command-line program ends on bad user input: the message is printed, the exit status is 2.
#pragma once

#include <stdexcept>
#include <utility>

#include "base/result.h"

namespace wan::tools {

class UsageError : public std::runtime_error {
 public:
  explicit UsageError(const InputError& error) : std::runtime_error(error.message()) {}
};

/// What a parser found, or a UsageError.
template <class T>
T value_of(Result<T> result) {
  if (!result) throw UsageError(result.error());
  return std::move(*result);
}

/// The value of an option is wrong.
[[noreturn]] inline void refuse(std::string option, std::string value, std::string remedy) {
  throw UsageError(InputError{std::move(option), 0, {}, std::move(value), std::move(remedy)});
}

}  // namespace wan::tools
