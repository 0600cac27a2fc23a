// SPDX-License-Identifier: BSD-3-Clause
#include "bench/apps/app_passes.h"

namespace wan::bench {
namespace {

Words command_of(const PassOptions& options, const Rounds& rounds, const AppRun& run,
                 const std::string& rows) {
  Words words = run.words;
  words.front() = program_file(options, run);
  for (const std::string& word :
       {std::string("--repetitions"), std::to_string(rounds.repetitions), std::string("--warm-up"),
        std::to_string(rounds.warm_up), std::string("--output"), rows})
    words.push_back(word);
  return words;
}

}  // namespace

std::string program_file(const PassOptions& options, const AppRun& run) {
  return options.build + "/bench/apps/" + run.words.front();
}

Result<AppComparison> compare_app(const PassOptions& options, const Rounds& rounds,
                                  const std::vector<Peer>& peers, const Place& place, const std::string& name,
                                  const AppRun& run) {
  std::map<std::string, std::vector<Repetition>> repetitions;
  const auto program = [&](const std::string& rows) { return command_of(options, rounds, run, rows); };
  const auto take = [&](const std::string& peer, const std::string& text,
                        const std::string& file) -> Result<void> {
    const auto rows = parse_repetitions(text, file);
    if (!rows) return tl::unexpected(rows.error());
    for (const Repetition& row : *rows) repetitions[peer].push_back(row);
    return {};
  };
  if (auto done = run_passes(options, peers, place, name, program, take); !done)
    return tl::unexpected(done.error());
  AppComparison comparison;
  comparison.name = run.name;
  for (const auto& [peer, rows] : repetitions) comparison.add(peer, rows);
  return comparison;
}

}  // namespace wan::bench
