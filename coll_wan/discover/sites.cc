// SPDX-License-Identifier: BSD-3-Clause
#include "discover/sites.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace wan {
namespace {

/// The one site of those of whom nobody says where they are.
constexpr const char* kUnnamedSite = "everywhere";

const Finding* finding_of(const std::vector<Finding>& findings, Source source) {
  const auto found = std::ranges::find(findings, source, &Finding::source);
  return found == findings.end() ? nullptr : &*found;
}

/// The first names that may be gone by: all that everybody has, or those that prove something.
std::size_t names_to_go_by(std::span<const Finding* const> findings, Asked asked) {
  std::size_t number = findings.front()->names.size();
  for (const Finding* finding : findings) {
    number = std::min(number, finding->names.size());
    if (asked == Asked::by_default) number = std::min(number, static_cast<std::size_t>(finding->proven));
  }
  return number;
}

/// The uppermost of the first `names` that is not the same for all; nullopt: all are.
std::optional<std::size_t> level_that_differs(std::span<const Finding* const> findings, std::size_t names) {
  for (std::size_t level = 0; level < names; ++level)
    for (const Finding* finding : findings)
      if (finding->names[level] != findings.front()->names[level]) return level;
  return std::nullopt;
}

bool all_are_settled(std::span<const Finding* const> findings) {
  return std::ranges::all_of(findings, [](const auto* each) { return each->weight == Weight::settled; });
}

/// Do the first names of all findings name things of one kind, so that they can be compared? One that knows
/// no region begins with the zone, one that knows no cluster with a hint.
bool are_of_one_kind(std::span<const Finding* const> findings) {
  const Finding& first = *findings.front();
  return std::ranges::all_of(findings, [&first](const Finding* each) {
    const bool has_as_many = first.weight != Weight::settled || each->proven == first.proven;
    return each->weight == first.weight && has_as_many && (each->proven == 0) == (first.proven == 0);
  });
}

class Decision {
 public:
  explicit Decision(Said said) : said_(said) {
    sites_.of.assign(said.size(), {kUnnamedSite, std::nullopt});
    for (std::size_t process = 0; process < said.size(); ++process)
      if (said[process] != nullptr) left_.push_back(process);
  }
  void ask(const Ask& ask) {
    place_stated(ask.source);
    if (!left_.empty()) place_all(ask);
  }
  Sites finish() && { return std::move(sites_); }

 private:
  void place(std::size_t process, const std::string& site, Source source) {
    sites_.of[process] = {site, source};
  }
  void place_stated(Source source);
  void place_all(const Ask& ask);
  /// Of those that are left.
  std::vector<const Finding*> findings_of(Source source) const;
  void judge(const Finding& sample, Outcome outcome, std::size_t places, std::size_t left) {
    sites_.judgements.push_back(
        {sample.source, outcome, static_cast<int>(places), static_cast<int>(left), sample.evidence});
  }

  Said said_;
  Sites sites_;
  std::vector<std::size_t> left_;  ///< processes that are to be placed
};

std::vector<const Finding*> Decision::findings_of(Source source) const {
  std::vector<const Finding*> findings;
  for (const std::size_t process : left_)
    if (const Finding* finding = finding_of(*said_[process], source)) findings.push_back(finding);
  return findings;
}

void Decision::place_stated(Source source) {
  std::vector<std::size_t> still_left;
  const Finding* sample = nullptr;
  for (const std::size_t process : left_) {
    const Finding* finding = finding_of(*said_[process], source);
    if (finding == nullptr || finding->weight != Weight::stated) {
      still_left.push_back(process);
      continue;
    }
    place(process, finding->names.front(), source);
    sample = finding;
  }
  if (sample != nullptr) judge(*sample, Outcome::stated, left_.size() - still_left.size(), left_.size());
  left_ = std::move(still_left);
}

void Decision::place_all(const Ask& ask) {
  const std::vector<const Finding*> findings = findings_of(ask.source);
  if (findings.empty()) return;
  const auto judge_all = [&](Outcome outcome) {
    judge(*findings.front(), outcome, findings.size(), left_.size());
  };
  if (findings.size() < left_.size()) return judge_all(Outcome::incomplete);
  if (!are_of_one_kind(findings)) return judge_all(Outcome::of_different_kinds);
  const std::size_t names = names_to_go_by(findings, ask.asked);
  const auto level = level_that_differs(findings, names);
  if (!level && names < names_to_go_by(findings, Asked::by_name) &&
      level_that_differs(findings, names_to_go_by(findings, Asked::by_name)))
    return judge_all(Outcome::hints);
  const bool is_believed = ask.asked == Asked::by_name || (names > 0 && all_are_settled(findings));
  if (!level && !is_believed) {
    if (names > 0) judge_all(Outcome::proves_nothing);  // hints that are equal are not worth a word
    return;
  }
  const std::size_t at = level.value_or(std::max<std::size_t>(names, 1) - 1);
  for (std::size_t i = 0; i < left_.size(); ++i) place(left_[i], findings[i]->names[at], ask.source);
  judge_all(level ? Outcome::tells_apart : Outcome::one_site);
  left_.clear();
}

/// The names that prove something, as one text.
std::string proven_text(const Finding& finding) {
  std::string text;
  for (int i = 0; i < finding.proven; ++i)
    text += (i == 0 ? "" : "/") + finding.names[static_cast<std::size_t>(i)];
  return text;
}

/// What one source proves, held against what was decided.
class Doubt {
 public:
  void look_at(const Finding& finding, const std::string& site) {
    const std::string name = proven_text(finding);
    const auto [named, first_of_site] = name_of_site_.try_emplace(site, name);
    if (!first_of_site && named->second != name) several(finding, site, named->second, name);
    if (finding.weight == Weight::apart) return;
    const auto [placed, first_of_name] = site_of_name_.try_emplace(name, site);
    if (!first_of_name && placed->second != site) one(finding, name, placed->second, site);
  }
  const std::string& text() const { return text_; }

 private:
  void several(const Finding& finding, const std::string& site, const std::string& a, const std::string& b) {
    if (text_.empty())
      text_ = std::string(name_of(finding.source)) + " knows several places in site " + site + ": " + a +
              ", " + b;
  }
  void one(const Finding& finding, const std::string& name, const std::string& a, const std::string& b) {
    if (text_.empty())
      text_ = std::string(name_of(finding.source)) + " knows one place, " + name + ", in two sites: " + a +
              ", " + b;
  }

  std::map<std::string, std::string> name_of_site_, site_of_name_;
  std::string text_;
};

}  // namespace

Sites decide(Said said, std::span<const Ask> asks) {
  Decision decision(said);
  for (const Ask& ask : asks) decision.ask(ask);
  return std::move(decision).finish();
}

std::size_t number_of(const Sites& sites) {
  std::set<std::string_view> names;
  for (const Located& placement : sites.of) names.insert(placement.site);
  return names.size();
}

std::string text_of(const Judgement& judgement) {
  const std::string of =
      std::to_string(judgement.places) + " of " + std::to_string(judgement.left) + " processes";
  switch (judgement.outcome) {
    case Outcome::stated:
      return "names the site of " + of;
    case Outcome::tells_apart:
      return "places " + of + " at different sites";
    case Outcome::one_site:
      return "places " + of + " at one site";
    case Outcome::incomplete:
      return "knows " + of + ", and does not count because it does not know all";
    case Outcome::of_different_kinds:
      return "names different kinds of places for " + of + ", and does not count";
    case Outcome::hints:
      return "gives hints only, and does not count unless coll_wan_discover names it";
    case Outcome::proves_nothing:
      return "says the same of all processes, which proves nothing";
  }
  return "";
}

std::string explain(const Sites& sites) {
  std::string text;
  for (const Judgement& judgement : sites.judgements)
    text += (text.empty() ? "" : "; ") + std::string(name_of(judgement.source)) + " (" + judgement.evidence +
            ") " + text_of(judgement);
  return text.empty() ? "no source of sites says anything" : text;
}

std::vector<Contradiction> contradictions(Said said, std::span<const Ask> asks) {
  std::vector<Contradiction> found;
  for (std::size_t process = 0; process < said.size(); ++process) {
    const Finding* believed = nullptr;
    if (said[process] == nullptr) continue;
    for (const Ask& ask : asks) {
      const Finding* finding = finding_of(*said[process], ask.source);
      if (finding == nullptr || finding->weight != Weight::stated) continue;
      if (believed == nullptr)
        believed = finding;
      else if (finding->source != Source::subnet && finding->names.front() != believed->names.front())
        found.push_back(
            {process, believed->source, finding->source, believed->names.front(), finding->names.front()});
    }
  }
  return found;
}

std::vector<std::string> doubts(Said said, std::span<const Ask> asks, const Sites& sites) {
  std::vector<std::string> texts;
  for (const Ask& ask : asks) {
    Doubt doubt;
    for (std::size_t process = 0; process < said.size(); ++process) {
      const Located& placement = sites.of[process];
      const Finding* finding = said[process] == nullptr ? nullptr : finding_of(*said[process], ask.source);
      if (finding != nullptr && finding->proven > 0 && finding->weight != Weight::stated &&
          placement.source && placement.source != ask.source)
        doubt.look_at(*finding, placement.site);
    }
    if (!doubt.text().empty()) texts.push_back(doubt.text());
  }
  return texts;
}

}  // namespace wan
