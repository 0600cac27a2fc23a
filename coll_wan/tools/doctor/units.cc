// SPDX-License-Identifier: BSD-3-Clause
#include "tools/doctor/units.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>

namespace wan::tools::doctor {
namespace {

/// `value` in the greatest unit that leaves at least 1.
std::string scaled(double value, double step, std::span<const char* const> units) {
  while (units.size() > 1 && value >= step) {
    value /= step;
    units = units.subspan(1);
  }
  const int digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  std::string number = fmt::format("{:.{}f}", value, digits);
  if (number.find('.') != number.npos) {
    number.erase(number.find_last_not_of('0') + 1);
    if (number.back() == '.') number.pop_back();
  }
  return number + " " + units.front();
}

constexpr const char* kTimes[] = {"ns", "us", "ms", "s"};
constexpr const char* kRates[] = {"B/s", "kB/s", "MB/s", "GB/s"};
constexpr const char* kBytes[] = {"B", "KiB", "MiB", "GiB"};

}  // namespace

std::string list(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string time_text(Nanoseconds time) {
  return scaled(static_cast<double>(time), 1000, kTimes);
}
std::string rate_text(BytesPerSecond rate) {
  return scaled(static_cast<double>(rate), 1000, kRates);
}
std::string bytes_text(Bytes bytes) {
  return scaled(static_cast<double>(bytes), 1024, kBytes);
}

}  // namespace wan::tools::doctor
