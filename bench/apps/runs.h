// SPDX-License-Identifier: BSD-3-Clause
// Which applications are run over which sites, and how large their problems are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/common/command.h"

namespace wan::bench {

/// One application with its problem.
struct AppRun {
  std::string name;
  Words words;  ///< program, as a file of bench/apps in the build tree, and its options
};

struct AppSetting {
  std::string_view name;
  std::string topology;  ///< path of the file
  std::vector<AppRun> runs;
};

/// The settings that have a name; their files lie in `directory` (mca_params). A run takes seconds.
std::vector<AppSetting> app_settings(const std::string& directory);

/// Small problems, for a check on one machine.
std::vector<AppRun> small_runs();

}  // namespace wan::bench
