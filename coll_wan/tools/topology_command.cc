// SPDX-License-Identifier: BSD-3-Clause
// wanctl topology: about topology files (topo/site_file.h). Tested by tests/wanctl/topology_test.sh.
#include <fmt/format.h>

#include <memory>

#include "tools/commands.h"
#include "tools/usage_error.h"
#include "topo/site_file.h"

namespace wan::tools {
namespace {

struct Options {
  std::string file;
  bool json = false;
};

Status check(const Options& options) {
  const SiteFile file = value_of(SiteFile::load(options.file));
  fmt::print("{}: {} sites\n", options.file, file.sites().size());
  return Status::fine;
}

}  // namespace

void add_topology(Commands& commands) {
  CLI::App& group = commands.add_group({"topology", "Checks, shows and converts topology files"});
  const auto options = std::make_shared<Options>();
  CLI::App& command = commands.add(
      {"check", "Says what is wrong with a topology file, and what is suspicious"},
      [options] { return check(*options); }, &group);
  command.add_option("file", options->file, "Topology file")->required()->type_name("FILE");
}

}  // namespace wan::tools
