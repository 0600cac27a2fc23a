// SPDX-License-Identifier: BSD-3-Clause
#include "mca/pml_transport.h"

#include <algorithm>
#include <new>

#include "mca/link_watch.h"

namespace wan {
namespace {

Piece bytes_at(char* address, std::size_t bytes) {
  return {address, bytes, &ompi_mpi_byte.dt, 0, bytes};
}

/// Runs a part of a step, which returns an Open MPI code; where there is no memory for it, the step fails.
template <class Part>
int if_memory(Part part) {
  try {
    return part();
  } catch (const std::bad_alloc&) {
    return OMPI_ERR_OUT_OF_RESOURCE;
  }
}

}  // namespace

PmlTransport::PmlTransport(Channel channel, Memory& memory, const Program& program, ompi_op_t* op,
                           ompi_datatype_t* element)
    : channel_(channel),
      memory_(memory),
      program_(program),
      op_(op),
      element_(element),
      messages_(static_cast<std::size_t>(program.size())),
      queues_(static_cast<std::size_t>(program.queues())) {}

Piece PmlTransport::staged(StepIndex index, std::size_t bytes) {
  if (bytes == 0) return bytes_at(nullptr, 0);
  auto& staging = message(index).staging;
  staging = std::make_unique<Staging>(Staging{spare_memory().take(bytes), bytes});
  staged_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  return bytes_at(staging->packed.get(), bytes);
}

Piece PmlTransport::to_send(StepIndex index, std::span<const Range> ranges, OwnDatatype& type) {
  if (const auto bytes = memory_.dense_piece(ranges)) return *bytes;
  const Pieces pieces = memory_.pieces(ranges);
  if (const auto one = memory_.as_one(pieces, type)) return *one;
  const Piece packed = staged(index, bytes_of(pieces));
  memory_.pack(pieces, packed.address);
  return packed;
}

Piece PmlTransport::to_receive(StepIndex index, std::span<const Range> ranges, OwnDatatype& type,
                               const Address& from) {
  if (const auto bytes = memory_.dense_piece(ranges)) return *bytes;
  Pieces pieces = memory_.pieces(ranges);
  const bool may_be_streamed = stream_peer(from, bytes_of(pieces)) != nullptr;
  if (const auto one = may_be_streamed ? std::nullopt : memory_.as_one(pieces, type)) return *one;
  const Piece packed = staged(index, bytes_of(pieces));
  if (packed.bytes > 0) message(index).staging->target = std::move(pieces);
  return packed;
}

const StreamPeer* PmlTransport::stream_peer(const Address& peer, std::size_t bytes) const {
  if (channel_.peers == nullptr || bytes < kLeastStreamed) return nullptr;
  const StreamPeer& found = (*channel_.peers)[static_cast<std::size_t>(peer.paced)];
  return found.endpoint ? &found : nullptr;
}

/// What is to be sent by Open MPI: the piece, or a ticket for it where streams take it. Those need bytes in
/// one place.
Piece PmlTransport::to_stream(StepIndex index, const Piece& piece, const Address& to) {
  const StreamPeer* const peer = stream_peer(to, piece.bytes);
  if (peer == nullptr || piece.type != &ompi_mpi_byte.dt || piece.skip != 0) return piece;
  if (!own_streams()->lead_to(peer->name, *peer->endpoint)) return piece;
  auto& streamed = message(index).streamed;
  streamed = std::make_unique<Streamed>(to, 2);
  const bool is_paced = channel_.pacer != nullptr && channel_.lead != Lead::unlimited;
  if (is_paced) streamed->pace.share = channel_.pacer->share_of(to.paced, senders());
  try {
    streamed->ticket = encode(own_streams()->send(peer->name, {piece.address, piece.bytes}, *this, index,
                                                  is_paced ? &streamed->pace : nullptr));
  } catch (const std::bad_alloc&) {
    streamed.reset();
    return piece;
  }
  if (channel_.statistics != nullptr) channel_.statistics->count_streamed();
  return bytes_at(streamed->ticket.data(), streamed->ticket.size());
}

bool PmlTransport::admits(StepIndex, const Step& step) {
  if (channel_.pacer == nullptr) return true;
  const Bytes bytes = step.length() * memory_.unit_bytes();
  const Rank peer = address_of(channel_, step.peer).paced;
  if (!channel_.pacer->paces(peer, bytes)) return true;
  const Nanoseconds now = Progress::now();
  if (channel_.pacer->learns()) link_watch().stir(now);
  wake_ns_ = channel_.pacer->ask(now, peer, bytes, senders(), channel_.lead);
  return wake_ns_ <= now;
}

/// Not much later than now: what is refused next may be for a link that is free earlier.
void PmlTransport::wake_later() {
  constexpr Nanoseconds kLongest = 100'000;
  progress().wake(*this, std::min(wake_ns_, Progress::now() + kLongest));
}

bool PmlTransport::has_room(StepIndex, const Step& step) {
  if (progress().is_full()) return false;
  constexpr std::size_t kStagedAtOnce = 4 << 20;  // bytes of a call
  if (staged_bytes_.load(std::memory_order_relaxed) < kStagedAtOnce) return true;
  const auto ranges = step.kind == StepKind::send ? step.from : step.to;
  return memory_.dense_piece(ranges) || memory_.can_be_one(memory_.pieces(ranges));
}

void PmlTransport::send(StepIndex index, const Step& step) {
  ompi_request_t* request = nullptr;
  const int status = if_memory([&] {
    OwnDatatype type;
    const Address to = address_of(channel_, step.peer);
    const Piece piece = to_stream(index, to_send(index, step.from, type), to);
    count_send(to, step);
    return MCA_PML_CALL(isend(piece.address, piece.count, piece.type, to.rank, to.tag,
                              MCA_PML_BASE_SEND_STANDARD, to.comm, &request));
  });
  watch(index, status, request);
}

void PmlTransport::receive(StepIndex index, const Step& step) {
  ompi_request_t* request = nullptr;
  const int status = if_memory([&] {
    OwnDatatype type;
    const Address from = address_of(channel_, step.peer);
    const Piece piece = to_receive(index, step.to, type, from);
    if (stream_peer(from, piece.bytes) != nullptr) {
      message(index).streamed = std::make_unique<Streamed>(from, 1);
      message(index).streamed->into = {piece.address, piece.bytes};
    }
    begin_to_await(index, from);
    return MCA_PML_CALL(
        irecv(piece.address, piece.count, piece.type, from.rank, from.tag, from.comm, &request));
  });
  watch(index, status, request);
}

void PmlTransport::count_send(const Address& to, const Step& step) {
  if (channel_.statistics != nullptr)
    channel_.statistics->count_send(to.paced, step.length() * memory_.unit_bytes());
}

void PmlTransport::begin_to_await(StepIndex index, const Address& from) {
  if (channel_.statistics == nullptr || !channel_.statistics->is_remote(from.paced)) return;
  message(index).is_awaited = true;
  wait_.begin(Progress::now);
}

void PmlTransport::watch(StepIndex index, int status, ompi_request_t* request) {
  if (status != OMPI_SUCCESS) {
    message_completed(index, status);
  } else if (REQUEST_COMPLETE(request)) {
    status = request->req_status.MPI_ERROR;
    message(index).watched.bytes = request->req_status._ucount;
    ompi_request_free(&request);
    message_completed(index, status);
  } else {
    WatchedMessage& watched = message(index).watched;
    watched = {request, this, index};
    progress().watch(watched, queues_[static_cast<std::size_t>(program_.queue_of(index))]);
  }
}

void PmlTransport::message_completed(StepIndex index, int status) {
  if (!comes_over_streams(index, status)) ended(index, status);
}

/// Is what has come a ticket? Then the message follows.
bool PmlTransport::comes_over_streams(StepIndex index, int status) {
  auto& streamed = message(index).streamed;
  TicketBytes bytes;
  if (!streamed || status != OMPI_SUCCESS || message(index).watched.bytes != bytes.size() ||
      streamed->into.size() < bytes.size())
    return false;
  std::copy_n(streamed->into.begin(), bytes.size(), bytes.begin());
  const auto ticket = decode_ticket(bytes);
  if (!ticket) return false;
  const StreamPeer* const peer = stream_peer(streamed->peer, streamed->into.size());
  try {
    own_streams()->receive(peer->name, *ticket, streamed->into, *this, index);
  } catch (const std::bad_alloc&) {
    ended(index, OMPI_ERR_OUT_OF_RESOURCE);
  }
  return true;
}

void PmlTransport::stream_ended(StepIndex index, bool is_lost) {
  ended(index, is_lost ? ompi::kLostProcess : OMPI_SUCCESS);
}

bool PmlTransport::is_in_vain(StepIndex index) {
  const Address& peer = message(index).streamed->peer;
  return ompi::has_failed(peer.comm, peer.rank);
}

/// One part of a message has ended.
void PmlTransport::ended(StepIndex index, int status) {
  if (auto& streamed = message(index).streamed) {
    if (status != OMPI_SUCCESS) streamed->status = status;
    if (--streamed->left > 0) return;
    status = streamed->status;
    streamed.reset();
  }
  if (std::exchange(message(index).is_awaited, false))
    if (const Nanoseconds waited = wait_.end(Progress::now); waited > 0)
      channel_.statistics->count_wait(waited);
  auto& staging = message(index).staging;
  if (staging) {
    if (!staging->target.empty() && status == OMPI_SUCCESS)
      memory_.unpack(staging->packed.get(), staging->target);
    staged_bytes_.fetch_sub(staging->bytes, std::memory_order_relaxed);
    staging.reset();
  }
  execution_->completed(index, status);
}

int PmlTransport::copy(const Step& step) {
  return if_memory([&] {
    memory_.copy(memory_.pieces(step.from), memory_.pieces(step.to));
    return OMPI_SUCCESS;
  });
}

int PmlTransport::reduce(const Step& step) {
  ompi::reduce(op_, memory_.element(step.from[0]), memory_.element(step.to[0]),
               static_cast<std::size_t>(step.length()), element_);
  return OMPI_SUCCESS;
}

void PmlTransport::cancel(StepIndex index) {
  progress().cancel(*this, index);
}

}  // namespace wan
