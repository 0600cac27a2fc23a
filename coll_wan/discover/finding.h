// SPDX-License-Identifier: BSD-3-Clause
// What a source of sites says of one process. Plain data, published in the process's record
// (process/record.h).
#pragma once

#include <cstdint>
#include <string>

#include "discover/source.h"
#include "topo/layout.h"

namespace wan {

/// What the proven names of a finding prove about two processes.
enum class Weight : std::uint8_t {
  apart,    ///< processes with different names are at different sites; equal names prove nothing
  settled,  ///< and processes with equal names are at one site
  stated    ///< the name is that of the process's site, whatever the source says of others
};

struct Finding {
  Source source = Source::label;
  Weight weight = Weight::apart;
  Path names;            ///< of what the process lies in, widest first, such as {region, zone}; never empty
  int proven = 0;        ///< so many of the first names have the weight; the rest are hints
  std::string evidence;  ///< where they stand, such as "KUBERNETES_ZONE"
  friend bool operator==(const Finding&, const Finding&) = default;
};

}  // namespace wan
