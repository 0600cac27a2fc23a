// SPDX-License-Identifier: BSD-3-Clause
#include "probe/wire.h"

#include <algorithm>

namespace wan::probe {
namespace {

constexpr std::uint32_t kMark = 0x63775031;  // "cwP1": the format
constexpr std::uint32_t kMostKeyBytes = 64;

void append(std::string& bytes, std::uint64_t value, int length) {
  for (int byte = length - 1; byte >= 0; --byte) bytes += static_cast<char>(value >> 8 * byte & 0xff);
}

std::uint64_t number_in(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

/// Numbers out of bytes, in turn. After one that is not there, or too large, nothing more is read.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  std::uint64_t number(std::size_t length, std::uint64_t most) {
    if (length > rest_.size()) return fail();
    const std::uint64_t value = number_in(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return value > most ? fail() : value;
  }
  std::int64_t time() { return static_cast<std::int64_t>(number(8, INT64_MAX)); }
  std::int32_t index() { return static_cast<std::int32_t>(number(4, INT32_MAX)); }
  bool has_more() const { return is_right_ && !rest_.empty(); }
  bool is_right() const { return is_right_; }

 private:
  std::uint64_t fail() {
    is_right_ = false;
    rest_ = {};
    return 0;
  }
  std::string_view rest_;
  bool is_right_ = true;
};

void append(std::string& bytes, const Train& train) {
  append(bytes, static_cast<std::uint64_t>(train.bytes), 8);
  append(bytes, static_cast<std::uint64_t>(train.spread_ns), 8);
}

Train read_train(Reader& reader) {
  const Bytes bytes = reader.time();
  return {bytes, reader.time()};
}

void append(std::string& bytes, const std::vector<Train>& trains) {
  append(bytes, trains.size(), 4);
  for (const Train& train : trains) append(bytes, train);
}

std::vector<Train> read_trains(Reader& reader) {
  std::vector<Train> trains;
  for (std::int32_t left = reader.index(); left > 0 && reader.is_right(); --left)
    trains.push_back(read_train(reader));
  return trains;
}

void append(std::string& bytes, const Finding& finding) {
  append(bytes, static_cast<std::uint64_t>(finding.from), 4);
  append(bytes, static_cast<std::uint64_t>(finding.to), 4);
  append(bytes, finding.round_trips.size(), 4);
  for (const Nanoseconds each : finding.round_trips) append(bytes, static_cast<std::uint64_t>(each), 8);
  append(bytes, finding.there);
  append(bytes, finding.back);
}

Finding read_finding(Reader& reader) {
  Finding finding;
  finding.from = reader.index();
  finding.to = reader.index();
  for (std::int32_t left = reader.index(); left > 0 && reader.is_right(); --left)
    finding.round_trips.push_back(reader.time());
  finding.there = read_trains(reader);
  finding.back = read_trains(reader);
  return finding;
}

/// What the bytes of a frame may come to.
std::uint32_t most_bytes(Kind kind) {
  switch (kind) {
    case Kind::visit:
    case Kind::report:
    case Kind::wait:
      return kMostKeyBytes;
    case Kind::train:
    case Kind::back:
      return kMostTrainBytes;
    case Kind::seen:
      return 16;
    case Kind::errands:
    case Kind::findings:
      return kMostListBytes;
    default:
      return 0;
  }
}

}  // namespace

std::string frame(Kind kind, std::uint32_t number, std::string_view bytes) {
  std::string text;
  append(text, kMark, 4);
  append(text, static_cast<std::uint32_t>(kind), 4);
  append(text, number, 4);
  append(text, bytes.size(), 4);
  return text.append(bytes);
}

std::string train_frame(Kind kind, std::uint32_t number, Bytes bytes) {
  const auto filler = std::clamp<Bytes>(bytes - static_cast<Bytes>(kHeaderBytes), 0, kMostTrainBytes);
  return frame(kind, number, std::string(static_cast<std::size_t>(filler), 'w'));
}

std::string encode(const Train& train) {
  std::string bytes;
  append(bytes, train);
  return bytes;
}

std::optional<Train> decode_train(std::string_view bytes) {
  Reader reader(bytes);
  const Train train = read_train(reader);
  return reader.is_right() && !reader.has_more() ? std::optional(train) : std::nullopt;
}

std::string encode(const std::vector<Errand>& errands) {
  std::string bytes;
  for (const Errand& each : errands) {
    append(bytes, static_cast<std::uint64_t>(each.from), 4);
    append(bytes, static_cast<std::uint64_t>(each.to), 4);
    append(bytes, static_cast<std::uint64_t>(each.depth), 1);
    append(bytes, static_cast<std::uint64_t>(each.patience_ns), 8);
  }
  return bytes;
}

std::optional<std::vector<Errand>> decode_errands(std::string_view bytes) {
  Reader reader(bytes);
  std::vector<Errand> errands;
  while (reader.has_more()) {
    Errand errand{reader.index(), 0, Depth::glance, 0};
    errand.to = reader.index();
    errand.depth = static_cast<Depth>(reader.number(1, static_cast<std::uint64_t>(Depth::study)));
    errand.patience_ns = reader.time();
    errands.push_back(errand);
  }
  return reader.is_right() ? std::optional(errands) : std::nullopt;
}

std::string encode(const std::vector<Finding>& findings) {
  std::string bytes;
  for (const Finding& each : findings) append(bytes, each);
  return bytes;
}

std::optional<std::vector<Finding>> decode_findings(std::string_view bytes) {
  Reader reader(bytes);
  std::vector<Finding> findings;
  while (reader.has_more()) findings.push_back(read_finding(reader));
  return reader.is_right() ? std::optional(findings) : std::nullopt;
}

/// Takes at most `most` of the frame's bytes off what was read.
std::string_view Inbox::piece_of(std::string_view& bytes, std::size_t most, Nanoseconds now_ns) {
  const auto piece = bytes.substr(0, most);
  bytes.remove_prefix(piece.size());
  if (!piece.empty() && header_.empty()) {
    first_ns_ = now_ns;
    is_first_read_ = true;
    after_first_ = 0;
  }
  if (!is_first_read_) after_first_ += static_cast<Bytes>(piece.size());
  return piece;
}

bool Inbox::take(std::string_view bytes, Nanoseconds now_ns, std::vector<Frame>& frames) {
  is_first_read_ = false;
  for (;;) {
    if (!in_body_) {
      header_.append(piece_of(bytes, kHeaderBytes - header_.size(), now_ns));
      if (header_.size() < kHeaderBytes) return true;
      if (!begin_body()) return false;
    }
    const auto piece = piece_of(bytes, left_, now_ns);
    if (!is_train()) body_.append(piece);
    left_ -= static_cast<std::uint32_t>(piece.size());
    if (left_ > 0) return true;
    frames.push_back(end_frame(now_ns));
  }
}

bool Inbox::begin_body() {
  const std::string_view header = header_;
  const auto kind = number_in(header.substr(4, 4));
  if (number_in(header.substr(0, 4)) != kMark || kind < 1 || kind > static_cast<std::uint32_t>(Kind::done))
    return false;
  kind_ = static_cast<Kind>(kind);
  number_ = static_cast<std::uint32_t>(number_in(header.substr(8, 4)));
  left_ = static_cast<std::uint32_t>(number_in(header.substr(12, 4)));
  in_body_ = true;
  return left_ <= most_bytes(kind_);
}

Frame Inbox::end_frame(Nanoseconds now_ns) {
  Frame whole{kind_, number_, std::move(body_), {}};
  if (is_train()) whole.train = {after_first_, now_ns - first_ns_};
  header_.clear();
  body_.clear();
  in_body_ = false;
  return whole;
}

}  // namespace wan::probe
