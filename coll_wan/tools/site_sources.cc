// SPDX-License-Identifier: BSD-3-Clause
#include "tools/site_sources.h"

#include <fmt/format.h>

#include <algorithm>

#include "discover/collect.h"

namespace wan::tools {
namespace {

bool is_of_jobs_only(Source source) {
  return source == Source::pmix || source == Source::probe;
}

/// What it goes by is known on the host itself only.
bool is_local(Source source) {
  return source == Source::label || source == Source::kubernetes || source == Source::subnet;
}

bool can_tell_of(const AskedHost& host, Source source) {
  return !is_of_jobs_only(source) && (host.where == Whereabouts::here || !is_local(source));
}

/// Why a source that could tell of the host does not.
std::string reason(const AskedHost& host, const Ask& ask) {
  switch (ask.source) {
    case Source::label:
      return "no label: coll_wan_site is not set";
    case Source::file:
      return host.surroundings.file == nullptr ? "no topology file: coll_wan_topology is not set"
                                               : "no pattern of the topology file matches the host";
    case Source::kubernetes:
      return "neither KUBERNETES_REGION nor KUBERNETES_ZONE is set, and /etc/podinfo/labels names none";
    case Source::slurm:
      return ask.asked == Asked::by_name
                 ? "SLURM_CLUSTER_NAME and SLURM_TOPOLOGY_ADDR are not set, and no file of Slurm has the host"
                 : "SLURM_CLUSTER_NAME and SLURM_TOPOLOGY_ADDR are not set";
    case Source::topograph:
      return host.surroundings.topograph.empty() ? "no file: coll_wan_topograph is not set"
                                                 : "the host is below no switch of the file";
    case Source::subnet:
      return "the host has no address but loopback";
    case Source::pmix:
    case Source::probe:
      break;
  }
  return "";
}

std::string silence(const Question& question, const AskedHost& host, const Ask& ask) {
  if (ask.source == Source::pmix) return "only in a job: its launcher tells the processes";
  if (ask.source == Source::probe)
    return question.probe_is_off.empty() ? "only in a job: its hosts measure in MPI_Init"
                                         : "nothing is measured: " + question.probe_is_off;
  if (!can_tell_of(host, ask.source)) return "only a process on that host can say";
  return reason(host, ask);
}

Finding probed(const std::string& site) {
  return {Source::probe, Weight::settled, {site}, 1, "round trips that an earlier job has measured"};
}

Result<std::vector<Finding>> found_at(const Question& question, const AskedHost& host) {
  std::vector<Ask> asks = question.asks;
  std::erase_if(asks, [&](const Ask& ask) { return !can_tell_of(host, ask.source); });
  return collect(host.surroundings, asks).map([&](std::vector<Finding> found) {
    if (!host.probed.empty() && find(question.asks, Source::probe) != nullptr)
      found.push_back(probed(host.probed));
    return found;
  });
}

std::vector<Statement> statements_of(const Question& question, const AskedHost& host,
                                     const std::vector<Finding>& findings) {
  std::vector<Statement> statements;
  for (const Ask& ask : question.asks) {
    const auto found = std::ranges::find(findings, ask.source, &Finding::source);
    if (found != findings.end())
      statements.push_back({ask.source, *found});
    else
      statements.push_back({ask.source, std::nullopt, silence(question, host, ask)});
  }
  return statements;
}

bool has_hosts_elsewhere(const Question& question) {
  return std::ranges::any_of(question.hosts,
                             [](const AskedHost& host) { return host.where == Whereabouts::elsewhere; });
}

/// Whom a decision among these hosts may ask: where some are elsewhere, what each host knows of itself is not
/// known of all, though in a job it would be. Labels count for each process by itself.
std::vector<Ask> asks_that_decide(const Question& question) {
  std::vector<Ask> asks = question.asks;
  if (has_hosts_elsewhere(question))
    std::erase_if(asks, [](const Ask& ask) { return is_local(ask.source) && ask.source != Source::label; });
  return asks;
}

class Answer {
 public:
  Answer(const Question& question, std::vector<std::vector<Finding>> findings)
      : question_(question), findings_(std::move(findings)), asks_(asks_that_decide(question)) {
    for (const auto& each : findings_) said_.push_back(&each);
    sites_ = decide(said_, asks_);
  }

  SourcesReport report() const {
    SourcesReport report;
    for (std::size_t i = 0; i < question_.hosts.size(); ++i) report.hosts.push_back(report_of(i));
    for (const Ask& ask : question_.asks) report.outcomes.push_back({ask.source, outcome_of(ask)});
    for (const Contradiction& each : contradictions(said_, asks_))
      report.contradictions.push_back(fmt::format(
          "{}: {} says {}, and {} says {}; {} is believed", host(each.process), name_of(each.believed),
          each.site, name_of(each.other), each.other_site, name_of(each.believed)));
    for (std::string& each : doubts(said_, asks_, sites_)) report.contradictions.push_back(std::move(each));
    return report;
  }

 private:
  const std::string& host(std::size_t index) const { return question_.hosts[index].surroundings.host; }

  HostReport report_of(std::size_t index) const {
    HostReport report{host(index), statements_of(question_, question_.hosts[index], findings_[index]),
                      sites_.of[index]};
    const bool is_stated = report.located.source && says(*report.located.source, Weight::stated);
    if (question_.hosts.size() == 1 && !is_stated) report.among_others = among_others();
    return report;
  }

  bool says(Source source, Weight weight) const {
    return std::ranges::any_of(findings_, [&](const auto& findings) {
      return std::ranges::any_of(
          findings, [&](const Finding& each) { return each.source == source && each.weight == weight; });
    });
  }
  bool says_something(Source source) const {
    return std::ranges::any_of(findings_, [&](const auto& findings) {
      return std::ranges::find(findings, source, &Finding::source) != findings.end();
    });
  }

  /// By the first source that counts by something.
  std::optional<Statement> among_others() const {
    for (const Ask& ask : question_.asks) {
      const auto found = std::ranges::find(findings_.front(), ask.source, &Finding::source);
      if (found == findings_.front().end()) continue;
      Finding counting = *found;
      if (ask.asked == Asked::by_default) counting.names.resize(static_cast<std::size_t>(counting.proven));
      if (!counting.names.empty()) return Statement{ask.source, std::move(counting)};
    }
    return std::nullopt;
  }

  bool all_are_placed_before(Source source) const {
    const auto rank = [&](Source each) { return std::ranges::find(asks_, each, &Ask::source); };
    return std::ranges::all_of(
        sites_.of, [&](const Located& each) { return each.source && rank(*each.source) < rank(source); });
  }

  std::string outcome_of(const Ask& ask) const {
    std::string text;
    for (const Judgement& each : sites_.judgements)
      if (each.source == ask.source) text += (text.empty() ? "" : "; ") + text_of(each);
    if (!text.empty()) return text;
    if (is_local(ask.source) && has_hosts_elsewhere(question_))
      return "is not judged: only a job knows what it says of each of these hosts";
    if (!says_something(ask.source))
      return is_of_jobs_only(ask.source) ? "can be asked in a job only" : "says nothing";
    return all_are_placed_before(ask.source)
               ? "is not needed: sources before it place all"
               : "gives hints only, and does not count unless coll_wan_discover names it";
  }

  const Question& question_;
  std::vector<std::vector<Finding>> findings_;
  std::vector<Ask> asks_;
  std::vector<const std::vector<Finding>*> said_;
  Sites sites_;
};

}  // namespace

Result<SourcesReport> ask_sources(const Question& question) {
  std::vector<std::vector<Finding>> findings;
  for (const AskedHost& host : question.hosts) {
    auto found = found_at(question, host);
    if (!found) return tl::unexpected(found.error());
    findings.push_back(std::move(*found));
  }
  return Answer(question, std::move(findings)).report();
}

}  // namespace wan::tools
