// SPDX-License-Identifier: BSD-3-Clause
#include "tools/completion.h"

#include <algorithm>

namespace wan::tools {
namespace {

/// Where on the command line one is.
class CursorPlace {
 public:
  explicit CursorPlace(const Commands& commands) : commands_(commands), app_(&commands.program()) {}

  void pass(const std::string& word) {
    if (is_forwarded_ || word == "=") return;
    if (pending_) {
      pending_ = nullptr;
    } else if (word.starts_with("-")) {
      const CLI::Option* option = option_named(word.substr(0, word.find('=')));
      if (option && option->get_items_expected_max() > 0 && word.find('=') == word.npos) pending_ = option;
    } else if (const CLI::App* next = subcommand_named(word)) {
      app_ = next;
      is_forwarded_ = commands_.is_forward(*app_);
    } else {
      ++positionals_;
    }
  }

  std::vector<std::string> candidates(const std::string& typed) const {
    if (is_forwarded_) return {kFiles};
    if (pending_) return values_of(*pending_);
    std::vector<std::string> all;
    if (typed.starts_with("-")) {
      for (const CLI::Option* option : options_of(*app_))
        for (const std::string& name : option->get_lnames()) all.push_back("--" + name);
      return all;
    }
    if (positionals_ == 0)
      for (const CLI::App* each : subcommands_of(*app_)) all.push_back(each->get_name());
    if (const CLI::Option* positional = next_positional()) return values_of(*positional);
    return all;
  }

 private:
  const CLI::App* subcommand_named(const std::string& word) const {
    for (const CLI::App* each : subcommands_of(*app_))
      if (each->get_name() == word) return each;
    return nullptr;
  }

  const CLI::Option* option_named(const std::string& word) const {
    for (const CLI::Option* option : options_of(*app_)) {
      const auto has = [&](const std::vector<std::string>& names, const char* dashes) {
        return std::ranges::any_of(names, [&](const std::string& name) { return dashes + name == word; });
      };
      if (has(option->get_lnames(), "--") || has(option->get_snames(), "-")) return option;
    }
    return nullptr;
  }

  const CLI::Option* next_positional() const {
    int passed = positionals_;
    for (const CLI::Option* option : options_of(*app_))
      if (option->get_positional() && (passed -= option->get_items_expected_max()) < 0) return option;
    return nullptr;
  }

  std::vector<std::string> values_of(const CLI::Option& option) const {
    if (option.get_type_name() == "FILE") return {kFiles};
    return commands_.words_of(&option);
  }

  const Commands& commands_;
  const CLI::App* app_;
  const CLI::Option* pending_ = nullptr;
  int positionals_ = 0;
  bool is_forwarded_ = false;
};

}  // namespace

std::vector<std::string> completions_of(const Commands& commands, const std::vector<std::string>& words) {
  CursorPlace place(commands);
  const std::string typed = words.empty() ? "" : words.back();
  for (std::size_t i = 0; i + 1 < words.size(); ++i) place.pass(words[i]);
  auto candidates = place.candidates(typed);
  std::erase_if(candidates,
                [&](const std::string& each) { return each != kFiles && !each.starts_with(typed); });
  return candidates;
}

}  // namespace wan::tools
