// SPDX-License-Identifier: BSD-3-Clause
#include "streams/incoming.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace wan {
namespace {

/// Copies what fits.
void place(std::span<const char> bytes, std::size_t offset, std::span<char> into) {
  if (offset >= into.size()) return;
  std::memcpy(into.data() + offset, bytes.data(), std::min(bytes.size(), into.size() - offset));
}

}  // namespace

bool Incoming::is_busy() const {
  return std::ranges::any_of(messages_, [](const auto& each) { return each.second.is_asked_for; }) ||
         std::ranges::any_of(streams_, [](const Stream& each) { return each.has_more(); });
}

void Incoming::tell_credit() {
  if (asked_ - told_ < unasked_ / 4) return;
  streams_.front().say({FrameKind::credit, 0, 0, 0, asked_});
  told_ = asked_;
}

void Incoming::end_if_whole(MessageNumber number, Arriving& message, std::vector<Ended>& ended) {
  if (!message.is_asked_for || message.got < message.total) return;
  if (message.user != nullptr) ended.push_back({message.user, message.index, false});
  messages_.erase(number);
}

void Incoming::ask(const Ticket& ticket, std::span<char> into, StreamUser& user, std::int32_t index,
                   std::vector<Ended>& ended) {
  if (is_lost_ && !messages_.contains(ticket.number)) return ended.push_back({&user, index, true});
  Arriving& message = messages_.try_emplace(ticket.number, Arriving{ticket.bytes}).first->second;
  if (message.kept) {
    place({message.kept.get(), message.total}, 0, into);
    message.kept.reset();
    kept_ -= message.total;
  }
  message.into = into;
  message.user = &user;
  message.index = index;
  message.is_asked_for = true;
  if (ticket.must_be_asked_for && !is_lost_) {
    streams_.front().say({FrameKind::grant, 0, ticket.number, 0, 0});
  } else if (!is_lost_) {
    asked_ += ticket.bytes;
    tell_credit();
  }
  end_if_whole(ticket.number, message, ended);
}

/// Data, as they come.
struct Incoming::Data {
  Incoming& from;
  std::vector<Ended>& ended;

  bool begin(const Frame& frame) {
    if (frame.kind != FrameKind::data) return false;
    const auto [at, is_new] = from.messages_.try_emplace(frame.number, Arriving{frame.total});
    Arriving& message = at->second;
    if (frame.total != message.total) return false;
    if (is_new) {
      from.kept_ += message.total;
      if (message.total > from.unasked_ || from.kept_ > from.unasked_) return false;
      message.kept = std::make_unique_for_overwrite<char[]>(message.total);
    }
    return true;
  }
  void take(const Frame& frame, std::uint32_t offset, std::span<const char> bytes) {
    const auto at = from.messages_.find(frame.number);
    if (at == from.messages_.end()) return;  // nobody sends more than a whole message
    Arriving& message = at->second;
    const std::span<char> into =
        message.kept ? std::span<char>(message.kept.get(), message.total) : message.into;
    place(bytes, frame.offset + offset, into);
    message.got += bytes.size();
    from.end_if_whole(frame.number, message, ended);
  }
};

bool Incoming::hear(Stream& stream, std::span<char> room, std::vector<Ended>& ended) {
  Data data{*this, ended};
  try {
    return stream.read(room, data);
  } catch (const std::bad_alloc&) {
    return false;
  }
}

bool Incoming::write() {
  return std::ranges::all_of(streams_,
                             [](Stream& each) { return each.write([](Departing*, std::size_t) {}); });
}

/// What has come as a whole can still be asked for.
void Incoming::lose(std::vector<Ended>& ended) {
  is_lost_ = true;
  streams_.clear();
  std::erase_if(messages_, [&](const auto& each) {
    const Arriving& message = each.second;
    if (!message.is_asked_for) return message.got < message.total;
    if (message.user != nullptr) ended.push_back({message.user, message.index, true});
    return true;
  });
}

void Incoming::end_what_is_in_vain(std::vector<Ended>& ended) {
  for (auto& [number, message] : messages_) {
    if (message.user == nullptr || !message.user->is_in_vain(message.index)) continue;
    ended.push_back({message.user, message.index, true});
    message.user = nullptr;
    message.into = {};
  }
}

}  // namespace wan
