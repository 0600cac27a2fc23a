// SPDX-License-Identifier: BSD-3-Clause
// Comparisons of peers: the same program for each of them, one after the other and that several times
// (passes), so that a slow minute of the machine hits all of them. What their users choose, and where the
// ranks are.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "bench/common/command.h"

namespace wan::bench {

/// What every comparison lets its user choose. Times are seconds.
struct PassOptions {
  std::vector<std::string> peers{};
  int passes = 2;
  int seconds = 600;    ///< at most for each peer and pass
  int local_ranks = 0;  ///< 0: over the sites of a topology file
  std::string output{};
  std::string build{}, presets{}, component{};
};
void define(CLI::App& app, PassOptions& options);
/// Directories that the user has not named: of this build tree.
void fill_in_directories(PassOptions& options);

/// Where the ranks are.
struct Place {
  std::string topology;  ///< path of the file
  std::string ranks;     ///< of each site, as wan-lab reads them; empty: as the file says
  LabProfiles lab = {};
};

/// The known peers of these names, or the first name that is wrong.
Result<std::vector<Peer>> peers_of(const PassOptions& options);

/// The words of the program that writes its rows to a file.
using Program = std::function<Words(const std::string& rows)>;
/// Takes what one peer's pass has left: `text` of `file`, empty if the program failed at once.
using Take =
    std::function<Result<void>(const std::string& peer, const std::string& text, const std::string& file)>;

/// Runs `program` for each peer in each pass; rows and log of each in files of the output directory, which it
/// makes; their names begin with `name`, or if that is empty with the peer's.
Result<void> run_passes(const PassOptions& options, const std::vector<Peer>& peers, const Place& place,
                        const std::string& name, const Program& program, const Take& take);

/// Runs `words` for at most `seconds`; the command and what it says goes to `base`.log. Returns how it
/// failed, or an empty text.
std::string run_logged(const Words& words, const std::string& base, int seconds);

/// "a,b,c".
std::string joined(const std::vector<std::string>& parts);

/// Says on standard error what is wrong; the exit status, 2.
int complain(const std::string& program, const InputError& error);

}  // namespace wan::bench
