// SPDX-License-Identifier: BSD-3-Clause
#include "streams/outgoing.h"

#include <algorithm>

#include "base/time.h"

namespace wan {
namespace {

/// Bytes of a frame that may have to wait for the window of its stream.
constexpr std::size_t kFrame = 8 << 10;
/// Bytes that a stream takes before it is compared with the others again, or a quarter of its window.
constexpr std::size_t kShare = 14'480 - kFrameHeader;
/// Fewer bytes of a window are not worth a frame.
constexpr std::size_t kLeastWindow = 1'200;
constexpr std::size_t kLongest = 256 << 10;
/// Bytes that IPv4 and TCP with time stamps put before those of a packet.
constexpr std::size_t kPacketHeaders = 52;

}  // namespace

bool Outgoing::has(Stream::State state) const {
  return std::ranges::find(streams_, state, &Stream::state) != streams_.end();
}

Ticket Outgoing::add(std::span<const char> bytes, StreamUser& user, std::int32_t index, StreamPace* pace,
                     std::uint64_t place) {
  const bool may_go = sent_unasked_ - asked_ + bytes.size() <= allowed_;
  if (messages_.empty()) left_behind_ = 0;
  const MessageNumber number = next_++;
  messages_.emplace(number, Departing{number, bytes, 0, 0, may_go, &user, index, pace, place});
  if (may_go) sent_unasked_ += bytes.size();
  return {number, bytes.size(), !may_go};
}

/// The first that may go now.
Departing* Outgoing::next_to_frame(Nanoseconds now) {
  is_held_ = false;
  for (auto& [number, message] : messages_) {
    if (!message.may_go || message.framed == message.bytes.size()) continue;
    if (message.pace == nullptr || message.pace->room(now) > 0) return &message;
    is_held_ = true;
  }
  return nullptr;
}

std::size_t Outgoing::fill(Candidate& candidate, Departing& message, std::size_t most, Nanoseconds now) {
  std::size_t length = std::min({message.bytes.size() - message.framed, most, kLongest});
  if (message.pace != nullptr) {
    const auto allowed = std::max(static_cast<std::size_t>(message.pace->room(now)), kLeastWindow);
    length = std::min(length, allowed - kFrameHeader);
    const std::size_t bytes = length + kFrameHeader,
                      packet = std::max<std::size_t>(candidate.room->packet, 1);
    message.pace->take(now, static_cast<Bytes>(bytes + (bytes + packet - 1) / packet * kPacketHeaders));
  }
  candidate.stream->give({FrameKind::data, static_cast<std::uint32_t>(length), message.number, message.framed,
                          message.bytes.size()},
                         message.bytes.subspan(message.framed, length), &message);
  message.framed += length;
  return length;
}

/// In turn, of those that send at once; nullptr: none does.
Outgoing::Candidate* Outgoing::next_with_room() {
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    turn_ = turn_ + 1 < candidates_.size() ? turn_ + 1 : 0;
    Candidate& each = candidates_[turn_];
    if (!each.stream->is_free()) continue;
    if (!each.room) each.room = each.stream->room();
    if (each.room->at_once >= kLeastWindow + kFrameHeader) return &each;
  }
  return nullptr;
}

/// First as much goes as leaves at once, then, of what is not paced, a frame for each stream, which has to
/// wait anyway: all windows open at the same time, and each sends its part of what waits. What is paced would
/// leave faster than its pace when the acknowledgements come.
bool Outgoing::write(std::vector<Ended>& ended) {
  const auto written = [&](Departing* message, std::size_t bytes) {
    message->written += bytes;
    if (message->written < message->bytes.size()) return;
    ended.push_back({message->user, message->index, false});
    messages_.erase(message->number);
  };
  for (Stream& stream : streams_)
    if (!stream.write(written)) return false;
  const Nanoseconds now = probe::now();
  lacks_room_ = false;
  if (next_to_frame(now) == nullptr) return true;
  candidates_.clear();
  for (Stream& stream : streams_)
    if (stream.state() == Stream::State::ready && stream.is_free()) candidates_.push_back({&stream});
  while (Departing* const message = next_to_frame(now)) {
    Candidate* const candidate = next_with_room();
    lacks_room_ = candidate == nullptr;
    if (lacks_room_) break;
    Stream::Room& room = *candidate->room;
    const std::size_t share = std::max(kShare, room.at_once / 4),
                      framed = fill(*candidate, *message, std::min(share, room.at_once - kFrameHeader), now);
    room.at_once -= std::min(room.at_once, framed + kFrameHeader);
    if (!candidate->stream->write(written)) return false;
  }
  for (Candidate& candidate : candidates_) {
    if (!candidate.stream->is_free() || !candidate.room || candidate.room->unsent > 0) continue;
    Departing* const message = next_to_frame(now);
    if (message == nullptr || message->pace != nullptr) break;
    left_behind_ += fill(candidate, *message, kFrame, now);
    if (!candidate.stream->write(written)) return false;
  }
  return true;
}

std::size_t Outgoing::wanted(std::size_t window) const {
  std::size_t waiting = left_behind_, opening = 0;
  for (const auto& [number, message] : messages_) {
    if (!message.may_go || !lacks_room_) continue;
    const std::size_t left = message.bytes.size() - message.framed;
    waiting +=
        message.pace == nullptr ? left : std::min(left, static_cast<std::size_t>(message.pace->window()));
  }
  for (const Stream& each : streams_) opening += each.state() == Stream::State::ready ? 0 : 1;
  const std::size_t useful = (waiting + window - 1) / window;
  return useful - std::min(useful, opening);
}

/// What a stream says of those that are sent over it.
struct Outgoing::Replies {
  Outgoing& to;
  Stream& stream;

  bool begin(const Frame& frame) {
    const bool is_greeting = stream.state() == Stream::State::greeting;
    if (frame.kind == FrameKind::welcome) return is_greeting || to.is_ready_;
    return !is_greeting && (frame.kind == FrameKind::grant || frame.kind == FrameKind::credit);
  }
  void take(const Frame& frame, std::uint32_t, std::span<const char>) {
    if (frame.kind == FrameKind::welcome) {
      stream.set_state(Stream::State::ready);
      to.is_ready_ = true;
      to.opened();
      to.allowed_ = frame.total;
    } else if (frame.kind == FrameKind::credit) {
      to.asked_ = std::min<std::size_t>(frame.total, to.sent_unasked_);
    } else if (const auto granted = to.messages_.find(frame.number); granted != to.messages_.end()) {
      granted->second.may_go = true;
    }
  }
};

bool Outgoing::hear(Stream& stream, std::span<char> room) {
  Replies replies{*this, stream};
  return stream.read(room, replies);
}

void Outgoing::lose(std::vector<Ended>& ended) {
  is_lost_ = true;
  is_ready_ = false;
  streams_.clear();
  for (const auto& [number, message] : messages_) ended.push_back({message.user, message.index, true});
  messages_.clear();
}

void Outgoing::end_what_is_in_vain(std::vector<Ended>& ended) {
  std::erase_if(messages_, [&](const auto& each) {
    const Departing& message = each.second;
    if (message.framed > 0 || !message.user->is_in_vain(message.index)) return false;
    ended.push_back({message.user, message.index, true});
    return true;
  });
}

}  // namespace wan
