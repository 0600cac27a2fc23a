// SPDX-License-Identifier: BSD-3-Clause
#include "discover/block_yaml.h"

#include <algorithm>

#include "base/lines.h"

namespace wan {
namespace {

constexpr int kDeepest = 16;

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(kBlank);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

/// A line that is not blank, without indentation and comment.
struct Line {
  int number;
  std::size_t indent;
  std::string_view text;
  bool is_item() const { return text == "-" || text.starts_with("- "); }
};

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  for (int number = 1; !text.empty(); ++number) {
    std::string_view line = take_line(text);
    line = line.substr(0, line.find('#'));
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const bool begins_document = lines.empty() && trimmed(line) == "---";
    if (!trimmed(line).empty() && !begins_document) lines.push_back({number, indent, trimmed(line)});
  }
  return lines;
}

class Reader {
 public:
  Reader(std::vector<Line> lines, const std::string& file) : lines_(std::move(lines)), file_(file) {}

  Result<YamlNode> read() {
    if (lines_.empty()) return YamlNode{};
    auto node = block(0);
    if (node && !is_at_end()) return mistake();
    return node;
  }

 private:
  bool is_at_end() const { return next_ == lines_.size(); }
  Line& line() { return lines_[next_]; }
  bool is_at(std::size_t indent) { return !is_at_end() && line().indent == indent; }
  tl::unexpected<InputError> mistake() {
    const Line& at = lines_[std::min(next_, lines_.size() - 1)];
    return tl::unexpected(InputError{file_, at.number, "", std::string(at.text),
                                     "expected \"key: value\" or \"- key: value\", indented by blanks"});
  }

  /// The list or mapping that begins at this line.
  Result<YamlNode> block(int depth) {
    if (is_at_end() || depth > kDeepest) return mistake();
    return line().is_item() ? list(depth) : mapping(depth);
  }

  Result<YamlNode> list(int depth) {
    YamlNode node{.line = line().number};
    for (const std::size_t indent = line().indent; is_at(indent) && line().is_item();) {
      const std::string_view rest = line().text.substr(1);
      const std::size_t blanks = std::min(rest.find_first_not_of(' '), rest.size());
      if (blanks == rest.size()) {  // what is listed stands below
        ++next_;
        if (is_at_end() || line().indent <= indent) return mistake();
      } else {
        line().indent += 1 + blanks;
        line().text.remove_prefix(1 + blanks);
      }
      auto item = has_key() || line().is_item() ? block(depth + 1) : scalar();
      if (!item) return item;
      node.items.push_back(std::move(*item));
    }
    return node;
  }

  /// Is the line "key:" or "key: value"?
  bool has_key() { return end_of_key() != std::string_view::npos; }
  std::size_t end_of_key() {
    const std::string_view text = line().text;
    const auto colon = text.find(':');
    const bool ends = colon != text.npos && (colon + 1 == text.size() || text[colon + 1] == ' ');
    return ends && colon > 0 ? colon : text.npos;
  }

  Result<YamlNode> scalar() {
    const Line& at = line();
    YamlNode node{.line = at.number, .scalar = std::string(at.text)};
    ++next_;
    return node;
  }

  Result<YamlNode> mapping(int depth) {
    YamlNode node{.line = line().number};
    for (const std::size_t indent = line().indent; is_at(indent) && !line().is_item();) {
      if (!has_key()) return mistake();
      const std::string key(line().text.substr(0, end_of_key()));
      if (node.find(key) != nullptr) return mistake();
      auto value = value_of(indent, depth);
      if (!value) return value;
      node.fields.emplace_back(key, std::move(*value));
    }
    return node;
  }

  /// What follows the key of this line: on it, or below it. Of a mapping's field, a list may stand as far to
  /// the left as the key.
  Result<YamlNode> value_of(std::size_t indent, int depth) {
    const int number = line().number;
    std::string_view text = trimmed(line().text.substr(end_of_key() + 1));
    if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front())
      text = text.substr(1, text.size() - 2);
    else if (!text.empty() && std::string_view("&*!|>{\"'").find(text.front()) != std::string_view::npos)
      return mistake();
    ++next_;
    if (!text.empty()) return YamlNode{.line = number, .scalar = std::string(text)};
    const bool is_below = !is_at_end() && (line().indent > indent || (is_at(indent) && line().is_item()));
    auto value = is_below ? block(depth + 1) : Result<YamlNode>(YamlNode{});
    if (value) value->line = number;
    return value;
  }

  std::vector<Line> lines_;
  const std::string& file_;
  std::size_t next_ = 0;
};

}  // namespace

const YamlNode* YamlNode::find(std::string_view key) const {
  const auto found = std::ranges::find(fields, key, &std::pair<std::string, YamlNode>::first);
  return found == fields.end() ? nullptr : &found->second;
}

Result<YamlNode> parse_block_yaml(std::string_view text, const std::string& file) {
  return Reader(lines_of(text), file).read();
}

}  // namespace wan
