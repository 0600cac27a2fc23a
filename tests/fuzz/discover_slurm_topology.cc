// SPDX-License-Identifier: BSD-3-Clause
// Fuzz target: any text is a topology.conf or topology.yaml in which every host has the switches of a tree
// above it, or a mistake in one of its lines, with a remedy.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>

#include "base/invariant.h"
#include "discover/slurm_topology.h"

namespace {

using wan::invariant;

void check_refusal(const wan::InputError& error, std::string_view text) {
  const auto lines = 1 + std::count(text.begin(), text.end(), '\n');
  invariant(error.line >= 1 && error.line <= lines, "a mistake stands in no line of the file");
  invariant(!error.remedy.empty(), "a mistake has no remedy");
}

void check_host(const wan::SlurmTopology& topology, std::string_view host, std::string_view text) {
  const auto above = topology.above(host);
  if (!above) return check_refusal(above.error(), text);
  if (!*above) return;
  invariant(!(*above)->empty(), "a host is known, and has nothing above it");
  for (const std::string& name : **above)
    invariant(!name.empty() && text.find(name) != text.npos, "a switch is not in the text");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto topology = wan::SlurmTopology::parse(text, "fuzz");
  if (!topology) {
    check_refusal(topology.error(), text);
    return 0;
  }
  for (const std::string_view host : {"", "a", "a1", "node03", "dev7.example.org", "n"})
    check_host(*topology, host, text);
  check_host(*topology, text.substr(0, std::min<std::size_t>(size, 64)), text);
  return 0;
}
