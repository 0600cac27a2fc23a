// SPDX-License-Identifier: BSD-3-Clause
#include "plan/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "base/index.h"
#include "base/lines.h"
#include "plan/builder.h"

namespace wan {
namespace {

constexpr std::array<std::string_view, 3> kBuffers{"input", "output", "scratch"};
constexpr std::array<std::string_view, 2> kUnits{"bytes", "elements"};
/// By StepKind: the verb, and the word before the peer or the target.
struct Wording {
  std::string_view verb, preposition;
};
constexpr std::array<Wording, 4> kWordings{
    {{"send", "to"}, {"receive", "from"}, {"copy", "to"}, {"reduce", "into"}}};

std::string text_of(std::span<const Range> ranges) {
  if (ranges.empty()) return " nothing";
  std::string text;
  for (const Range& range : ranges)
    text += " " + std::string(kBuffers[at(range.buffer)]) + "[" + std::to_string(range.offset) + "," +
            std::to_string(range.offset + range.length) + ")";
  return text;
}

std::string text_of(const Step& step) {
  const auto [verb, preposition] = kWordings[at(step.kind)];
  std::string text = std::string(verb) + text_of(step.kind == StepKind::receive ? step.to : step.from) + " " +
                     std::string(preposition);
  text += step.peer >= 0 ? " " + std::to_string(step.peer) : text_of(step.to);
  if (!step.after.empty()) text += " after";
  for (const StepIndex earlier : step.after) text += " " + std::to_string(earlier);
  return text;
}

}  // namespace

std::string to_text(const Program& program, Rank me, Rank size) {
  const BufferLengths& lengths = program.lengths();
  std::string text = "rank " + std::to_string(me) + " of " + std::to_string(size) + " " +
                     std::string(kUnits[at(program.unit())]) + " input " + std::to_string(lengths.input) +
                     " output " + std::to_string(lengths.output) + " scratch " +
                     std::to_string(lengths.scratch) + "\n";
  for (StepIndex i = 0; i < program.size(); ++i)
    text += "  " + std::to_string(i) + " " + text_of(program.step(i)) + "\n";
  return text;
}

std::string to_text(const Schedule& schedule) {
  std::string text;
  const auto size = static_cast<Rank>(schedule.size());
  for (Rank rank = 0; rank < size; ++rank) text += to_text(schedule[at(rank)], rank, size);
  return text;
}

namespace {

using Words = std::vector<std::string_view>;

/// The words of a line, up to a comment.
Words words_of(std::string_view line) {
  line = line.substr(0, line.find('#'));
  Words words;
  for (std::size_t begin = line.find_first_not_of(kBlank); begin != line.npos;
       begin = line.find_first_not_of(kBlank)) {
    line.remove_prefix(begin);
    words.push_back(line.substr(0, line.find_first_of(kBlank)));
    line.remove_prefix(words.back().size());
  }
  return words;
}

template <class Number>
std::optional<Number> number(std::string_view word) {
  Number value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

/// "output[4,8)"
std::optional<Range> range(std::string_view word) {
  for (const Buffer buffer : {Buffer::input, Buffer::output, Buffer::scratch}) {
    const std::string_view name = kBuffers[at(buffer)];
    if (!word.starts_with(name) || !word.ends_with(')') || word.substr(name.size(), 1) != "[") continue;
    const std::string_view limits = word.substr(name.size() + 1, word.size() - name.size() - 2);
    const std::size_t comma = limits.find(',');
    if (comma == limits.npos) return std::nullopt;
    const auto begin = number<Count>(limits.substr(0, comma)), end = number<Count>(limits.substr(comma + 1));
    if (!begin || !end || *begin < 0 || *end <= *begin) return std::nullopt;
    return Range{buffer, *begin, *end - *begin};
  }
  return std::nullopt;
}

/// Sum of the lengths of ranges that each lie in their buffer; nullopt where it leaves the numbers.
std::optional<Count> sum(std::span<const Range> ranges) {
  Count total = 0;
  for (const Range& each : ranges)
    if (__builtin_add_overflow(total, each.length, &total)) return std::nullopt;
  return total;
}

bool overlap(std::span<const Range> from, std::span<const Range> to) {
  return std::ranges::any_of(from, [&](const Range& a) {
    return std::ranges::any_of(to, [&](const Range& b) {
      return a.buffer == b.buffer && a.offset < b.offset + b.length && b.offset < a.offset + a.length;
    });
  });
}

bool overlap_within(std::vector<Range> ranges) {
  std::ranges::sort(ranges, {}, [](const Range& each) { return std::pair(each.buffer, each.offset); });
  return std::ranges::adjacent_find(ranges, [](const Range& a, const Range& b) {
           return a.buffer == b.buffer && b.offset < a.offset + a.length;
         }) != ranges.end();
}

/// One step as it is written.
struct Line {
  StepKind kind = StepKind::send;
  Rank peer = -1;
  std::vector<Range> from, to;
  std::vector<StepIndex> after;
};

/// Reads line by line. Everything that the Builder takes for a defect of the caller is refused here first.
class Parser {
 public:
  explicit Parser(std::string_view name) : name_(name) {}

  Result<std::vector<RankProgram>> programs(std::string_view text) {
    while (!text.empty()) {
      ++line_;
      take(words_of(take_line(text)));
      if (error_) return tl::unexpected(*error_);
    }
    finish();
    if (programs_.empty())
      refuse("", "expected a line such as \"rank 0 of 2 bytes input 4 output 8 scratch 0\"");
    if (error_) return tl::unexpected(*error_);
    return std::move(programs_);
  }

  InputError error(std::string_view value, std::string remedy) const {
    return {std::string(name_), line_, {}, std::string(value), std::move(remedy)};
  }

 private:
  void refuse(std::string_view value, std::string remedy) {
    if (!error_) error_ = error(value, std::move(remedy));
  }

  void take(Words words) {
    if (words.empty()) return;
    if (words[0] == "rank")
      head(words);
    else if (!builder_)
      refuse(words[0], "a step before the first \"rank ... of ...\" line");
    else
      step(words);
  }

  /// rank 0 of 3 bytes input 4 output 12 scratch 0
  void head(const Words& words) {
    finish();
    constexpr std::string_view kRemedy = "expected \"rank R of P bytes|elements input N output N scratch N\"";
    const bool is_whole = words.size() == 11 && words[2] == "of" && words[5] == "input" &&
                          words[7] == "output" && words[9] == "scratch";
    const auto unit = is_whole ? std::ranges::find(kUnits, words[4]) : kUnits.end();
    if (unit == kUnits.end()) return refuse(words.back(), std::string(kRemedy));
    const auto me = number<Rank>(words[1]), size = number<Rank>(words[3]);
    if (!me || !size || *size < 1 || *me < -1 || *me >= *size)
      return refuse(words[1], "expected a rank from 0 to the size less 1 (-1 on an intercommunicator)");
    const auto input = length(words[6]), output = length(words[8]), scratch = length(words[10]);
    if (error_) return;
    me_ = *me;
    size_ = *size;
    lengths_ = {input, output, scratch};
    builder_.emplace(static_cast<Unit>(unit - kUnits.begin()), me_, size_, BufferLengths{input, output, 0});
    builder_->scratch(scratch);
    steps_ = 0;
  }

  Count length(std::string_view word) {
    const auto value = number<Count>(word);
    if (!value || *value < 0) refuse(word, "expected a number of units, 0 or more");
    return value.value_or(0);
  }

  void finish() {
    if (builder_ && !error_) programs_.push_back({me_, size_, std::move(*builder_).finish()});
    builder_.reset();
  }

  void step(const Words& words) {
    if (number<StepIndex>(words[0]) != steps_)
      return refuse(words[0],
                    "expected step " + std::to_string(steps_) + ": steps are numbered from 0, none left out");
    const auto wording =
        words.size() < 2 ? kWordings.end() : std::ranges::find(kWordings, words[1], &Wording::verb);
    if (wording == kWordings.end())
      return refuse(words.size() < 2 ? words[0] : words[1], "expected send, receive, copy or reduce");
    Line line{static_cast<StepKind>(wording - kWordings.begin()), -1, {}, {}, {}};
    std::span<const std::string_view> rest = std::span(words).subspan(2);
    (line.kind == StepKind::receive ? line.to : line.from) = ranges(rest);
    if (rest.empty() || rest[0] != wording->preposition)
      return refuse(rest.empty() ? words.back() : rest[0], "expected a range such as output[0,4), or \"" +
                                                               std::string(wording->preposition) +
                                                               "\" and what follows");
    rest = rest.subspan(1);
    is_message(line.kind) ? peer(rest, line) : void(line.to = ranges(rest));
    waits(rest, line);
    check(line, words);
    if (!error_) add(line);
  }

  static bool is_message(StepKind kind) { return kind == StepKind::send || kind == StepKind::receive; }

  /// Takes the ranges, or "nothing", that `words` begins with.
  std::vector<Range> ranges(std::span<const std::string_view>& words) {
    const bool is_nothing = !words.empty() && words[0] == "nothing";
    if (is_nothing) words = words.subspan(1);
    std::vector<Range> found;
    for (; !is_nothing && !words.empty(); words = words.subspan(1)) {
      const auto next = range(words[0]);
      if (!next) break;
      if (next->offset + next->length > lengths_.of(next->buffer))
        refuse(words[0],
               "a range outside its buffer of " + std::to_string(lengths_.of(next->buffer)) + " units");
      found.push_back(*next);
    }
    if (found.empty() && !is_nothing)
      refuse(words.empty() ? "" : words[0], "expected a range such as output[0,4), or \"nothing\"");
    return found;
  }

  void peer(std::span<const std::string_view>& words, Line& line) {
    const auto found = words.empty() ? std::nullopt : number<Rank>(words[0]);
    if (!found || *found < 0 || *found >= size_ || *found == me_)
      return refuse(words.empty() ? "" : words[0], "expected another rank, below " + std::to_string(size_));
    line.peer = *found;
    words = words.subspan(1);
  }

  void waits(std::span<const std::string_view> words, Line& line) {
    if (words.empty()) return;
    if (words[0] != "after" || words.size() == 1)
      return refuse(words[0], "expected \"after\" and numbers of earlier steps");
    for (const std::string_view word : words.subspan(1)) {
      const auto earlier = number<StepIndex>(word);
      if (!earlier || *earlier < 0 || *earlier >= steps_)
        return refuse(word, "expected the number of an earlier step");
      line.after.push_back(*earlier);
    }
  }

  void check(const Line& line, const Words& words) {
    if (error_) return;
    const auto from = sum(line.from), to = sum(line.to);
    if (!from || !to) return refuse(words[1], "a message longer than any can be");
    if (std::ranges::any_of(line.to, [](const Range& each) { return each.buffer == Buffer::input; }))
      return refuse(words[1], "the input is never written: write to output or scratch");
    if (overlap_within(line.to)) return refuse(words[1], "a step writes each unit once");
    if (is_message(line.kind)) return;
    if (*from != *to || *from == 0) return refuse(words[1], "expected two equal lengths, not 0");
    if (overlap(line.from, line.to)) return refuse(words[1], "expected two places that do not overlap");
    if (line.kind == StepKind::reduce && (line.from.size() != 1 || line.to.size() != 1))
      return refuse(words[1], "a reduction takes one range into one range");
  }

  void add(const Line& line) {
    builder_->add(line.kind, line.peer, line.from, line.to, line.after);
    ++steps_;
  }

  std::string_view name_;
  int line_ = 0;
  std::optional<InputError> error_;
  std::vector<RankProgram> programs_;
  std::optional<Builder> builder_;
  Rank me_ = 0, size_ = 1;
  BufferLengths lengths_;
  StepIndex steps_ = 0;
};

}  // namespace

Result<std::vector<RankProgram>> parse_programs(std::string_view text, std::string_view name) {
  return Parser(name).programs(text);
}

Result<Schedule> parse_schedule(std::string_view text, std::string_view name) {
  auto programs = parse_programs(text, name);
  if (!programs) return tl::unexpected(std::move(programs.error()));
  Schedule schedule;
  for (RankProgram& each : *programs) {
    const auto rank = static_cast<Rank>(schedule.size());
    if (each.me != rank || each.size != programs->front().size)
      return tl::unexpected(InputError{std::string(name),
                                       0,
                                       {},
                                       "rank " + std::to_string(each.me),
                                       "expected rank " + std::to_string(rank) + " of " +
                                           std::to_string(programs->front().size) + " next"});
    schedule.push_back(std::move(each.program));
  }
  if (static_cast<Rank>(schedule.size()) != programs->front().size)
    return tl::unexpected(InputError{std::string(name),
                                     0,
                                     {},
                                     std::to_string(schedule.size()) + " ranks",
                                     "expected all " + std::to_string(programs->front().size)});
  return schedule;
}

}  // namespace wan
