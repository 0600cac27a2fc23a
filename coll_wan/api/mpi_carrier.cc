// SPDX-License-Identifier: BSD-3-Clause
#include "api/mpi_carrier.h"

#include <algorithm>
#include <utility>

#include "api/lost_processes.h"

namespace wan::multicast {
namespace {

constexpr int kTag = 1;
/// Messages that are asked for before what they bring is passed on.
constexpr std::size_t kMostComing = 64;

}  // namespace

/// That processes are lost is told by the requests that needed them.
void MpiCarrier::note(int error) {
  if (error_ == MPI_SUCCESS && !LostProcesses::is_loss(error)) error_ = error;
}

int MpiCarrier::take_error() {
  return std::exchange(error_, MPI_SUCCESS);
}

void MpiCarrier::send(Position to, std::shared_ptr<const Packet> packet) {
  const std::string_view bytes = packet->buffer.view();
  MPI_Request request = MPI_REQUEST_NULL;
  note(MPI_Isend(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, ranks_.at(to), kTag, comm_,
                 &request));
  ++sent_[to];
  sends_.push_back(request);
  packets_.push_back(std::move(packet));
}

bool MpiCarrier::complete_sends() {
  if (sends_.empty()) return false;
  int count = 0;
  done_.resize(sends_.size());
  statuses_.resize(sends_.size());
  const int error =
      MPI_Testsome(static_cast<int>(sends_.size()), sends_.data(), &count, done_.data(), statuses_.data());
  if (count == 0 || count == MPI_UNDEFINED) {
    note(error);
    return false;
  }
  for (int i = 0; error != MPI_SUCCESS && i < count; ++i)
    note(statuses_[static_cast<std::size_t>(i)].MPI_ERROR);
  std::sort(done_.begin(), done_.begin() + count, std::greater<>());
  for (int i = 0; i < count; ++i) {
    const auto place = static_cast<std::size_t>(done_[static_cast<std::size_t>(i)]);
    sends_[place] = sends_.back();
    packets_[place] = std::move(packets_.back());
    sends_.pop_back();
    packets_.pop_back();
  }
  return true;
}

bool MpiCarrier::ask_for_more() {
  bool asked = false;
  while (coming_.size() < kMostComing) {
    int flag = 0, bytes = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    const int error = MPI_Improbe(MPI_ANY_SOURCE, kTag, comm_, &flag, &message, &status);
    if (error != MPI_SUCCESS) note(error);
    if (error != MPI_SUCCESS || flag == 0) break;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    coming_.push_back(
        {positions_.at(status.MPI_SOURCE), Buffer(static_cast<std::size_t>(bytes)), MPI_REQUEST_NULL});
    Coming& next = coming_.back();
    note(MPI_Imrecv(next.buffer.writable().data(), bytes, MPI_BYTE, &message, &next.request));
    asked = true;
  }
  return asked;
}

/// In the order in which each process has sent.
bool MpiCarrier::hand_over(Engine& engine) {
  std::vector<Position> waiting;
  bool has_happened = false;
  for (Coming& each : coming_) {
    if (std::ranges::find(waiting, each.from) != waiting.end()) continue;
    int flag = 0;
    const int error = MPI_Test(&each.request, &flag, MPI_STATUS_IGNORE);
    note(error);
    if (flag == 0 && error == MPI_SUCCESS) {
      waiting.push_back(each.from);
      continue;
    }
    each.is_here = has_happened = true;
    ++received_;
    if (error != MPI_SUCCESS) continue;
    if (!engine.arrived(each.from, std::move(each.buffer))) note(MPI_ERR_INTERN);
  }
  std::erase_if(coming_, [](const Coming& each) { return each.is_here; });
  return has_happened;
}

bool MpiCarrier::progress(Engine& engine) {
  const bool has_sent = complete_sends(), has_asked = ask_for_more(), has_come = hand_over(engine);
  if (has_sent || has_come) engine.settle();
  return has_sent || has_asked || has_come;
}

std::vector<long> MpiCarrier::sent() const {
  std::vector<long> sent(static_cast<std::size_t>(ranks_.size()));
  for (const auto& [to, messages] : sent_) sent[static_cast<std::size_t>(ranks_.at(to))] = messages;
  return sent;
}

}  // namespace wan::multicast
