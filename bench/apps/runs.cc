// SPDX-License-Identifier: BSD-3-Clause
#include "bench/apps/runs.h"

namespace wan::bench {
namespace {

AppRun asp(int nodes) {
  return {"asp", {"asp", "--nodes", std::to_string(nodes)}};
}

AppRun qr(int rows, int columns) {
  return {"qr", {"qr", "--rows", std::to_string(rows), "--columns", std::to_string(columns)}};
}

AppRun cg(int points) {
  return {"cg", {"cg", "--points", std::to_string(points)}};
}

AppRun training(int mebibytes, int steps) {
  return {"training-" + std::to_string(mebibytes),
          {"training", "--mebibytes", std::to_string(mebibytes), "--steps", std::to_string(steps)}};
}

}  // namespace

std::vector<AppSetting> app_settings(const std::string& directory) {
  return {{"uniform",
           directory + "/uniform-4x4.toml",
           {asp(400), qr(2000, 64), cg(32), training(4, 3), training(64, 1)}},
          {"magpie", directory + "/magpie-8x5.toml", {asp(400), qr(2000, 32), cg(24), training(4, 1)}},
          {"unequal", directory + "/unequal-5.toml", {asp(400), qr(1000, 16), cg(16), training(4, 2)}}};
}

std::vector<AppRun> small_runs() {
  return {asp(60), qr(120, 24), cg(16), training(1, 2)};
}

}  // namespace wan::bench
