// SPDX-License-Identifier: BSD-3-Clause
// Fuzz target: any text is a topology file that keeps its invariants, or a mistake with a place and a remedy.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/invariant.h"
#include "topo/site_file.h"

namespace {

using wan::invariant;

void check_refusal(const wan::InputError& error, std::string_view text) {
  const auto lines = 1 + std::count(text.begin(), text.end(), '\n');
  invariant(error.line >= 1 && error.line <= lines, "a mistake stands in no line of the file");
  invariant(!error.remedy.empty(), "a mistake has no remedy");
  invariant(!error.message().empty(), "a mistake has no message");
}

void check_link(const wan::Link& link) {
  invariant(link.latency_ns >= 0, "a latency is negative");
  invariant(link.bandwidth_bytes_per_s > 0, "a bandwidth is not above zero");
  invariant(link.loss_ppm >= 0 && link.loss_ppm <= 1'000'000, "a loss is no share");
}

void check_site(const wan::SiteFile& file, wan::SiteIndex index) {
  const wan::Site& site = file.sites()[static_cast<std::size_t>(index)];
  invariant(!site.hosts.empty(), "a site has no hosts");
  invariant(file.site_named(site.name) == index, "a site is not found by its name");
  for (const wan::HostPattern& pattern : site.hosts) file.node_of(pattern.text(), {});
  for (wan::SiteIndex to = 0; to < static_cast<wan::SiteIndex>(file.sites().size()); ++to)
    if (to != index) check_link(file.link(index, to));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto file = wan::SiteFile::parse(text, "fuzz.toml");
  if (!file) {
    check_refusal(file.error(), text);
    return 0;
  }
  invariant(!file->sites().empty(), "a file has no site");
  check_link(file->default_link());
  for (wan::SiteIndex site = 0; site < static_cast<wan::SiteIndex>(file->sites().size()); ++site)
    check_site(*file, site);
  return 0;
}
