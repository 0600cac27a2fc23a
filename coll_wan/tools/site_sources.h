// SPDX-License-Identifier: BSD-3-Clause
// What each source of sites (discover/) says of some hosts, whom a job with one process on each of them would
// believe, and why. Asked from outside a job, not every source can answer of every host. Pure but for the
// surroundings that it is handed. Tested by tests/unit/tools_site_sources.cc.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "discover/sites.h"
#include "discover/surroundings.h"

namespace wan::tools {

enum class Whereabouts : std::uint8_t { here, elsewhere };

struct AskedHost {
  Whereabouts where = Whereabouts::here;
  Surroundings surroundings;  ///< of a process here that asks for this host
  std::string probed = {};    ///< site by what earlier jobs measured; empty: none did
};

struct Question {
  std::vector<Ask> asks;
  std::vector<AskedHost> hosts;
  std::string probe_is_off = {};  ///< why no job would measure; empty: it would
};

/// What one source says of one host.
struct Statement {
  Source source;
  std::optional<wan::Finding> finding = {};
  std::string silence = {};  ///< why it says nothing
};

struct HostReport {
  std::string host;
  std::vector<Statement> statements;  ///< one a source, in the order in which they are asked
  Located located;
  /// Where hosts elsewhere would make the difference: what the site would be called, by the uppermost name
  /// that others do not share.
  std::optional<Statement> among_others = {};
};

/// What becomes of a source: "names the site of 2 of 2 processes".
struct Outcome {
  Source source;
  std::string text;
};

struct SourcesReport {
  std::vector<HostReport> hosts;
  std::vector<Outcome> outcomes;
  std::vector<std::string> contradictions;
};

/// The error is the mistake that would turn coll_wan off in a job.
Result<SourcesReport> ask_sources(const Question& question);

}  // namespace wan::tools
