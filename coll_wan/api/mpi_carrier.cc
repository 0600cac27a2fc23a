// SPDX-License-Identifier: BSD-3-Clause
#include "api/mpi_carrier.h"

#include <algorithm>
#include <utility>

#include "api/lost_processes.h"

namespace wan::multicast {
namespace {

constexpr int kFrame = 1, kRest = 2;  ///< tags

/// What a frame begins with: the bytes of its message, and of the payload. Sites may have hosts of any kind.
constexpr std::size_t kSizesBytes = 2 * sizeof(std::uint32_t);

void put(std::span<char> bytes, std::uint32_t number) {
  for (std::size_t i = 0; i < sizeof number; ++i) bytes[i] = static_cast<char>(number >> 8 * i & 0xff);
}

std::uint32_t number_of(std::string_view bytes) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < sizeof number; ++i)
    number |= std::uint32_t{static_cast<unsigned char>(bytes[i])} << 8 * i;
  return number;
}

Buffer copy_of(std::string_view bytes) {
  Buffer buffer(bytes.size());
  std::ranges::copy(bytes, buffer.writable().begin());
  return buffer;
}

}  // namespace

MpiCarrier::MpiCarrier(MPI_Comm comm, StridedMap ranks, StridedMap positions)
    : comm_(comm),
      ranks_(std::move(ranks)),
      positions_(std::move(positions)),
      requests_(kSlots, MPI_REQUEST_NULL) {
  post();
}

void MpiCarrier::stop() {
  for (std::size_t slot = 0; slot < kSlots; ++slot) {
    if (requests_[slot] == MPI_REQUEST_NULL) continue;
    MPI_Cancel(&requests_[slot]);
    MPI_Wait(&requests_[slot], MPI_STATUS_IGNORE);
  }
  // MPI may still read or write what belongs to those requests.
  if (is_busy()) new std::vector<Errand>(std::move(errands_));
}

/// That processes are lost is told by the requests that needed them.
void MpiCarrier::note(int error) {
  if (error_ == MPI_SUCCESS && !LostProcesses::is_loss(error)) error_ = error;
}

int MpiCarrier::take_error() {
  return std::exchange(error_, MPI_SUCCESS);
}

/// False: MPI has begun nothing, since the other process is lost.
bool MpiCarrier::add(MPI_Request request, Errand errand) {
  if (request == MPI_REQUEST_NULL) return false;
  requests_.push_back(request);
  errands_.push_back(std::move(errand));
  return true;
}

/// `bytes` belong to the errand.
void MpiCarrier::start(std::string_view bytes, Position to, int tag, Errand errand) {
  MPI_Request request = MPI_REQUEST_NULL;
  note(
      MPI_Isend(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, ranks_.at(to), tag, comm_, &request));
  add(request, std::move(errand));
}

void MpiCarrier::send(Position to, const Message& message, Payload payload) {
  const std::size_t bytes = size_of(message), whole = bytes + payload.bytes.size();
  const bool is_short = kSizesBytes + whole <= kSlotBytes, is_long = kSizesBytes + bytes > kSlotBytes;
  Buffer frame(kSizesBytes + (is_short ? whole : is_long ? 0 : bytes)), rest(is_long ? whole : 0);
  put(frame.writable(), static_cast<std::uint32_t>(bytes));
  put(frame.writable().subspan(sizeof(std::uint32_t)), static_cast<std::uint32_t>(payload.bytes.size()));
  const std::span<char> place = is_long ? rest.writable() : frame.writable().subspan(kSizesBytes);
  encode(message, place);
  if (is_short || is_long) {
    std::ranges::copy(payload.bytes, place.subspan(bytes).begin());
    payload = {};
  }
  ++sent_[to];
  const std::string_view first = frame.view(), second = is_long ? rest.view() : payload.bytes;
  start(first, to, kFrame, {.with = to, .frame = std::move(frame)});
  if (!second.empty())
    start(second, to, kRest, {.with = to, .payload = std::move(payload), .frame = std::move(rest)});
}

/// All that are free. Where a process has just been lost, MPI may take none until that has been acknowledged.
void MpiCarrier::post() {
  for (; !slots_[next_post_].is_posted; next_post_ = (next_post_ + 1) % kSlots) {
    Slot& slot = slots_[next_post_];
    MPI_Request& request = requests_[next_post_];
    note(MPI_Irecv(slot.memory.writable().data(), kSlotBytes, MPI_BYTE, MPI_ANY_SOURCE, kFrame, comm_,
                   &request));
    slot.is_posted = request != MPI_REQUEST_NULL;
    if (!slot.is_posted) return;
  }
}

/// What follows a frame of the same process. place: if it is not for memory of its own.
MpiCarrier::Arriving MpiCarrier::await(Coming coming, std::span<char> place) {
  const auto arriving = std::make_shared<Coming>(std::move(coming));
  if (place.empty()) place = arriving->memory.writable();
  MPI_Request request = MPI_REQUEST_NULL;
  note(MPI_Irecv(place.data(), static_cast<int>(place.size()), MPI_BYTE, ranks_.at(arriving->from), kRest,
                 comm_, &request));
  arriving->is_here = !add(request, {.with = arriving->from, .coming = arriving});
  return arriving;
}

/// Looks what has ended. The last request takes the place of one that has.
bool MpiCarrier::test() {
  int count = 0;
  done_.resize(requests_.size());
  statuses_.resize(requests_.size());
  const int error = MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count, done_.data(),
                                 statuses_.data());
  if (count == 0 || count == MPI_UNDEFINED) {
    note(error);
    return false;
  }
  bool has_ended = false;
  for (int i = 0; i < count; ++i) {
    const auto request = static_cast<std::size_t>(done_[static_cast<std::size_t>(i)]);
    MPI_Status& status = statuses_[static_cast<std::size_t>(i)];
    if (error == MPI_SUCCESS) status.MPI_ERROR = MPI_SUCCESS;  // which MPI sets only where there is one
    note(status.MPI_ERROR);
    if (requests_[request] != MPI_REQUEST_NULL) continue;  // a process is lost; the request goes on
    has_ended = true;
    complete(request, status);
  }
  // Where a process is lost, Open MPI also ends requests of which it does not tell.
  for (std::size_t i = 0; i < kSlots; ++i)
    if (slots_[i].is_posted && requests_[i] == MPI_REQUEST_NULL) slots_[i].is_full = has_ended = true;
  for (std::size_t i = errands_.size(); i-- > 0;) {
    if (requests_[kSlots + i] != MPI_REQUEST_NULL) continue;
    if (errands_[i].coming) errands_[i].coming->is_here = has_ended = true;
    requests_[kSlots + i] = requests_.back();
    errands_[i] = std::move(errands_.back());
    requests_.pop_back();
    errands_.pop_back();
  }
  return has_ended;
}

void MpiCarrier::complete(std::size_t request, const MPI_Status& status) {
  const bool is_there = status.MPI_ERROR == MPI_SUCCESS;
  if (request < kSlots) {
    Slot& slot = slots_[request];
    slot.is_full = true;
    slot.rank = status.MPI_SOURCE;
    if (is_there) MPI_Get_count(&status, MPI_BYTE, &slot.bytes);
    return;
  }
  if (const Arriving& coming = errands_[request - kSlots].coming) {
    coming->is_here = true;
    coming->is_there = is_there;
  }
}

/// Something is before what it sends now.
bool MpiCarrier::must_wait(Position from) const {
  return std::ranges::any_of(coming_, [&](const Arriving& each) {
    return each->from == from && each->kind != Coming::Kind::payload;
  });
}

void MpiCarrier::take_frames(Engine& engine) {
  for (; slots_[next_slot_].is_full; next_slot_ = (next_slot_ + 1) % kSlots) {
    Slot& slot = slots_[next_slot_];
    slot.is_posted = slot.is_full = false;
    if (const auto bytes = static_cast<std::size_t>(std::exchange(slot.bytes, 0)); bytes > 0) {
      ++received_;
      const Position from = positions_.at(slot.rank);
      const std::string_view frame = slot.memory.view().substr(0, bytes);
      if (must_wait(from))
        coming_.push_back(std::make_shared<Coming>(
            Coming{.kind = Coming::Kind::frame, .from = from, .memory = copy_of(frame), .is_here = true}));
      else if (Arriving next = take(engine, from, frame))
        coming_.push_back(std::move(next));
    }
  }
  post();
}

/// What follows it, if anything does.
MpiCarrier::Arriving MpiCarrier::take(Engine& engine, Position from, std::string_view frame) {
  if (frame.size() < kSizesBytes) {
    note(MPI_ERR_INTERN);
    return nullptr;
  }
  const std::size_t message = number_of(frame), payload = number_of(frame.substr(sizeof(std::uint32_t)));
  frame.remove_prefix(kSizesBytes);
  if (frame.size() == message + payload)
    return take_whole(engine, from, frame.substr(0, message), frame.substr(message));
  if (frame.empty())
    return await({.kind = Coming::Kind::message,
                  .from = from,
                  .memory = Buffer(message + payload),
                  .message_bytes = message},
                 {});
  const auto arrived = engine.arrived(from, frame, static_cast<Bytes>(payload));
  if (!arrived.is_sound) note(MPI_ERR_INTERN);
  Coming coming{.kind = Coming::Kind::payload, .from = from};
  if (arrived.place.empty()) coming.memory = Buffer(payload);
  return await(std::move(coming), arrived.place);
}

/// It lands after what is before it.
MpiCarrier::Arriving MpiCarrier::take_whole(Engine& engine, Position from, std::string_view message,
                                            std::string_view payload) {
  const auto arrived = engine.arrived(from, message, static_cast<Bytes>(payload.size()));
  if (!arrived.is_sound) note(MPI_ERR_INTERN);
  if (arrived.place.empty()) return nullptr;
  std::ranges::copy(payload, arrived.place.begin());
  return std::make_shared<Coming>(
      Coming{.kind = Coming::Kind::payload, .from = from, .is_here = true, .is_there = true});
}

/// In the order in which each process has sent.
void MpiCarrier::hand_over(Engine& engine) {
  std::vector<Position> waiting;
  for (Arriving& each : coming_) {
    if (std::ranges::find(waiting, each->from) != waiting.end()) continue;
    const Arriving now = each;
    const std::string_view bytes = now->memory.view();
    if (now->kind == Coming::Kind::frame)
      each = take(engine, now->from, bytes);
    else if (now->kind == Coming::Kind::message && now->is_there)
      each = take_whole(engine, now->from, bytes.substr(0, now->message_bytes),
                        bytes.substr(now->message_bytes));
    else if (now->kind == Coming::Kind::message && now->is_here) {
      engine.interrupted(now->from);
      each = nullptr;
    }
    if (!each) continue;
    if (!each->is_here) {
      waiting.push_back(each->from);
      continue;
    }
    if (each->memory.view().empty()) engine.landed(each->from, each->is_there);
    each.reset();
  }
  std::erase(coming_, nullptr);
}

void MpiCarrier::lose(Position position) {
  // What it has sent may still be on its way into memory.
  constexpr std::chrono::seconds kStillComing{1};
  lost_[position] = Clock::now() + kStillComing;
  for (Errand& each : errands_)
    if (each.with == position) each.payload = {};
}

/// What has not come long after its sender was lost never comes.
bool MpiCarrier::give_up_lost() {
  bool has_any = false;
  for (Errand& each : errands_) {
    const auto lost = each.coming ? lost_.find(each.with) : lost_.end();
    if (lost == lost_.end() || Clock::now() < lost->second) continue;
    each.coming->is_here = has_any = true;
    each.coming.reset();
  }
  return has_any;
}

bool MpiCarrier::progress(Engine& engine) {
  if (!lost_.empty()) post();
  const bool has_ended = test();
  const bool has_given_up = !lost_.empty() && give_up_lost();
  if (!has_ended && !has_given_up) return false;
  take_frames(engine);
  if (!coming_.empty()) hand_over(engine);
  engine.settle();
  return true;
}

std::vector<long> MpiCarrier::sent() const {
  std::vector<long> sent(static_cast<std::size_t>(ranks_.size()));
  for (const auto& [to, messages] : sent_) sent[static_cast<std::size_t>(ranks_.at(to))] = messages;
  return sent;
}

}  // namespace wan::multicast
