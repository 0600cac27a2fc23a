// SPDX-License-Identifier: BSD-3-Clause
// Texts for users from a file in the format of Open MPI's help files: "[topic]" begins a text, a line that
// begins with "#" is a comment. Open MPI reads such files up to 5.0; from 6.0 on it knows only the texts of
// its own source tree. Pure functions; no threads. Tested by tests/unit/process_help_text.cc.
#pragma once

#include <istream>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace wan {

/// The text of `topic`, in which the values stand for "%s" one after the other; nullopt if the file has none.
std::optional<std::string> help_text(std::istream& file, std::string_view topic,
                                     std::span<const std::string> values);

}  // namespace wan
