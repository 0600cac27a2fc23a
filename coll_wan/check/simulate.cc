// SPDX-License-Identifier: BSD-3-Clause
#include "check/simulate.h"

#include <algorithm>
#include <queue>
#include <tuple>

#include "base/index.h"
#include "base/invariant.h"
#include "check/step_table.h"
#include "check/wires.h"

namespace wan {
namespace {

/// What a processor can have to do for a step; in the order of precedence among what becomes possible at one
/// instant.
enum class Duty : std::uint8_t { begin_send, local, answer, send_rest, end_receive };

struct Task {
  Nanoseconds since;  ///< when it became possible
  Duty duty;
  StepNumber step;

  auto order() const {
    const int precedence = duty == Duty::begin_send ? 0 : duty == Duty::local ? 1 : 2;
    return std::tuple(since, precedence, step, duty);
  }
  friend bool operator>(const Task& a, const Task& b) { return a.order() > b.order(); }
};

template <class T>
using EarliestFirst = std::priority_queue<T, std::vector<T>, std::greater<>>;

struct Processor {
  EarliestFirst<Task> tasks;
  bool is_claimed = false;  ///< busy, or about to choose its next task
};

/// Who may work where ranks share processors: first come, first served.
class Turns {
 public:
  explicit Turns(std::int32_t processors) : free_(processors), is_limited_(processors > 0) {}
  bool is_limited() const { return is_limited_; }

  /// May `rank` work now? Otherwise next() names it when it may.
  bool take(Rank rank) {
    if (!is_limited_) return true;
    const bool may = free_ > 0;
    if (may)
      --free_;
    else
      waiting_.push(rank);
    return may;
  }
  /// A rank has nothing left to do: the one that works in its place.
  std::optional<Rank> next() {
    if (waiting_.empty()) {
      ++free_;
      return std::nullopt;
    }
    const Rank rank = waiting_.front();
    waiting_.pop();
    return rank;
  }

 private:
  std::queue<Rank> waiting_;
  std::int32_t free_;
  bool is_limited_;
};

/// The parts that messages travel in.
enum class Part : std::uint8_t { all, request, answer, rest };

/// Of what is cut, no piece is shorter: a packet.
constexpr Bytes kLeastPiece = 1'500;
/// Into more pieces nothing is cut: enough that messages which share a link hold each other up by a sixteenth
/// at most.
constexpr Bytes kMostPieces = 16;

/// A part of a message on its way, or a piece of it; it has arrived when its last piece has.
struct Flight {
  StepNumber send;
  Part part;
  enum class Piece : std::uint8_t { whole, early, last } piece = Piece::whole;
  Bytes payload, wire;
  Wires::Way way;
  int hop = 0;  ///< the next
  Passage passage;
};

/// What piece `index` of `pieces` has of `amount`.
std::int64_t share(std::int64_t amount, Bytes index, Bytes pieces) {
  return amount * (index + 1) / pieces - amount * index / pieces;
}

/// The flight cut into pieces whose bits come one after the other.
std::vector<Flight> cut(const Flight& whole) {
  const Bytes pieces = std::clamp<Bytes>(whole.wire / kLeastPiece, 1, kMostPieces);
  const Nanoseconds duration = whole.passage.last_bit - whole.passage.first_bit;
  std::vector<Flight> flights(static_cast<std::size_t>(pieces), whole);
  Nanoseconds begin = whole.passage.first_bit;
  for (Bytes i = 0; i < pieces; ++i) {
    Flight& flight = flights[at(i)];
    flight.piece = i + 1 == pieces ? Flight::Piece::last : Flight::Piece::early;
    flight.payload = share(whole.payload, i, pieces);
    flight.wire = share(whole.wire, i, pieces);
    flight.passage = {begin, begin + share(duration, i, pieces)};
    begin = flight.passage.last_bit;
  }
  return flights;
}

enum class Occasion : std::uint8_t { hop, arrival, send_gone, task_done, turn, choose };

struct Event {
  Nanoseconds time;
  Occasion occasion;
  std::uint64_t order;   ///< of creation
  std::int32_t subject;  ///< flight, step or rank
  Duty duty = Duty::local;

  /// At one instant processors choose last, when all that becomes possible is known.
  auto rank() const { return std::tuple(time, occasion >= Occasion::turn, order); }
  friend bool operator>(const Event& a, const Event& b) { return a.rank() > b.rank(); }
};

class Simulator {
 public:
  Simulator(const Schedule& schedule, const Model& model, Bytes element_bytes)
      : schedule_(schedule),
        model_(model),
        steps_(schedule, element_bytes),
        wires_(model),
        processors_(schedule.size()),
        turns_(model.machine().processors),
        left_(at(steps_.size())),
        out_{{},
             std::vector<Nanoseconds>(schedule.size()),
             0,
             {},
             SiteMatrix<LinkUse>(model.layout().sites()),
             {},
             {},
             {}} {
    for (const Program& program : schedule) out_.steps.emplace_back(at(program.size()));
  }

  Simulation run() {
    for (StepNumber step = 0; step < steps_.size(); ++step)
      if (steps_[step].waits == 0) become_ready(step);
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      now_ = event.time;
      handle(event);
    }
    return result();
  }

 private:
  StepTimes& times(StepNumber step) { return out_.steps[at(steps_[step].rank)][at(steps_[step].step)]; }
  Place place(StepNumber step) { return {steps_[step].rank, steps_[step].step}; }
  Proximity proximity(StepNumber message) {
    return model_.proximity(steps_[message].rank, steps_[message].peer);
  }
  const Medium& medium(StepNumber message) { return model_.medium(proximity(message)); }
  bool is_eager(StepNumber message) { return steps_[message].bytes <= medium(message).eager_limit; }

  void schedule(Nanoseconds time, Occasion occasion, std::int32_t subject, Duty duty = Duty::local) {
    events_.push({time, occasion, created_++, subject, duty});
  }

  void handle(const Event& event) {
    switch (event.occasion) {
      case Occasion::hop:
        return cross(take(event.subject));
      case Occasion::arrival:
        return arrive(take(event.subject));
      case Occasion::send_gone:
        return end(event.subject);
      case Occasion::task_done:
        return task_done(event.subject, event.duty);
      case Occasion::turn:
        return take_turn(event.subject);
      case Occasion::choose:
        return choose(event.subject);
    }
  }

  // Steps

  void become_ready(StepNumber step) {
    if (const std::int32_t queue = steps_[step].queue; queue >= 0) return issue(steps_.queue(queue));
    times(step).ready = now_;
    add_task(step, Duty::local);
  }

  /// Starts the messages of a queue up to the first that has to wait.
  void issue(QueueState& queue) {
    while (queue.next != kNoStep && steps_[queue.next].waits == 0) {
      const StepNumber step = queue.next;
      const bool is_send = steps_[step].kind == StepKind::send;
      if (is_send && !queue.sends.allows(queue.issued, queue.under_way)) return;
      queue.next = steps_[step].next;
      ++queue.issued;
      ++queue.under_way;
      times(step).ready = now_;
      if (is_send)
        add_task(step, Duty::begin_send);
      else
        see_to_arrival(step);
    }
  }

  void end(StepNumber step) {
    const StepState& state = steps_[step];
    times(step).end = now_;
    out_.rank_end[at(state.rank)] = now_;
    for (const StepIndex dependent : schedule_[at(state.rank)].dependents(state.step)) {
      const StepNumber number = steps_.number(state.rank, dependent);
      if (--steps_[number].waits == 0) become_ready(number);
    }
    if (state.queue < 0) return;
    --steps_.queue(state.queue).under_way;
    issue(steps_.queue(state.queue));
  }

  /// A receive that has been posted, a message of which something has come: the processor's turn.
  void see_to_arrival(StepNumber receive) {
    const StepState& state = steps_[receive];
    if (!times(receive).ready || state.arrived == Arrived::nothing) return;
    add_task(receive, state.arrived == Arrived::request ? Duty::answer : Duty::end_receive);
  }

  // Processors

  void add_task(StepNumber step, Duty duty) {
    const Rank rank = steps_[step].rank;
    processors_[at(rank)].tasks.push({now_, duty, step});
    claim(rank);
  }

  void claim(Rank rank) {
    Processor& processor = processors_[at(rank)];
    if (processor.is_claimed || processor.tasks.empty()) return;
    processor.is_claimed = true;
    schedule(now_ + (turns_.is_limited() ? model_.machine().turn_ns : 0), Occasion::turn, rank);
  }

  void take_turn(Rank rank) {
    if (turns_.take(rank)) choose(rank);
  }

  void choose(Rank rank) {
    const Task task = processors_[at(rank)].tasks.top();
    processors_[at(rank)].tasks.pop();
    const Nanoseconds done = now_ + begin(task.step, task.duty);
    schedule(done, Occasion::task_done, task.step, task.duty);
  }

  /// Returns how long it takes.
  Nanoseconds begin(StepNumber step, Duty duty) {
    if (duty == Duty::local) return begin_local(step);
    const Overheads overheads = model_.overheads(steps_[step].rank, proximity(step));
    const Medium& way = medium(step);
    const Bytes bytes = steps_[step].bytes, first = std::min(bytes, way.eager_limit), rest = bytes - first;
    switch (duty) {
      case Duty::begin_send:
        times(step).start = now_;
        return feed(step, is_eager(step) ? Part::all : Part::request, first, overheads.send_ns);
      case Duty::answer:
        return answer(step, overheads, processor_ns(first, way.receive_ps_per_byte));
      case Duty::send_rest:
        return feed(step, Part::rest, rest, overheads.receive_ns + overheads.send_ns);
      default:
        times(step).start = now_;
        return overheads.receive_ns + processor_ns(is_eager(step) ? bytes : rest, way.receive_ps_per_byte);
    }
  }

  Nanoseconds begin_local(StepNumber step) {
    times(step).start = now_;
    const Machine& machine = model_.machine();
    const bool is_copy = steps_[step].kind == StepKind::copy;
    return processor_ns(steps_[step].bytes, is_copy ? machine.copy_ps_per_byte : machine.reduce_ps_per_byte);
  }

  /// After the overhead the processor copies, and the wire takes what it has copied.
  Nanoseconds feed(StepNumber send, Part part, Bytes payload, Nanoseconds overhead_ns) {
    const Nanoseconds done = overhead_ns + processor_ns(payload, medium(send).send_ps_per_byte);
    launch(send, part, payload, {now_ + overhead_ns, now_ + done});
    return done;
  }

  Nanoseconds answer(StepNumber receive, Overheads overheads, Nanoseconds copy_ns) {
    const Nanoseconds done = overheads.receive_ns + copy_ns + overheads.send_ns;
    launch(steps_[receive].partner, Part::answer, 0, {now_ + done, now_ + done});
    return done;
  }

  void task_done(StepNumber step, Duty duty) {
    const Rank rank = steps_[step].rank;
    const bool ends =
        duty == Duty::local || duty == Duty::end_receive || (duty == Duty::begin_send && is_eager(step));
    if (ends) end(step);
    go_on(rank);
  }

  /// A rank works on while it has something to do; then it is another's turn.
  void go_on(Rank rank) {
    Processor& processor = processors_[at(rank)];
    processor.is_claimed = !processor.tasks.empty();
    if (processor.is_claimed) return schedule(now_, Occasion::choose, rank);
    if (!turns_.is_limited()) return;
    if (const auto next = turns_.next()) schedule(now_, Occasion::choose, *next);
  }

  // Wires

  void launch(StepNumber send, Part part, Bytes payload, Passage passage) {
    const Rank from = steps_[send].rank, to = steps_[send].peer;
    const Framing& framing = model_.machine().framing;
    const Bytes header = part == Part::all ? framing.message_header : framing.control_header;
    const Wires::Way way = part == Part::answer ? wires_.way(to, from) : wires_.way(from, to);
    const Bytes wire = model_.wire_bytes(proximity(send), payload, header);
    if (part != Part::answer) passage = wires_.admit(from, to, passage, wire);
    offer({send, part, Flight::Piece::whole, payload, wire, way, 0, passage});
  }

  /// To the next link; at the end of the way, to the receiver.
  void offer(const Flight& flight) {
    if (flight.hop == flight.way.size) {
      if (flight.piece != Flight::Piece::early)
        schedule(flight.passage.last_bit, Occasion::arrival, keep(flight));
      return;
    }
    const Wires::LinkIndex link = flight.way.hops[flight.hop].link;
    if (flight.piece != Flight::Piece::whole || !wires_.is_slow(link, flight.passage, flight.wire))
      return enqueue(link, flight);
    for (const Flight& piece : cut(flight)) enqueue(link, piece);
  }

  void enqueue(Wires::LinkIndex link, const Flight& flight) {
    schedule(std::max(now_, wires_.due(link, flight.passage, flight.wire)), Occasion::hop, keep(flight));
  }

  /// Until its next event.
  std::int32_t keep(const Flight& flight) {
    if (free_.empty()) {
      flights_.push_back(flight);
      return static_cast<std::int32_t>(flights_.size()) - 1;
    }
    const std::int32_t index = free_.back();
    free_.pop_back();
    flights_[at(index)] = flight;
    return index;
  }

  Flight take(std::int32_t index) {
    free_.push_back(index);
    return flights_[at(index)];
  }

  void cross(Flight flight) {
    const Wires::Hop hop = flight.way.hops[flight.hop++];
    const Passage out = wires_.carry(hop.link, flight.passage, flight.payload, flight.wire);
    const bool is_all = flight.piece != Flight::Piece::early;
    if (is_all) wires_.count_transmission(hop.link);
    if (flight.hop == flight.way.own) leave(flight, out);
    flight.passage = {out.first_bit + hop.latency_ns, out.last_bit + hop.latency_ns};
    offer(flight);
  }

  /// A part has passed the links on which its sender waits for it.
  void leave(const Flight& flight, Passage out) {
    if (flight.part == Part::request || flight.part == Part::answer) return;
    auto& left = left_[at(flight.send)];
    left = {left ? left->first_bit : out.first_bit, out.last_bit};
    if (flight.part == Part::rest && flight.piece != Flight::Piece::early)
      schedule(out.last_bit, Occasion::send_gone, flight.send);
  }

  void arrive(const Flight& flight) {
    const StepNumber receive = steps_[flight.send].partner;
    if (flight.part == Part::answer) return add_task(flight.send, Duty::send_rest);
    if (receive == kNoStep) return;
    steps_[receive].arrived = flight.part == Part::request ? Arrived::request : Arrived::all;
    if (flight.part != Part::request) deliver(flight.send, receive);
    see_to_arrival(receive);
  }

  void deliver(StepNumber send, StepNumber receive) {
    const Protocol protocol = is_eager(send) ? Protocol::eager : Protocol::rendezvous;
    out_.deliveries.push_back({place(send), place(receive), steps_[send].bytes, proximity(send), protocol,
                               *times(send).start, *left_[at(send)], now_});
  }

  Simulation result() {
    for (StepNumber step = 0; step < steps_.size(); ++step)
      if (!times(step).end) out_.stuck.push_back(place(step));
    for (const Nanoseconds end : out_.rank_end) out_.end = std::max(out_.end, end);
    out_.between_sites = wires_.between_sites();
    out_.uplinks = wires_.uplinks();
    out_.downlinks = wires_.downlinks();
    return std::move(out_);
  }

  const Schedule& schedule_;
  const Model& model_;
  StepTable steps_;
  Wires wires_;
  std::vector<Processor> processors_;  ///< of each rank
  Turns turns_;
  std::vector<Flight> flights_;
  std::vector<std::int32_t> free_;            ///< places in flights_ without a flight
  std::vector<std::optional<Passage>> left_;  ///< of each send's data
  EarliestFirst<Event> events_;
  std::uint64_t created_ = 0;
  Nanoseconds now_ = 0;
  Simulation out_;
};

}  // namespace

Simulation simulate(const Schedule& schedule, const Model& model, Bytes element_bytes) {
  invariant(std::ssize(schedule) == model.layout().size(), "a Program for each rank of the model");
  return Simulator(schedule, model, element_bytes).run();
}

}  // namespace wan
