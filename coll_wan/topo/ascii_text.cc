// SPDX-License-Identifier: BSD-3-Clause
// One pass over the text. A '#' inside a string starts no comment, but no string that is right holds '#' or
// '?', so what is replaced there is refused later. Tested by tests/unit/topo_site_file.cc.
#include "topo/ascii_text.h"

#include <algorithm>

namespace wan {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}
bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

/// The character that `text` begins with: its first byte and those that continue it.
std::string_view first_character(std::string_view text) {
  const auto end = std::find_if_not(text.begin() + 1, text.end(), continues_character);
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

tl::unexpected<InputError> not_ascii(std::string_view text, std::size_t at) {
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  return tl::make_unexpected(InputError{.line = static_cast<int>(line),
                                        .value = std::string(first_character(text.substr(at))),
                                        .remedy = "this character may stand in comments only; names consist "
                                                  "of letters a-z, digits, '-', '_' and '.'"});
}

}  // namespace

Result<std::string> ascii_text(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::string ascii(text);
  bool after_hash = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') after_hash = false;
    if (text[i] == '#') after_hash = true;
    if (is_ascii(text[i])) continue;
    if (!after_hash) return not_ascii(text, i);
    ascii[i] = '?';
  }
  return ascii;
}

}  // namespace wan
