// SPDX-License-Identifier: BSD-3-Clause
// As much of MPI as libwan_multicast uses, between the threads of one process: each rank is an MPI_Comm of a
// StubWorld. A send has ended when its message has been received, and messages of one rank to another keep
// their order. A long one takes a while, and shorter ones after it come before. For tests/threads/run:
// ThreadSanitizer sees all of it.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

// NOLINTBEGIN: names are those of MPI
class StubWorld;
struct MPI_Status {
  int MPI_SOURCE = 0, MPI_TAG = 0, MPI_ERROR = 0;
  long long bytes = 0;
};
struct StubMessage {
  int source, context, tag;
  std::vector<char> bytes;
  std::shared_ptr<bool> received;
};
struct StubReceive {
  int source, context, tag;
  char* buffer;
  MPI_Status status{};
  bool has_ended = false;
  std::vector<char> coming{};
  std::shared_ptr<bool> received{};
  int looks = -1;  ///< until it has come

  bool fits(const StubMessage& message) const;
  void take(const StubMessage& message);
  bool look();
};
struct StubRequest {
  StubWorld* world;
  std::function<bool()> test;  ///< with the world's mutex
  std::shared_ptr<StubReceive> receive{};
};
struct StubComm {
  StubWorld* world;
  int rank, context;
  int duplicates = 0, collectives = 0;
};
using MPI_Comm = StubComm*;
using MPI_Request = StubRequest*;
using MPI_Info = std::map<std::string, std::string>*;
using MPI_Datatype = int;  ///< bytes of an element
using MPI_Op = int;
using MPI_Count = long long;
using MPI_Aint = std::intptr_t;
using MPI_Errhandler = int;

class StubWorld {
 public:
  explicit StubWorld(int size)
      : size_(size), inboxes_(static_cast<std::size_t>(size)), posted_(static_cast<std::size_t>(size)) {
    for (int rank = 0; rank < size; ++rank) comms_.push_back({this, rank, 0});
  }
  MPI_Comm comm(int rank) { return &comms_[static_cast<std::size_t>(rank)]; }
  int size() const { return size_; }

  using Contributions = std::vector<std::vector<char>>;
  /// All ranks take part in the same order; `finish` gets what each has given, by rank.
  MPI_Request collective(MPI_Comm comm, std::vector<char> own,
                         std::function<void(const Contributions&)> finish);
  MPI_Request send(MPI_Comm comm, int to, int tag, std::vector<char> bytes);
  MPI_Request receive(MPI_Comm comm, int source, int tag, void* buffer);
  void cancel(MPI_Request request);
  bool has_ended(MPI_Request request);

 private:
  struct Meeting {
    int present = 0, left = 0;
    Contributions given;
  };
  int size_;
  std::mutex mutex_;
  std::deque<StubComm> comms_;
  std::vector<std::list<StubMessage>> inboxes_;
  std::vector<std::list<std::shared_ptr<StubReceive>>> posted_;
  std::map<std::pair<int, int>, Meeting> meetings_;
};

inline constexpr MPI_Comm MPI_COMM_NULL = nullptr, MPI_COMM_SELF = nullptr;
inline constexpr MPI_Request MPI_REQUEST_NULL = nullptr;
inline constexpr MPI_Info MPI_INFO_NULL = nullptr;
inline constexpr MPI_Status* MPI_STATUS_IGNORE = nullptr;
inline constexpr MPI_Status* MPI_STATUSES_IGNORE = nullptr;
inline constexpr MPI_Datatype MPI_DATATYPE_NULL = 0, MPI_BYTE = 1, MPI_CHAR = 1, MPI_INT = 4, MPI_LONG = 8;
inline constexpr MPI_Op MPI_MAX = 1, MPI_SUM = 2;
inline constexpr MPI_Errhandler MPI_ERRORS_RETURN = 1;
inline constexpr int MPI_SUCCESS = 0, MPI_ERR_BUFFER = 1, MPI_ERR_COUNT = 2, MPI_ERR_TYPE = 3,
                     MPI_ERR_TAG = 4, MPI_ERR_COMM = 5, MPI_ERR_RANK = 6, MPI_ERR_ARG = 13,
                     MPI_ERR_TRUNCATE = 15, MPI_ERR_OTHER = 16, MPI_ERR_INTERN = 17, MPI_ERR_NO_MEM = 34,
                     MPI_ERR_INFO_VALUE = 35;
inline constexpr int MPI_ANY_SOURCE = -1, MPI_ANY_TAG = -1, MPI_UNDEFINED = -32766, MPI_COMBINER_NAMED = 0,
                     MPI_THREAD_SINGLE = 0, MPI_THREAD_MULTIPLE = 3, MPI_MAX_INFO_VAL = 255,
                     MPI_MAX_PROCESSOR_NAME = 255;

int MPI_Comm_rank(MPI_Comm comm, int* rank);
int MPI_Comm_size(MPI_Comm comm, int* size);
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* duplicate);
int MPI_Comm_free(MPI_Comm* comm);
int MPI_Comm_test_inter(MPI_Comm comm, int* flag);
int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler);
int MPI_Query_thread(int* provided);
int MPI_Get_processor_name(char* name, int* length);
int MPI_Info_get(MPI_Info info, const char* key, int size, char* value, int* flag);
int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request);
int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
              MPI_Request* request);
int MPI_Cancel(MPI_Request* request);
int MPI_Wait(MPI_Request* request, MPI_Status* status);
int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status);
int MPI_Testsome(int count, MPI_Request requests[], int* done, int places[], MPI_Status statuses[]);
int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request);
int MPI_Allreduce(const void* own, void* all, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Allgather(const void* own, int count, MPI_Datatype type, void* all, int each, MPI_Datatype of_all,
                  MPI_Comm comm);
int MPI_Allgatherv(const void* own, int count, MPI_Datatype type, void* all, const int lengths[],
                   const int begins[], MPI_Datatype of_all, MPI_Comm comm);
int MPI_Ireduce_scatter_block(const void* own, void* sum, int count, MPI_Datatype type, MPI_Op op,
                              MPI_Comm comm, MPI_Request* request);
int MPI_Get_count(const MPI_Status* status, MPI_Datatype type, int* count);
int MPI_Status_set_elements(MPI_Status* status, MPI_Datatype type, int count);
int MPI_Status_set_elements_x(MPI_Status* status, MPI_Datatype type, MPI_Count count);
int MPI_Status_set_cancelled(MPI_Status* status, int flag);
int MPI_Type_size(MPI_Datatype type, int* size);
int MPI_Type_size_x(MPI_Datatype type, MPI_Count* size);
int MPI_Type_get_extent(MPI_Datatype type, MPI_Aint* low, MPI_Aint* extent);
int MPI_Type_get_envelope(MPI_Datatype type, int* integers, int* addresses, int* types, int* combiner);
int MPI_Type_dup(MPI_Datatype type, MPI_Datatype* duplicate);
int MPI_Type_free(MPI_Datatype* type);
int MPI_Pack(const void* from, int count, MPI_Datatype type, void* to, int size, int* position,
             MPI_Comm comm);
int MPI_Unpack(const void* from, int size, int* position, void* to, int count, MPI_Datatype type,
               MPI_Comm comm);
// NOLINTEND
