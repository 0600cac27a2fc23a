// SPDX-License-Identifier: BSD-3-Clause
#include "multicast/inbox.h"

#include <algorithm>
#include <utility>

#include "base/invariant.h"

namespace wan::multicast {
namespace {

/// What was sent once more has the name that it had.
Name first(Name name) {
  name.direct = false;
  return name;
}

}  // namespace

bool Inbox::knows(const Name& name) const {
  return by_name_.contains(first(name));
}

bool Inbox::has_asked_for(const Name& name) const {
  const auto found = by_name_.find(first(name));
  return found != by_name_.end() && found->second->state == State::refused && found->second->receive;
}

bool Inbox::begin(const Name& name, const Envelope& envelope) {
  arrivals_.push_back({name, envelope});
  const Place place = std::prev(arrivals_.end());
  invariant(by_name_.emplace(name, place).second, "a multicast comes twice");
  const auto receive =
      std::ranges::find_if(posted_, [&](const Receive& each) { return each.pattern.fits(envelope); });
  if (receive != posted_.end()) {
    place->receive = *receive;
    posted_.erase(receive);
  } else if (envelope.bytes <= room_ - kept_) {
    place->memory = std::make_unique_for_overwrite<char[]>(static_cast<std::size_t>(envelope.bytes));
    kept_ += envelope.bytes;
  } else {
    place->state = State::refused;
  }
  return place->state == State::coming;
}

bool Inbox::begin_again(const Name& name) {
  const auto found = by_name_.find(first(name));
  if (found == by_name_.end()) return false;
  Arrival& arrival = *found->second;
  if (arrival.state == State::refused && !arrival.receive) return false;
  arrival.state = State::coming;
  arrival.written = 0;
  return true;
}

void Inbox::lose(Position source) {
  for (auto each = arrivals_.begin(); each != arrivals_.end();) {
    const Place place = each++;
    if (place->envelope.source != source || place->state == State::complete || place->state == State::lost)
      continue;
    by_name_.erase(first(place->name));
    place->state = State::lost;
    finish(place);
  }
  const auto waits = [&](const Receive& each) { return each.pattern.source == source; };
  for (const Receive& each : posted_)
    if (waits(each)) lost_.emplace_back(each.ticket, source);
  std::erase_if(posted_, waits);
}

std::span<char> Inbox::whole(const Arrival& arrival) {
  return arrival.memory ? std::span(arrival.memory.get(), static_cast<std::size_t>(arrival.envelope.bytes))
                        : arrival.receive->buffer;
}

/// True: these were the last.
bool Inbox::add(Place place, Bytes bytes) {
  place->written += bytes;
  if (place->written < place->envelope.bytes) return false;
  place->state = State::complete;
  by_name_.erase(first(place->name));
  finish(place);
  return true;
}

bool Inbox::write(const Name& name, std::string_view bytes) {
  const auto found = by_name_.find(first(name));
  invariant(found != by_name_.end() && found->second->state == State::coming, "nothing comes by this name");
  const std::span<char> buffer = whole(*found->second);
  const auto offset = std::min(static_cast<std::size_t>(found->second->written), buffer.size());
  std::ranges::copy(bytes.substr(0, buffer.size() - offset), buffer.subspan(offset).begin());
  return add(found->second, static_cast<Bytes>(bytes.size()));
}

std::optional<Inbox::Spot> Inbox::place(const Name& name, Bytes offset, Bytes size) {
  const auto found = by_name_.find(first(name));
  invariant(found != by_name_.end() && found->second->state == State::coming, "nothing comes by this name");
  const std::span<char> buffer = whole(*found->second);
  if (offset + size > static_cast<Bytes>(buffer.size())) return std::nullopt;
  ++found->second->landing;
  return Spot{found->second,
              buffer.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size))};
}

bool Inbox::landed(const Spot& spot, bool counts) {
  --spot.arrival->landing;
  if (counts) return add(spot.arrival, static_cast<Bytes>(spot.bytes.size()));
  if (spot.arrival->state == State::complete || spot.arrival->state == State::lost) finish(spot.arrival);
  return false;
}

/// It is complete and somebody has asked for it, or it is lost; and nobody writes it any more.
void Inbox::finish(Place place) {
  const bool is_lost = place->state == State::lost;
  if (place->landing > 0 || (!place->receive && !is_lost)) return;
  if (place->memory) kept_ -= place->envelope.bytes;
  if (is_lost) {
    if (place->receive) lost_.emplace_back(place->receive->ticket, place->envelope.source);
  } else {
    if (place->memory) {
      const std::span<char> buffer = place->receive->buffer;
      const auto size = std::min(buffer.size(), static_cast<std::size_t>(place->envelope.bytes));
      std::copy_n(place->memory.get(), size, buffer.begin());
    }
    received_.emplace_back(place->receive->ticket, place->envelope);
  }
  arrivals_.erase(place);
}

Inbox::Posted Inbox::post(Ticket ticket, Pattern pattern, std::span<char> buffer) {
  const Place found = std::ranges::find_if(arrivals_, [&](const Arrival& each) {
    return !each.receive && each.state != State::lost && pattern.fits(each.envelope);
  });
  if (found == arrivals_.end()) {
    posted_.push_back({ticket, pattern, buffer});
    return {};
  }
  found->receive = Receive{ticket, pattern, buffer};
  if (found->state == State::refused) return {found->name};
  if (found->state == State::complete) finish(found);
  return {};
}

bool Inbox::cancel(Ticket ticket) {
  return std::erase_if(posted_, [&](const Receive& each) { return each.ticket == ticket; }) > 0;
}

std::vector<std::pair<Ticket, Envelope>> Inbox::take_received() {
  return std::exchange(received_, {});
}

std::vector<std::pair<Ticket, Position>> Inbox::take_lost() {
  return std::exchange(lost_, {});
}

std::optional<Envelope> Inbox::probe(Pattern pattern) const {
  const auto found = std::ranges::find_if(arrivals_, [&](const Arrival& each) {
    return !each.receive && each.state != State::lost && pattern.fits(each.envelope);
  });
  return found == arrivals_.end() ? std::nullopt : std::optional(found->envelope);
}

}  // namespace wan::multicast
