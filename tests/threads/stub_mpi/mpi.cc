// SPDX-License-Identifier: BSD-3-Clause
#include "tests/threads/stub_mpi/mpi.h"

#include <algorithm>
#include <cstring>
#include <thread>

namespace {

std::vector<char> bytes_of(const void* buffer, int count, MPI_Datatype type) {
  const char* const begin = static_cast<const char*>(buffer);
  return {begin, begin + static_cast<std::ptrdiff_t>(count) * type};
}

bool test(MPI_Request& request, MPI_Status* status = MPI_STATUS_IGNORE) {
  if (request != MPI_REQUEST_NULL && !request->world->has_ended(request)) return false;
  if (status != MPI_STATUS_IGNORE && request != MPI_REQUEST_NULL && request->receive)
    *status = request->receive->status;
  delete request;
  request = MPI_REQUEST_NULL;
  return true;
}

void wait(MPI_Request request) {
  while (!test(request)) std::this_thread::yield();
}

}  // namespace

MPI_Request StubWorld::collective(MPI_Comm comm, std::vector<char> own,
                                  std::function<void(const Contributions&)> finish) {
  const std::lock_guard lock(mutex_);
  const std::pair key(comm->context, comm->collectives++);
  Meeting& meeting = meetings_[key];
  meeting.given.resize(static_cast<std::size_t>(size_));
  meeting.given[static_cast<std::size_t>(comm->rank)] = std::move(own);
  ++meeting.present;
  return new StubRequest{this, [this, key, finish = std::move(finish)] {
                           Meeting& meeting = meetings_.at(key);
                           if (meeting.present < size_) return false;
                           finish(meeting.given);
                           if (++meeting.left == size_) meetings_.erase(key);
                           return true;
                         }};
}

bool StubReceive::fits(const StubMessage& message) const {
  return context == message.context && tag == message.tag &&
         (source == MPI_ANY_SOURCE || source == message.source);
}

void StubReceive::take(const StubMessage& message) {
  constexpr std::size_t kLong = 4'096;
  coming = message.bytes;
  received = message.received;
  looks = coming.size() > kLong ? 3 : 0;
  status = {message.source, tag, MPI_SUCCESS, static_cast<long long>(coming.size())};
}

bool StubReceive::look() {
  if (has_ended || looks < 0 || looks-- > 0) return has_ended;
  std::ranges::copy(coming, buffer);
  return *received = has_ended = true;
}

MPI_Request StubWorld::send(MPI_Comm comm, int to, int tag, std::vector<char> bytes) {
  const std::lock_guard lock(mutex_);
  auto received = std::make_shared<bool>(false);
  StubMessage message{comm->rank, comm->context, tag, std::move(bytes), received};
  auto& posted = posted_[static_cast<std::size_t>(to)];
  const auto found = std::ranges::find_if(posted, [&](const auto& each) { return each->fits(message); });
  if (found == posted.end()) {
    inboxes_[static_cast<std::size_t>(to)].push_back(std::move(message));
  } else {
    (*found)->take(message);
    posted.erase(found);
  }
  return new StubRequest{this, [received] { return *received; }};
}

MPI_Request StubWorld::receive(MPI_Comm comm, int source, int tag, void* buffer) {
  const std::lock_guard lock(mutex_);
  const auto receive =
      std::make_shared<StubReceive>(StubReceive{source, comm->context, tag, static_cast<char*>(buffer)});
  auto& inbox = inboxes_[static_cast<std::size_t>(comm->rank)];
  const auto found = std::ranges::find_if(inbox, [&](const auto& each) { return receive->fits(each); });
  if (found == inbox.end()) {
    posted_[static_cast<std::size_t>(comm->rank)].push_back(receive);
  } else {
    receive->take(*found);
    inbox.erase(found);
  }
  return new StubRequest{this, [receive] { return receive->look(); }, receive};
}

void StubWorld::cancel(MPI_Request request) {
  const std::lock_guard lock(mutex_);
  request->receive->has_ended = true;
  for (auto& posted : posted_) std::erase(posted, request->receive);
}

bool StubWorld::has_ended(MPI_Request request) {
  const std::lock_guard lock(mutex_);
  return request->test();
}

int MPI_Comm_rank(MPI_Comm comm, int* rank) {
  *rank = comm->rank;
  return MPI_SUCCESS;
}
int MPI_Comm_size(MPI_Comm comm, int* size) {
  *size = comm->world->size();
  return MPI_SUCCESS;
}
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* duplicate) {
  *duplicate = new StubComm{comm->world, comm->rank, 100 * comm->context + ++comm->duplicates};
  return MPI_SUCCESS;
}
int MPI_Comm_free(MPI_Comm* comm) {
  delete *comm;
  *comm = MPI_COMM_NULL;
  return MPI_SUCCESS;
}
int MPI_Comm_test_inter(MPI_Comm, int* flag) {
  *flag = 0;
  return MPI_SUCCESS;
}
int MPI_Comm_set_errhandler(MPI_Comm, MPI_Errhandler) {
  return MPI_SUCCESS;
}
int MPI_Query_thread(int* provided) {
  *provided = MPI_THREAD_MULTIPLE;
  return MPI_SUCCESS;
}
int MPI_Get_processor_name(char* name, int* length) {
  std::strcpy(name, "host");
  *length = 4;
  return MPI_SUCCESS;
}
int MPI_Info_get(MPI_Info info, const char* key, int, char* value, int* flag) {
  *flag = info->contains(key) ? 1 : 0;
  if (*flag != 0) std::strcpy(value, info->at(key).c_str());
  return MPI_SUCCESS;
}

int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  *request = comm->world->send(comm, to, tag, bytes_of(buffer, count, type));
  return MPI_SUCCESS;
}
int MPI_Irecv(void* buffer, int, MPI_Datatype, int source, int tag, MPI_Comm comm, MPI_Request* request) {
  *request = comm->world->receive(comm, source, tag, buffer);
  return MPI_SUCCESS;
}
int MPI_Cancel(MPI_Request* request) {
  (*request)->world->cancel(*request);
  return MPI_SUCCESS;
}
int MPI_Wait(MPI_Request* request, MPI_Status*) {
  wait(*request);
  *request = MPI_REQUEST_NULL;
  return MPI_SUCCESS;
}
int MPI_Test(MPI_Request* request, int* flag, MPI_Status*) {
  *flag = test(*request) ? 1 : 0;
  return MPI_SUCCESS;
}
int MPI_Testsome(int count, MPI_Request requests[], int* done, int places[], MPI_Status statuses[]) {
  *done = 0;
  for (int i = 0; i < count; ++i) {
    if (requests[i] == MPI_REQUEST_NULL || !test(requests[i], &statuses[*done])) continue;
    statuses[*done].MPI_ERROR = MPI_SUCCESS;
    places[(*done)++] = i;
  }
  return MPI_SUCCESS;
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  *request = comm->world->collective(comm, {}, [](const auto&) {});
  return MPI_SUCCESS;
}
int MPI_Allreduce(const void* own, void* all, int count, MPI_Datatype type, MPI_Op, MPI_Comm comm) {
  int* const most = static_cast<int*>(all);
  wait(comm->world->collective(comm, bytes_of(own, count, type), [=](const auto& given) {
    for (std::size_t rank = 0; rank < given.size(); ++rank)
      for (int i = 0; i < count; ++i) {
        int number = 0;
        std::memcpy(&number, given[rank].data() + i * type, sizeof number);
        most[i] = rank == 0 ? number : std::max(most[i], number);
      }
  }));
  return MPI_SUCCESS;
}
int MPI_Allgather(const void* own, int count, MPI_Datatype type, void* all, int, MPI_Datatype,
                  MPI_Comm comm) {
  wait(comm->world->collective(comm, bytes_of(own, count, type), [=](const auto& given) {
    char* to = static_cast<char*>(all);
    for (const auto& each : given) to = std::ranges::copy(each, to).out;
  }));
  return MPI_SUCCESS;
}
int MPI_Allgatherv(const void* own, int count, MPI_Datatype type, void* all, const int[], const int begins[],
                   MPI_Datatype, MPI_Comm comm) {
  wait(comm->world->collective(comm, bytes_of(own, count, type), [=](const auto& given) {
    for (std::size_t rank = 0; rank < given.size(); ++rank)
      std::ranges::copy(given[rank], static_cast<char*>(all) + begins[rank]);
  }));
  return MPI_SUCCESS;
}
int MPI_Ireduce_scatter_block(const void* own, void* sum, int, MPI_Datatype type, MPI_Op, MPI_Comm comm,
                              MPI_Request* request) {
  const int rank = comm->rank;
  *request =
      comm->world->collective(comm, bytes_of(own, comm->world->size(), type), [rank, sum](const auto& given) {
        long total = 0;
        for (const auto& each : given) {
          long number = 0;
          std::memcpy(&number, each.data() + static_cast<std::size_t>(rank) * sizeof number, sizeof number);
          total += number;
        }
        *static_cast<long*>(sum) = total;
      });
  return MPI_SUCCESS;
}

int MPI_Get_count(const MPI_Status* status, MPI_Datatype type, int* count) {
  *count = static_cast<int>(status->bytes / type);
  return MPI_SUCCESS;
}
int MPI_Status_set_elements_x(MPI_Status* status, MPI_Datatype type, MPI_Count count) {
  status->bytes = count * type;
  return MPI_SUCCESS;
}
int MPI_Status_set_elements(MPI_Status* status, MPI_Datatype type, int count) {
  return MPI_Status_set_elements_x(status, type, count);
}
int MPI_Status_set_cancelled(MPI_Status*, int) {
  return MPI_SUCCESS;
}
int MPI_Type_size(MPI_Datatype type, int* size) {
  *size = type;
  return MPI_SUCCESS;
}
int MPI_Type_size_x(MPI_Datatype type, MPI_Count* size) {
  *size = type;
  return MPI_SUCCESS;
}
int MPI_Type_get_extent(MPI_Datatype type, MPI_Aint* low, MPI_Aint* extent) {
  *low = 0;
  *extent = type;
  return MPI_SUCCESS;
}
int MPI_Type_get_envelope(MPI_Datatype, int* integers, int* addresses, int* types, int* combiner) {
  *integers = *addresses = *types = 0;
  *combiner = MPI_COMBINER_NAMED;
  return MPI_SUCCESS;
}
int MPI_Type_dup(MPI_Datatype type, MPI_Datatype* duplicate) {
  *duplicate = type;
  return MPI_SUCCESS;
}
int MPI_Type_free(MPI_Datatype* type) {
  *type = MPI_DATATYPE_NULL;
  return MPI_SUCCESS;
}
int MPI_Pack(const void* from, int count, MPI_Datatype type, void* to, int, int*, MPI_Comm) {
  std::memcpy(to, from, static_cast<std::size_t>(count) * static_cast<std::size_t>(type));
  return MPI_SUCCESS;
}
int MPI_Unpack(const void* from, int, int*, void* to, int count, MPI_Datatype type, MPI_Comm) {
  std::memcpy(to, from, static_cast<std::size_t>(count) * static_cast<std::size_t>(type));
  return MPI_SUCCESS;
}
