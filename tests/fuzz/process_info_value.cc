// SPDX-License-Identifier: BSD-3-Clause
// Fuzz target: any text is an info value that is written the same way again, or none, and then it really is
// none.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/invariant.h"
#include "process/info_value.h"

namespace {

using wan::invariant;

bool has_only_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

std::string_view without_leading_zeros(std::string_view digits) {
  const auto first = digits.find_first_not_of('0');
  return first == digits.npos ? "0" : digits.substr(first);
}

void check_load(std::string_view text) {
  const std::string_view largest = "9223372036854775807";
  const auto load = wan::load_named(text);
  const bool is_minus_zero = text.starts_with('-') && without_leading_zeros(text.substr(1)) == "0";
  if (!has_only_digits(text)) return invariant(!load || is_minus_zero, "a load is no number");
  const std::string_view digits = without_leading_zeros(text);
  const bool fits = digits.size() < largest.size() || (digits.size() == largest.size() && digits <= largest);
  invariant(load.has_value() == fits, "a load is taken that does not fit, or refused though it does");
  if (load) invariant(std::to_string(*load) == digits, "a load is another number");
}

void check_truth(std::string_view text) {
  const auto truth = wan::truth_named(text);
  invariant(truth == true ? text == "true" || text == "1" : true, "something else is true");
  invariant(truth == false ? text == "false" || text == "0" : true, "something else is false");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_load(text);
  check_truth(text);
  return 0;
}
