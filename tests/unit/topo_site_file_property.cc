// SPDX-License-Identifier: BSD-3-Clause
// Topology files at random: what is written is read back, and a mutated file is read or refused with a place
// and a remedy, never worse. topo/site_file.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "topo/site_file.h"

namespace wan {
namespace {

struct Drawn {
  SiteIndex sites;
  std::vector<Link> links;  ///< sites x sites, row-major by sender
};

Link random_link() {
  return {*rc::gen::inRange<Nanoseconds>(0, 1'000'000'000),
          *rc::gen::inRange<BytesPerSecond>(1, 1'000'000'000), *rc::gen::inRange(0, 1'000'001)};
}

Drawn draw() {
  Drawn drawn{*rc::gen::inRange<SiteIndex>(1, 6), {}};
  for (SiteIndex pair = 0; pair < drawn.sites * drawn.sites; ++pair) drawn.links.push_back(random_link());
  return drawn;
}

std::string name(SiteIndex site) {
  return "s" + std::to_string(site);
}

std::string percent(int ppm) {
  const std::string digits = std::to_string(ppm % 10'000);
  return std::to_string(ppm / 10'000) + "." + std::string(4 - digits.size(), '0') + digits + " %";
}

std::string written(SiteIndex from, SiteIndex to, const Link& link) {
  return "[[link]]\nfrom = \"" + name(from) + "\"\nto = \"" + name(to) + "\"\nlatency = \"" +
         std::to_string(link.latency_ns) + " ns\"\nbandwidth = \"" +
         std::to_string(link.bandwidth_bytes_per_s) + " B/s\"\nloss = \"" + percent(link.loss_ppm) + "\"\n";
}

const Link& link_of(const Drawn& drawn, SiteIndex from, SiteIndex to) {
  return drawn.links[static_cast<std::size_t>(from * drawn.sites + to)];
}

std::string written(const Drawn& drawn) {
  std::string text;
  for (SiteIndex site = 0; site < drawn.sites; ++site)
    text += "[site." + name(site) + "]\nhosts = [\"" + name(site) + "-[1-9]\"]\n";
  for (SiteIndex from = 0; from < drawn.sites; ++from)
    for (SiteIndex to = 0; to < drawn.sites; ++to)
      if (from != to) text += written(from, to, link_of(drawn, from, to));
  return text;
}

RC_GTEST_PROP(SiteFileProperty, WhatIsWrittenIsReadBack, ()) {
  const Drawn drawn = draw();
  const auto file = SiteFile::parse(written(drawn), "f");
  RC_ASSERT(file.has_value());
  RC_ASSERT(static_cast<SiteIndex>(file->sites().size()) == drawn.sites);
  for (SiteIndex from = 0; from < drawn.sites; ++from) {
    RC_ASSERT(file->site_of(name(from) + "-7", {}) == from);
    RC_ASSERT(file->site_named(name(from)) == from);
    for (SiteIndex to = 0; to < drawn.sites; ++to)
      if (from != to) RC_ASSERT(file->link(from, to) == link_of(drawn, from, to));
  }
}

/// `text` with one place replaced: a byte, a cut, a repetition.
std::string mutated(std::string text) {
  const auto begin = *rc::gen::inRange<std::size_t>(0, text.size());
  const auto length = *rc::gen::inRange<std::size_t>(0, 12);
  const std::string part = text.substr(begin, length);
  const auto put =
      *rc::gen::oneOf(rc::gen::just(std::string()), rc::gen::just(part + part),
                      rc::gen::container<std::string>(rc::gen::arbitrary<char>()),
                      rc::gen::container<std::string>(rc::gen::elementOf(std::string("[]\"=.\n'{},-#9"))));
  return text.replace(begin, length, put);
}

RC_GTEST_PROP(SiteFileProperty, AMutatedFileIsReadOrRefusedWithPlaceAndRemedy, ()) {
  std::string text = written(draw());
  const auto mutations = *rc::gen::inRange(1, 5);
  for (int i = 0; i < mutations && !text.empty(); ++i) text = mutated(text);
  const auto file = SiteFile::parse(text, "f");
  if (file) {
    RC_ASSERT(!file->sites().empty());
    return;
  }
  const auto lines = 1 + std::ranges::count(text, '\n');
  RC_ASSERT(file.error().line >= 1 && file.error().line <= lines);
  RC_ASSERT(!file.error().remedy.empty());
}

}  // namespace
}  // namespace wan
