// SPDX-License-Identifier: BSD-3-Clause
#include "probe/endpoint.h"

#include <algorithm>
#include <charconv>

namespace wan::probe {
namespace {

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (;;) {
    const auto end = text.find(' ');
    words.emplace_back(text.substr(0, end));
    if (end == text.npos) return words;
    text.remove_prefix(end + 1);
  }
}

std::optional<std::uint16_t> port_of(const std::string& word) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), port);
  const bool is_whole = error == std::errc() && end == word.data() + word.size();
  return is_whole && port != 0 ? std::optional(port) : std::nullopt;
}

bool is_key(const std::string& word) {
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyz0123456789";
  return !word.empty() && word.find_first_not_of(allowed) == word.npos;
}

bool is_address(const std::string& word) {
  constexpr std::string_view allowed = "abcdefABCDEF0123456789.:";
  return !word.empty() && word.find_first_not_of(allowed) == word.npos;
}

}  // namespace

std::string encode(const Endpoint& endpoint) {
  std::string text = std::to_string(endpoint.port) + ' ' + endpoint.key;
  for (const std::string& address : endpoint.addresses) text += ' ' + address;
  return text;
}

std::optional<Endpoint> decode_endpoint(std::string_view text) {
  const auto words = words_of(text);
  if (words.size() < 3) return std::nullopt;
  const auto port = port_of(words[0]);
  Endpoint endpoint{port.value_or(0), words[1], {words.begin() + 2, words.end()}};
  if (!port || !is_key(endpoint.key) || !std::ranges::all_of(endpoint.addresses, is_address))
    return std::nullopt;
  return endpoint;
}

}  // namespace wan::probe
