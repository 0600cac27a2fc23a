// SPDX-License-Identifier: BSD-3-Clause
#include "multicast/engine.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "base/invariant.h"

namespace wan::multicast {
namespace {

Bytes size_of(std::string_view bytes) {
  return static_cast<Bytes>(bytes.size());
}

std::string_view part(std::span<const char> data, Bytes offset, Bytes size) {
  return std::string_view(data.data(), data.size())
      .substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
}

}  // namespace

Engine::Engine(RoutingTable table, Settings settings, Carrier& carrier)
    : table_(std::move(table)), settings_(std::move(settings)), carrier_(carrier), inbox_(settings_.inbox) {}

Engine::Neighbor& Engine::neighbor(Position to) {
  const auto [found, is_new] = neighbors_.try_emplace(to);
  if (is_new)
    found->second.room = found->second.window = std::max(settings_.window(to), settings_.least_window);
  return found->second;
}

Engine::SharedPacket Engine::packet(const Message& message, std::shared_ptr<const void> room) const {
  return std::make_shared<const Packet>(Packet{encode(message), std::move(room)});
}

/// A message that takes no room.
void Engine::say(Position to, const Message& message) {
  carrier_.send(to, packet(message));
}

/// As long as it lives, so much of what `from` has sent is held.
std::shared_ptr<const void> Engine::hold(Position from, Bytes bytes) {
  debts_->held += bytes;
  return {static_cast<const void*>(this), [debts = debts_, from, bytes](const void*) {
            debts->held -= bytes;
            debts->owed[from] += bytes;
          }};
}

void Engine::settle() {
  if (is_closed_) return;
  for (auto& [to, bytes] : debts_->owed)
    if (bytes >= settings_.least_window / 2)
      say(to, {.kind = Kind::returns, .returned = std::exchange(bytes, 0)});
}

/// To whom this process sends on.
void Engine::branch(Transfer& transfer, int row, const Destinations& destinations) {
  for (Branch& each : branches(table_, row, destinations, settings_.forwarder(transfer.envelope.bytes)))
    transfer.streams.push_back({.branch = std::move(each)});
  transfer.unanswered = static_cast<int>(transfer.streams.size());
}

Message Engine::beginning(const Transfer& transfer, const Stream& stream, std::string_view payload,
                          std::string& positions) const {
  const bool is_known = transfer.is_known && !stream.direct;
  positions = is_known ? std::string() : stream.branch.destinations.encode(stream.branch.range);
  return {.kind = Kind::begin,
          .name = {transfer.name.source, transfer.name.number, stream.direct},
          .tag = transfer.envelope.tag,
          .total = transfer.envelope.bytes,
          .segment = transfer.segment,
          .positions = positions,
          .payload = payload};
}

bool Engine::has_more(const Transfer& transfer, const Stream& stream) {
  if (transfer.ticket) return stream.next < segments_of(transfer.envelope.bytes, transfer.segment);
  return !stream.ready.empty();
}

/// What goes next; the same bytes to all but for the first segment, which says whom they are for.
Engine::SharedPacket Engine::following(Transfer& transfer, Stream& stream) {
  if (!transfer.ticket) return stream.ready.front();
  const Bytes offset = stream.next * transfer.segment;
  const std::string_view payload =
      part(transfer.data, offset, std::min(transfer.segment, transfer.envelope.bytes - offset));
  if (stream.next == 0) {
    std::string positions;
    return packet(beginning(transfer, stream, payload, positions));
  }
  std::weak_ptr<const Packet>* const made = stream.direct || transfer.made.empty()
                                                ? nullptr
                                                : &transfer.made[static_cast<std::size_t>(stream.next)];
  SharedPacket result = made != nullptr ? made->lock() : nullptr;
  if (result != nullptr) return result;
  result = packet({.kind = Kind::data,
                   .name = {transfer.name.source, transfer.name.number, stream.direct},
                   .payload = payload});
  if (made != nullptr) *made = result;
  return result;
}

/// Its neighbour gets something of it, when it is its turn.
void Engine::take_turn(Transfer& transfer, std::size_t index) {
  Stream& stream = transfer.streams[index];
  if (!std::exchange(stream.has_turn, true))
    neighbor(stream.branch.to).turns.emplace_back(transfer.name, index);
  pump(stream.branch.to);
}

/// A message may take more than there is room: it would otherwise wait for what is given back late, because
/// it is little.
void Engine::pump(Position to) {
  Neighbor& of = neighbor(to);
  while (!of.turns.empty()) {
    const auto turn = of.turns.front();
    Transfer& transfer = transfers_.at(turn.first);
    Stream& stream = transfer.streams[turn.second];
    const SharedPacket next = following(transfer, stream);
    const Bytes size = size_of(next->buffer.view());
    if (of.room < std::min(size, of.window / 2)) return;
    of.room -= size;
    carrier_.send(to, next);
    if (!transfer.ticket) stream.ready.pop_front();
    ++stream.next;
    of.turns.pop_front();
    stream.has_turn = has_more(transfer, stream);
    if (stream.has_turn) of.turns.push_back(turn);
  }
}

Ticket Engine::send(std::span<const char> data, int tag, const Destinations& destinations, bool all_know) {
  const Name name{table_.self(), numbers_++};
  Transfer& transfer = transfers_[name];
  transfer.name = name;
  transfer.envelope = {table_.self(), tag, static_cast<Bytes>(data.size())};
  transfer.segment = std::max<Bytes>(settings_.segment(transfer.envelope.bytes), 1);
  transfer.from = table_.self();
  transfer.data = data;
  transfer.ticket = ++tickets_;
  transfer.is_known = all_know;
  branch(transfer, 0, destinations);
  if (transfer.streams.size() > 1)
    transfer.made.resize(static_cast<std::size_t>(segments_of(transfer.envelope.bytes, transfer.segment)));
  if (destinations.contain(table_.self())) {
    if (inbox_.begin(name, transfer.envelope))
      inbox_.write(name, part(data, 0, transfer.envelope.bytes));
    else
      transfer.direct_left = 1;
  }
  const Ticket ticket = *transfer.ticket;
  for (std::size_t i = 0; i < transfer.streams.size(); ++i) take_turn(transfer, i);
  end_if_done(transfer);
  return ticket;
}

Ticket Engine::receive(std::span<char> buffer, Pattern pattern) {
  const Ticket ticket = ++tickets_;
  if (const auto posted = inbox_.post(ticket, pattern, buffer); posted.ask) ask(*posted.ask);
  return ticket;
}

std::vector<std::pair<Ticket, Envelope>> Engine::take_ended() {
  auto ended = std::exchange(ended_, {});
  std::ranges::move(inbox_.take_received(), std::back_inserter(ended));
  return ended;
}

/// The source has it still.
void Engine::ask(const Name& name) {
  if (name.source != table_.self()) return say(name.source, {.kind = Kind::ask, .name = name});
  Transfer& transfer = transfers_.at(name);
  inbox_.begin_again(name);
  inbox_.write(name, part(transfer.data, 0, transfer.envelope.bytes));
  --transfer.direct_left;
  end_if_done(transfer);
}

bool Engine::arrived(Position from, Buffer buffer) {
  const auto message = decode(buffer.view());
  if (!message) return false;
  switch (message->kind) {
    case Kind::begin:
      return begin(from, *message, hold(from, size_of(buffer.view())));
    case Kind::data: {
      auto room = hold(from, size_of(buffer.view()));
      // The views of the message are into its memory, which stays where it is.
      return continue_with(from, *message,
                           std::make_shared<const Packet>(Packet{std::move(buffer), std::move(room)}));
    }
    case Kind::taken:
      return answered(from, *message);
    case Kind::ask:
      return asked(from, message->name);
    case Kind::returns:
      return returned(from, message->returned);
  }
  return false;
}

/// Of what has come from another process. Nobody else's are among them.
std::optional<Destinations> Engine::known(const Message& message) const {
  if (!knowledge_ || !table_.range(0).contains(message.name.source)) return std::nullopt;
  return knowledge_(message.name.source, message.tag).within(table_.range(0));
}

bool Engine::begin(Position from, const Message& message, std::shared_ptr<const void> room) {
  const Name& name = message.name;
  const Position self = table_.self();
  const int row = name.direct ? table_.rows() : row_after(table_, from);
  const Range range = table_.range(row);
  const bool is_known = message.positions.empty();
  const auto destinations = is_known ? known(message) : Destinations::decode(message.positions, range);
  if (!destinations || (is_known && name.direct) || name.source == self || transfers_.contains(name) ||
      (!name.direct && inbox_.knows(name)))
    return false;
  const Envelope envelope{name.source, message.tag, message.total};
  const bool is_for_me = destinations->contain(self);
  const bool is_kept = is_for_me && (name.direct ? inbox_.begin_again(name) : inbox_.begin(name, envelope));
  if (name.direct && !is_kept) return false;
  Transfer& transfer = transfers_[name];
  transfer.name = name;
  transfer.envelope = envelope;
  transfer.segment = message.segment;
  transfer.from = from;
  transfer.range = range;
  transfer.is_local = is_kept;
  transfer.is_known = is_known;
  transfer.written = size_of(message.payload);
  branch(transfer, row, *destinations);
  if (is_for_me && !is_kept) transfer.refused.push_back(self);
  for (std::size_t i = 0; i < transfer.streams.size(); ++i) {
    std::string positions;
    Stream& stream = transfer.streams[i];
    stream.ready.push_back(packet(beginning(transfer, stream, message.payload, positions), room));
    take_turn(transfer, i);
  }
  if (is_kept) inbox_.write(name, message.payload);
  end_if_done(transfer);
  return true;
}

bool Engine::continue_with(Position from, const Message& message, SharedPacket packet) {
  const auto found = transfers_.find(message.name);
  if (found == transfers_.end()) return false;
  Transfer& transfer = found->second;
  const Bytes size = size_of(message.payload);
  if (transfer.ticket || transfer.from != from ||
      size != std::min(transfer.segment, transfer.envelope.bytes - transfer.written) || size == 0)
    return false;
  transfer.written += size;
  for (std::size_t i = 0; i < transfer.streams.size(); ++i) {
    transfer.streams[i].ready.push_back(packet);
    take_turn(transfer, i);
  }
  if (transfer.is_local) inbox_.write(transfer.name, message.payload);
  end_if_done(transfer);
  return true;
}

/// All of a stream's destinations have it, or will ask for it.
bool Engine::answered(Position from, const Message& message) {
  const Name tree{message.name.source, message.name.number};
  const bool is_direct = message.name.direct;
  const auto found = transfers_.find(is_direct && tree.source == table_.self() ? tree : message.name);
  if (found == transfers_.end()) return false;
  Transfer& transfer = found->second;
  const std::int64_t segments = segments_of(transfer.envelope.bytes, transfer.segment);
  const auto stream = std::ranges::find_if(transfer.streams, [&](const Stream& each) {
    return each.branch.to == from && each.direct == is_direct && !each.is_taken && each.next == segments;
  });
  if (stream == transfer.streams.end()) return false;
  const auto refused = Destinations::decode(message.positions, stream->branch.range);
  if (!refused) return false;
  stream->is_taken = true;
  if (is_direct) {
    --transfer.direct_left;
  } else {
    --transfer.unanswered;
    transfer.direct_left += transfer.ticket ? refused->size() : 0;
    for (const Range& each : refused->ranges())
      for (Position position = each.begin; position < each.end; ++position)
        transfer.refused.push_back(position);
  }
  end_if_done(transfer);
  return true;
}

/// It has refused what this process is the source of.
bool Engine::asked(Position from, const Name& name) {
  const auto found = transfers_.find(name);
  if (found == transfers_.end() || !found->second.ticket || name.direct) return false;
  Transfer& transfer = found->second;
  transfer.streams.push_back({.branch = {from, {from, from + 1}, Destinations({from})}, .direct = true});
  take_turn(transfer, transfer.streams.size() - 1);
  return true;
}

bool Engine::returned(Position from, Bytes bytes) {
  Neighbor& of = neighbor(from);
  if (bytes > of.window - of.room) return false;
  of.room += bytes;
  pump(from);
  return true;
}

void Engine::end_if_done(Transfer& transfer) {
  const bool is_source = transfer.ticket.has_value();
  if (transfer.unanswered > 0 ||
      (is_source ? transfer.direct_left != 0 : transfer.written < transfer.envelope.bytes))
    return;
  if (is_source)
    ended_.emplace_back(*transfer.ticket, transfer.envelope);
  else
    say(transfer.from, {.kind = Kind::taken,
                        .name = transfer.name,
                        .positions = Destinations(std::move(transfer.refused)).encode(transfer.range)});
  transfers_.erase(Name(transfer.name));
}

}  // namespace wan::multicast
