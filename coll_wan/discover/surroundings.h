// SPDX-License-Identifier: BSD-3-Clause
// All that sources of sites may look at. The core reads no environment: who asks them hands it in, which in
// tests is a table.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "discover/subnet.h"
#include "topo/site_file.h"

namespace wan {

/// What the launcher tells of this process by PMIx.
struct LauncherFacts {
  std::string cluster = {};                       ///< empty: it tells none, as all known launchers
  std::optional<std::uint32_t> application = {};  ///< number of the program among those of an MPMD job
};

struct Surroundings {
  /// Value of an environment variable; empty: not set.
  std::function<std::string(const std::string& name)> variable = [](const std::string&) { return ""; };
  /// Text of a file; nullopt: there is none, or it cannot be read.
  std::function<std::optional<std::string>(const std::string& path)> text_of = [](const std::string&) {
    return std::optional<std::string>();
  };
  std::string host = {};
  std::vector<std::string> addresses = {};  ///< of the host; needed by `file` only
  std::string subnet = {};                  ///< own_subnet(); needed by `file` and `subnet` only
  std::string label = {};                   ///< coll_wan_site
  const SiteFile* file = nullptr;           ///< that of coll_wan_topology
  std::string topograph = {};               ///< coll_wan_topograph: a path
  LauncherFacts launcher = {};
};

}  // namespace wan
