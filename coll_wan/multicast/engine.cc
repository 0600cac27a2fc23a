// SPDX-License-Identifier: BSD-3-Clause
#include "multicast/engine.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "base/invariant.h"

namespace wan::multicast {
namespace {

/// What a message takes of a window.
Bytes weight(std::size_t message, Bytes payload) {
  return static_cast<Bytes>(message) + payload;
}

/// Memory for a payload that goes on, and what is given back with it.
struct Block {
  Buffer buffer;
  std::shared_ptr<const void> room;
};

/// That wait until there is nothing else to do.
constexpr std::size_t kMostAnswers = 64;

/// Numbers of one source; those that are under way lie close together.
bool is_before(std::uint32_t number, std::uint32_t other) {
  return static_cast<std::int32_t>(number - other) < 0;
}

/// Between hosts of a site multicasts that may go by chains do, and others do not.
bool is_sent_so(const RoutingTable& table, Position from, const Message& message) {
  const bool is_of_chains = table.site().contains(from) && !table.host().contains(from);
  if (message.leg == Leg::table) return message.children == 0 || message.name.direct || !is_of_chains;
  return is_of_chains && message.children > 0 && !message.positions.empty() &&
         (message.leg == Leg::wrapped || from < table.self());
}

}  // namespace

Engine::Engine(std::vector<RoutingTable> tables, Settings settings, Carrier& carrier)
    : tables_(std::move(tables)),
      self_(tables_.front().self()),
      settings_(std::move(settings)),
      carrier_(carrier),
      inbox_(settings_.inbox) {}

Engine::Lane& Engine::lane(Path path) {
  const auto [found, is_new] = lanes_.try_emplace(path);
  if (is_new) {
    const Bytes window = path.second == Leg::table ? settings_.window(path.first) : settings_.chain_window;
    found->second.room = found->second.window = std::max(window, settings_.least_window);
  }
  return found->second;
}

/// A message that takes no room.
void Engine::say(Position to, const Message& message) {
  if (!lost_.contains(to)) carrier_.send(to, message, {});
}

/// As long as it lives, so much of what has come is held.
std::shared_ptr<const void> Engine::hold(Path from, Bytes bytes) {
  debts_->held += bytes;
  return {static_cast<const void*>(this), [debts = debts_, from, bytes](const void*) {
            debts->held -= bytes;
            debts->owed[from] += bytes;
          }};
}

void Engine::settle() {
  for (const Name& name : std::exchange(late_, {}))
    if (const auto found = transfers_.find(name); found != transfers_.end()) end_if_done(found->second);
  if (is_closed_) return;
  for (auto& [to, bytes] : debts_->owed)
    if (bytes >= settings_.least_window / 2)
      say(to.first, {.kind = Kind::returns, .leg = to.second, .returned = std::exchange(bytes, 0)});
}

bool Engine::rest() {
  if (answers_.empty()) return false;
  const std::string nobody = Destinations().encode({});
  for (const auto& [to, name] : answers_)
    say(to, {.kind = Kind::taken, .name = name, .positions = nobody, .unreached = nobody});
  answers_.clear();
  return true;
}

/// To whom this process sends on. leg: by which it has come.
void Engine::branch(Transfer& transfer, int row, const Destinations& destinations, Leg leg) {
  const Forwarder forwarder = settings_.forwarder(transfer.envelope.bytes);
  for (Branch& each :
       branches(tables_[transfer.table], row, destinations, forwarder, {transfer.children, leg}))
    transfer.streams.push_back({.branch = std::move(each)});
  transfer.unanswered = static_cast<int>(transfer.streams.size());
  if (!lost_.empty()) give_up_lost(transfer);
}

Message Engine::beginning(const Transfer& transfer, const Stream& stream, std::string& positions) const {
  // Parts of a chain may lie in one host.
  const bool is_known =
      transfer.is_known && !stream.direct && transfer.leg == Leg::table && stream.branch.leg == Leg::table;
  positions = is_known ? std::string() : stream.branch.destinations.encode(stream.branch.range);
  return {.kind = Kind::begin,
          .name = {transfer.name.source, transfer.name.number, stream.direct},
          .tag = transfer.envelope.tag,
          .total = transfer.envelope.bytes,
          .segment = transfer.segment,
          .oldest = transfer.oldest,
          .table = transfer.table,
          .children = transfer.children,
          .is_patient = transfer.is_patient,
          .leg = stream.branch.leg,
          .positions = positions};
}

bool Engine::has_more(const Transfer& transfer, const Stream& stream) {
  if (stream.is_taken) return false;
  if (transfer.ticket) return stream.next < segments_of(transfer.envelope.bytes, transfer.segment);
  return !stream.ready.empty();
}

/// What goes next.
Payload Engine::following(const Transfer& transfer, const Stream& stream) const {
  if (!transfer.ticket) return stream.ready.front();
  const Bytes offset = stream.next * transfer.segment;
  return {transfer.data.bytes.substr(static_cast<std::size_t>(offset),
                                     static_cast<std::size_t>(transfer.segment)),
          transfer.data.holder};
}

/// Its neighbour gets something of it, when it is its turn.
void Engine::take_turn(Transfer& transfer, std::size_t index) {
  Stream& stream = transfer.streams[index];
  if (!has_more(transfer, stream)) return;
  if (!std::exchange(stream.has_turn, true)) lane(path(stream)).turns.emplace_back(transfer.name, index);
  pump(path(stream));
}

/// A message may take more than there is room: it would otherwise wait for what is given back late, because
/// it is little.
void Engine::pump(Path to) {
  Lane& of = lane(to);
  while (!of.turns.empty()) {
    const auto turn = of.turns.front();
    Transfer& transfer = transfers_.at(turn.first);
    Stream& stream = transfer.streams[turn.second];
    std::string positions;
    const Message message = stream.next == 0
                                ? beginning(transfer, stream, positions)
                                : Message{.kind = Kind::data,
                                          .name = {transfer.name.source, transfer.name.number, stream.direct},
                                          .leg = stream.branch.leg};
    Payload next = following(transfer, stream);
    const Bytes size = weight(size_of(message), static_cast<Bytes>(next.bytes.size()));
    if (of.room < std::min(size, of.window / 2)) return;
    of.room -= size;
    carrier_.send(to.first, message, std::move(next));
    if (!transfer.ticket) stream.ready.pop_front();
    ++stream.next;
    of.turns.pop_front();
    stream.has_turn = has_more(transfer, stream);
    if (stream.has_turn) of.turns.push_back(turn);
  }
}

/// Of this process's multicasts, one of which is under way.
std::uint32_t Engine::oldest() const {
  const auto last = transfers_.lower_bound({self_, numbers_});  // before the numbers began anew
  const auto oldest =
      last != transfers_.end() && last->first.source == self_ ? last : transfers_.lower_bound({self_, 0});
  return oldest->first.number;
}

/// What it takes of Settings::copies, with what the engine needs to know of it.
Bytes Engine::copy_of(const Transfer& transfer) {
  return transfer.envelope.bytes + static_cast<Bytes>(sizeof(Transfer));
}

/// Of what this process is to send. False: it is long, or there are too many, or the caller has to be told
/// that a destination is lost.
bool Engine::copy(Transfer& transfer, const Destinations& destinations) {
  if (transfer.envelope.bytes > settings_.copied || copies_ + copy_of(transfer) > settings_.copies ||
      std::ranges::any_of(lost_, [&](Position each) { return destinations.contain(each); }))
    return false;
  const auto block =
      std::make_shared<Block>(Block{Buffer(static_cast<std::size_t>(transfer.envelope.bytes)), nullptr});
  std::ranges::copy(transfer.data.bytes, block->buffer.writable().begin());
  transfer.data = {block->buffer.view(), block};
  copies_ += copy_of(transfer);
  return true;
}

bool Engine::needs_data() const {
  return std::ranges::any_of(transfers_, [](const auto& each) {
    const Transfer& transfer = each.second;
    return !transfer.is_patient || std::ranges::any_of(transfer.streams, [&](const Stream& stream) {
      return has_more(transfer, stream);
    });
  });
}

Ticket Engine::send(std::span<const char> data, int tag, const Destinations& destinations, bool all_know) {
  const Name name{self_, numbers_++};
  Transfer& transfer = transfers_[name];
  transfer.name = name;
  transfer.number = ++transfers_ever_;
  transfer.envelope = {self_, tag, static_cast<Bytes>(data.size())};
  const Shape shape = settings_.shape(transfer.envelope.bytes, destinations);
  transfer.segment = shape.segment;
  transfer.table = shape.table;
  transfer.children = shape.children;
  transfer.from = self_;
  transfer.data = {{data.data(), data.size()}, std::make_shared<char>()};
  transfer.ticket = ++tickets_;
  transfer.is_known = all_know;
  transfer.is_patient = copy(transfer, destinations);
  if (transfer.is_patient) ended_.push_back({*transfer.ticket, transfer.envelope});
  transfer.oldest = oldest();
  branch(transfer, 0, destinations, Leg::table);
  if (destinations.contain(self_)) {
    if (inbox_.begin(name, transfer.envelope))
      inbox_.write(name, transfer.data.bytes);
    else
      transfer.direct[self_] = Direct::waits;
  }
  const Ticket ticket = *transfer.ticket;
  for (std::size_t i = 0; i < transfer.streams.size(); ++i) take_turn(transfer, i);
  end_if_done(transfer);
  return ticket;
}

Ticket Engine::receive(std::span<char> buffer, Pattern pattern) {
  const Ticket ticket = ++tickets_;
  if (const auto posted = inbox_.post(ticket, pattern, buffer); posted.ask) ask(*posted.ask);
  if (pattern.source && lost_.contains(*pattern.source)) inbox_.lose(*pattern.source);
  return ticket;
}

std::vector<Ended> Engine::take_ended() {
  auto ended = std::exchange(ended_, {});
  for (const auto& [ticket, envelope] : inbox_.take_received()) ended.push_back({ticket, envelope});
  for (const auto& [ticket, source] : inbox_.take_lost()) ended.push_back({ticket, {.source = source}, true});
  return ended;
}

/// The source has it still.
void Engine::ask(const Name& name) {
  if (name.source != self_) return say(name.source, {.kind = Kind::ask, .name = name});
  Transfer& transfer = transfers_.at(name);
  inbox_.begin_again(name);
  inbox_.write(name, transfer.data.bytes);
  transfer.direct[self_] = Direct::is_done;
  end_if_done(transfer);
}

Engine::Arrived Engine::arrived(Position from, std::string_view bytes, Bytes payload) {
  const auto message = decode(bytes);
  if (!message) return {};
  if (lost_.contains(from) || interrupted_.contains(from)) return {true};
  const auto room = [&] { return hold({from, message->leg}, weight(bytes.size(), payload)); };
  if (message->kind == Kind::begin) return begin(from, *message, payload, room());
  if (message->kind == Kind::data) return continue_with(from, *message, payload, room());
  if (payload > 0) return {};
  switch (message->kind) {
    case Kind::taken:
      return {answered(from, *message)};
    case Kind::gone:
      return {gone(from, message->name)};
    case Kind::ask:
      return {asked(from, message->name)};
    case Kind::returns:
      return {returned({from, message->leg}, message->returned)};
    case Kind::begin:
    case Kind::data:
      break;
  }
  return {};
}

/// Of what has come from another process. Nobody else's are among them.
std::optional<Destinations> Engine::known(const Message& message) const {
  if (!knowledge_ || !tables_.front().range(0).contains(message.name.source)) return std::nullopt;
  return knowledge_(message.name.source, message.tag).within(tables_.front().range(0));
}

Engine::Arrived Engine::begin(Position from, const Message& message, Bytes payload,
                              std::shared_ptr<const void> room) {
  const Name& name = message.name;
  if (message.table >= tables_.size() || payload != std::min(message.segment, message.total) ||
      !is_sent_so(tables_[message.table], from, message))
    return {};
  const RoutingTable& way = tables_[message.table];
  const bool is_in_chain = message.leg != Leg::table;
  const int row = name.direct ? way.rows() : is_in_chain ? way.host_row() : row_after(way, from);
  const Range range = is_in_chain ? way.site() : way.range(row);
  const bool is_known = message.positions.empty();
  const auto destinations = is_known ? known(message) : Destinations::decode(message.positions, range);
  if (!destinations || (is_known && name.direct) || name.source == self_ || transfers_.contains(name))
    return {};
  if (lost_.contains(name.source)) return {true};
  // The source is quicker, which sends it itself.
  const bool comes_directly = !name.direct && inbox_.knows(name);
  if (comes_directly && !may_be_odd_) return {};
  const Envelope envelope{name.source, message.tag, message.total};
  const bool is_for_me =
      destinations->contain(self_) && !comes_directly && !has_received(name, message.oldest);
  const bool is_kept =
      is_for_me && (name.direct ? begin_directly(message, envelope) : inbox_.begin(name, envelope));
  Transfer& transfer = transfers_[name];
  transfer.name = name;
  transfer.number = ++transfers_ever_;
  transfer.envelope = envelope;
  transfer.segment = message.segment;
  transfer.table = message.table;
  transfer.children = message.children;
  transfer.is_patient = message.is_patient;
  transfer.leg = message.leg;
  transfer.oldest = message.oldest;
  transfer.from = from;
  transfer.range = range;
  transfer.is_local = is_kept;
  transfer.is_known = is_known;
  branch(transfer, row, *destinations, message.leg);
  if (is_for_me && !is_kept) transfer.refused.push_back(self_);
  return {true, announce(transfer, payload, std::move(room))};
}

/// So many bytes of it come next. Where they go: to where they stay, if nobody gets them from this process,
/// or to memory of their own.
std::span<char> Engine::announce(Transfer& transfer, Bytes payload, std::shared_ptr<const void> room) {
  Landing landing{.name = transfer.name, .transfer = transfer.number};
  std::span<char> place;
  const bool goes_on =
      std::ranges::any_of(transfer.streams, [](const Stream& each) { return !each.is_taken; });
  if (transfer.is_local && !goes_on && payload > 0)
    landing.spot = inbox_.place(transfer.name, transfer.announced, payload);
  transfer.announced += payload;
  if (landing.spot) {
    place = landing.spot->bytes;  // which takes no memory of this library
  } else {
    const auto block =
        std::make_shared<Block>(Block{Buffer(static_cast<std::size_t>(payload)), std::move(room)});
    place = block->buffer.writable();
    landing.payload = {block->buffer.view(), block};
  }
  if (payload == 0)
    advance(transfer, landing);
  else
    landings_[transfer.from].push_back(std::move(landing));
  return place;
}

void Engine::landed(Position from, bool is_there) {
  const auto landings = landings_.find(from);
  invariant(landings != landings_.end(), "nothing comes from there");
  const Landing landing = std::move(landings->second.front());
  landings->second.pop_front();
  if (landings->second.empty()) landings_.erase(landings);
  const auto found = transfers_.find(landing.name);
  if (!is_there) interrupted(from);
  if (!interrupted_.contains(from) && found != transfers_.end() && found->second.number == landing.transfer)
    advance(found->second, landing);
  else if (landing.spot)
    inbox_.landed(*landing.spot, false);
}

/// A segment is there.
void Engine::advance(Transfer& transfer, const Landing& landing) {
  const std::string_view bytes =
      landing.spot ? std::string_view(landing.spot->bytes.data(), landing.spot->bytes.size())
                   : landing.payload.bytes;
  transfer.written += static_cast<Bytes>(bytes.size());
  for (std::size_t i = 0; i < transfer.streams.size(); ++i) {
    if (transfer.streams[i].is_taken) continue;
    transfer.streams[i].ready.push_back(landing.payload);
    take_turn(transfer, i);
  }
  if (transfer.is_local &&
      (landing.spot ? inbox_.landed(*landing.spot, true) : inbox_.write(transfer.name, bytes)))
    note_end(transfer);
  end_if_done(transfer);
}

/// This process has all of it.
void Engine::note_end(const Transfer& transfer) {
  const Name& name = transfer.name;
  if (transfer.from == name.source && !name.direct) return;
  Received& received = received_.try_emplace(name.source, Received{transfer.oldest}).first->second;
  if (!is_before(name.number, received.oldest)) received.numbers.insert(name.number);
}

/// By others, or not in its turn. oldest: as the source has said now.
bool Engine::has_received(const Name& name, std::uint32_t oldest) {
  const auto found = received_.find(name.source);
  if (found == received_.end()) return false;
  Received& received = found->second;
  if (is_before(received.oldest, oldest)) {
    received.oldest = oldest;
    std::erase_if(received.numbers, [&](std::uint32_t number) { return is_before(number, oldest); });
  }
  return is_before(name.number, received.oldest) || received.numbers.contains(name.number);
}

/// It comes from the source itself: this process has asked for it, or one is lost that would have passed it
/// on. False: there is no room.
bool Engine::begin_directly(const Message& message, const Envelope& envelope) {
  const Name tree{message.name.source, message.name.number};
  if (!inbox_.has_asked_for(tree)) {
    may_be_odd_ = true;
    if (transfers_.contains(tree)) drop(tree);
  }
  return inbox_.knows(tree) ? inbox_.begin_again(tree) : inbox_.begin(tree, envelope);
}

Engine::Arrived Engine::continue_with(Position from, const Message& message, Bytes payload,
                                      std::shared_ptr<const void> room) {
  const auto found = transfers_.find(message.name);
  if (found == transfers_.end()) return {may_be_odd_};
  Transfer& transfer = found->second;
  if (transfer.ticket || transfer.from != from || transfer.leg != message.leg || payload == 0 ||
      payload != std::min(transfer.segment, transfer.envelope.bytes - transfer.announced))
    return {};
  return {true, announce(transfer, payload, std::move(room))};
}

/// All of a stream's destinations have it, or will ask for it.
bool Engine::answered(Position from, const Message& message) {
  const Name tree{message.name.source, message.name.number};
  const bool is_direct = message.name.direct;
  const auto found = transfers_.find(is_direct && tree.source == self_ ? tree : message.name);
  if (found == transfers_.end()) return may_be_odd_;
  Transfer& transfer = found->second;
  const std::int64_t segments = segments_of(transfer.envelope.bytes, transfer.segment);
  const auto stream = std::ranges::find_if(transfer.streams, [&](const Stream& each) {
    return each.branch.to == from && each.direct == is_direct && !each.is_taken && each.next == segments;
  });
  if (stream == transfer.streams.end()) return false;
  const auto refused = Destinations::decode(message.positions, stream->branch.range),
             unreached = Destinations::decode(message.unreached, stream->branch.range);
  if (!refused || !unreached) return false;
  stream->is_taken = true;
  if (is_direct) {
    if (refused->empty())
      transfer.direct[from] = Direct::is_done;
    else if (std::exchange(transfer.direct[from], Direct::waits) == Direct::is_asked)
      send_directly(transfer, from);
  } else {
    --transfer.unanswered;
    for (const Position each : refused->positions())
      if (transfer.ticket)
        transfer.direct.emplace(each, Direct::waits);
      else
        transfer.refused.push_back(each);
    miss(transfer, *unreached);
    if (!lost_.empty()) give_up_lost(transfer);
  }
  end_if_done(transfer);
  return true;
}

/// The tree does not lead to them any more.
void Engine::miss(Transfer& transfer, const Destinations& destinations) {
  for (const Position each : destinations.positions())
    if (!transfer.ticket)
      transfer.unreached.push_back(each);
    else if (!transfer.direct.contains(each))
      send_directly(transfer, each);
}

/// From the source.
void Engine::send_directly(Transfer& transfer, Position to) {
  transfer.direct[to] = Direct::is_sent;
  transfer.streams.push_back({.branch = {to, {to, to + 1}, Destinations({to})}, .direct = true});
  const std::size_t stream = transfer.streams.size() - 1;
  if (lost_.contains(to))
    give_up(transfer, stream);
  else
    take_turn(transfer, stream);
}

/// Its receiver is lost.
void Engine::give_up(Transfer& transfer, std::size_t index) {
  Stream& stream = transfer.streams[index];
  stream.is_taken = true;
  stream.has_turn = false;
  stream.ready.clear();
  if (stream.direct) {
    transfer.direct[stream.branch.to] = Direct::is_done;
    transfer.is_lost = true;
  } else {
    --transfer.unanswered;
    miss(transfer, stream.branch.destinations);
  }
}

void Engine::give_up_lost(Transfer& transfer) {
  const std::size_t streams = transfer.streams.size();  // each that is missed adds one
  for (std::size_t i = 0; i < streams; ++i)
    if (!transfer.streams[i].is_taken && lost_.contains(transfer.streams[i].branch.to)) give_up(transfer, i);
  for (auto& [position, direct] : transfer.direct)
    if (direct == Direct::waits && lost_.contains(position)) {
      direct = Direct::is_done;
      transfer.is_lost = true;
    }
}

/// This process does not pass it on any more.
void Engine::drop(const Name& name) {
  const auto found = transfers_.find(name);
  std::set<Path> freed;
  for (std::size_t i = 0; i < found->second.streams.size(); ++i) {
    const Stream& stream = found->second.streams[i];
    const Position to = stream.branch.to;
    if (stream.next > 0 && !stream.is_taken) say(to, {.kind = Kind::gone, .name = name});
    if (!stream.has_turn) continue;
    std::erase(lane(path(stream)).turns, std::pair(name, i));
    freed.insert(path(stream));
  }
  transfers_.erase(found);
  for (const Path& each : freed) pump(each);
}

void Engine::lose(Position position) {
  if (position == self_ || !lost_.insert(position).second) return;
  may_be_odd_ = true;
  for (const Leg leg : {Leg::table, Leg::chain, Leg::wrapped}) lane({position, leg}).turns.clear();
  std::vector<Name> names;
  for (const auto& [name, transfer] : transfers_) names.push_back(name);
  for (const Name& name : names) {
    Transfer& transfer = transfers_.at(name);
    if (!transfer.ticket && (name.source == position || transfer.from == position)) {
      drop(name);
    } else {
      give_up_lost(transfer);
      end_if_done(transfer);
    }
  }
  inbox_.lose(position);
  received_.erase(position);
  settle();
}

bool Engine::gone(Position from, const Name& name) {
  may_be_odd_ = true;
  const auto found = transfers_.find(name);
  if (found != transfers_.end() && found->second.from == from) drop(name);
  return true;
}

/// It has refused what this process is the source of.
bool Engine::asked(Position from, const Name& name) {
  const auto found = transfers_.find(name);
  if (found == transfers_.end()) return may_be_odd_;
  Transfer& transfer = found->second;
  if (!transfer.ticket || name.direct) return false;
  const auto direct = transfer.direct.find(from);
  if (direct == transfer.direct.end() || direct->second == Direct::waits)
    send_directly(transfer, from);
  else if (direct->second == Direct::is_sent)
    direct->second = Direct::is_asked;
  return true;
}

bool Engine::returned(Path from, Bytes bytes) {
  Lane& of = lane(from);
  if (bytes > of.window - of.room) return false;
  of.room += bytes;
  pump(from);
  return true;
}

void Engine::end_if_done(Transfer& transfer) {
  const bool is_source = transfer.ticket.has_value();
  if (transfer.unanswered > 0 || (!is_source && transfer.written < transfer.envelope.bytes) ||
      std::ranges::any_of(transfer.direct, [](const auto& each) { return each.second != Direct::is_done; }))
    return;
  if (is_source) {
    if (transfer.is_patient)
      copies_ -= copy_of(transfer);
    else if (transfer.data.holder.use_count() > 1)
      return late_.push_back(transfer.name);
    if (!transfer.is_patient || transfer.is_lost)
      ended_.push_back({*transfer.ticket, transfer.envelope, transfer.is_lost});
  } else if (transfer.is_patient && transfer.refused.empty() && transfer.unreached.empty()) {
    answers_.emplace_back(transfer.from, transfer.name);
    if (answers_.size() >= kMostAnswers) rest();
  } else {
    const std::string refused = Destinations(std::move(transfer.refused)).encode(transfer.range),
                      unreached = Destinations(std::move(transfer.unreached)).encode(transfer.range);
    say(transfer.from,
        {.kind = Kind::taken, .name = transfer.name, .positions = refused, .unreached = unreached});
  }
  transfers_.erase(Name(transfer.name));
}

}  // namespace wan::multicast
