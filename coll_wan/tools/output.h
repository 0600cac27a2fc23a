// SPDX-License-Identifier: BSD-3-Clause
// Results that go into a file or, as "-", to standard output.
#pragma once

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include "tools/commands.h"
#include "tools/usage_error.h"

namespace wan::tools {

inline void add_output_option(CLI::App& command, std::string& output) {
  command.add_option("-o,--output", output, "Write into this file; -: to standard output")
      ->type_name("FILE")
      ->capture_default_str();
}

/// `option` stands in error messages.
inline void write_output(const std::string& path, const std::string& text,
                         const std::string& option = "--output") {
  if (path == "-") return fmt::print("{}", text);
  std::ofstream file(path);
  if (!(file << text << std::flush))
    refuse(option, path, std::string("cannot be written: ") + std::strerror(errno));
}

}  // namespace wan::tools
