// SPDX-License-Identifier: BSD-3-Clause
// Quantities as people write them: "20 ms", "1 Gbit/s", "12.5 MB/s", "64 KiB", "0.1 %". A number without sign
// and exponent, at most 18 digits, then the unit, with or without spaces. Rounded half up. An error carries
// only `value` and `remedy`; the caller adds file, line and key. Pure functions. Tested by
// tests/unit/topo_quantity.cc.
#pragma once

#include <string_view>

#include "base/result.h"
#include "base/types.h"

namespace wan {

/// ns, us, ms, s; result in whole nanoseconds, 0 to one hour.
Result<Nanoseconds> parse_duration(std::string_view text);
/// bit/s, kbit/s, Mbit/s, Gbit/s, Tbit/s, B/s, kB/s, MB/s, GB/s (powers of 1000); 1 B/s to 8000 Tbit/s.
Result<BytesPerSecond> parse_rate(std::string_view text);
/// B, kB, MB, GB (powers of 1000), KiB, MiB, GiB (powers of 1024), or a bare number of bytes; 0 to 10^18.
Result<Bytes> parse_bytes(std::string_view text);
/// "0.1 %" to parts per million, 0 to 1,000,000.
Result<int> parse_percent_ppm(std::string_view text);

}  // namespace wan
