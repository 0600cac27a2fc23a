// SPDX-License-Identifier: BSD-3-Clause
// The Transport over Open MPI's point-to-point layer (PML): one tag per call, standard sends, messages in
// place where MPI can describe them and through a staging buffer elsewhere, of which few are under way at
// once. Threads: as Transport says; completions come from whichever thread makes progress. Tested by:
// tests/mpi.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "mca/buffers.h"
#include "mca/channel.h"
#include "mca/progress.h"
#include "mca/stream_peers.h"
#include "process/spare_memory.h"
#include "process/wait_clock.h"
#include "run/execution.h"
#include "run/pacer.h"
#include "run/transport.h"

namespace wan {

class PmlTransport final : public Transport, private MessageOwner, private StreamUser {
 public:
  /// `op` and `element` are those of a reduction, nullptr elsewhere. All must outlive the transport.
  PmlTransport(Channel channel, Memory& memory, const Program& program, ompi_op_t* op,
               ompi_datatype_t* element);
  /// Whom to tell of completed messages; before the first message.
  void attach(Execution& execution) { execution_ = &execution; }

  bool admits(StepIndex index, const Step& step) override;
  bool has_room(StepIndex index, const Step& step) override;
  void wake_later() override;
  void send(StepIndex index, const Step& step) override;
  void receive(StepIndex index, const Step& step) override;
  int copy(const Step& step) override;
  int reduce(const Step& step) override;
  void cancel(StepIndex index) override;

 private:
  /// A message that does not lie in one piece; gone when the message is done.
  struct Staging {
    SpareMemory::Piece packed;
    std::size_t bytes;
    Pieces target = {};  ///< where a received message belongs; empty for a sent one
  };
  void message_completed(StepIndex index, int status) override;
  void woken() override { execution_->woken(); }
  void stream_ended(StepIndex index, bool is_lost) override;
  bool is_in_vain(StepIndex index) override;
  /// Holds what goes over streams to the rate of its link.
  struct Paced : StreamPace {
    LinkShare share;
    Bytes room(Nanoseconds now) override { return share.frame_room(now); }
    void take(Nanoseconds now, Bytes bytes) override { share.take_frame(now, bytes); }
    Bytes window() override { return share.frame_window(); }
  };
  /// A message that goes over streams, or may come so.
  struct Streamed {
    explicit Streamed(const Address& other, int parts) : peer(other), left(parts) {}
    const Address peer;
    Paced pace;
    TicketBytes ticket{};       ///< that is sent
    std::span<char> into = {};  ///< where a message that comes belongs
    std::atomic<int> left;      ///< parts that have yet to end: Open MPI's, and what streams carry
    std::atomic<int> status = OMPI_SUCCESS;  ///< of those that have
  };
  struct Message {
    WatchedMessage watched;
    std::unique_ptr<Staging> staging;
    std::unique_ptr<Streamed> streamed;
    bool is_awaited = false;  ///< from another site
  };

  Message& message(StepIndex index) { return messages_[static_cast<std::size_t>(index)]; }
  void begin_to_await(StepIndex index, const Address& from);
  void count_send(const Address& to, const Step& step);
  void watch(StepIndex index, int status, ompi_request_t* request);
  /// Whom streams may lead to; nullptr: this message goes by Open MPI.
  const StreamPeer* stream_peer(const Address& peer, std::size_t bytes) const;
  Piece to_stream(StepIndex index, const Piece& piece, const Address& to);
  int senders() const { return program_.knows_senders() ? program_.senders() : 0; }
  bool comes_over_streams(StepIndex index, int status);
  void ended(StepIndex index, int status);
  Piece staged(StepIndex index, std::size_t bytes);
  /// For MPI's call; `type` must live until that has returned.
  Piece to_send(StepIndex index, std::span<const Range> ranges, OwnDatatype& type);
  Piece to_receive(StepIndex index, std::span<const Range> ranges, OwnDatatype& type, const Address& from);

  Channel channel_;
  Memory& memory_;
  const Program& program_;
  ompi_op_t* op_;
  ompi_datatype_t* element_;
  Execution* execution_ = nullptr;
  WaitClock wait_;           ///< for messages of other sites
  Nanoseconds wake_ns_ = 0;  ///< when what was refused last may go
  std::atomic<std::size_t> staged_bytes_ = 0;
  std::vector<Message> messages_;        ///< by step
  std::vector<Progress::Queue> queues_;  ///< of the Program
};

}  // namespace wan
