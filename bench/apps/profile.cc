// SPDX-License-Identifier: BSD-3-Clause
#include "bench/apps/profile.h"

#include <fmt/format.h>
#include <mpi.h>

#include <map>
#include <string_view>

#include "bench/common/release.h"

namespace wan::bench {
namespace {

struct Profile {
  Nanoseconds time_ns = 0;
  std::map<std::string_view, std::int64_t> calls;
};

Profile& profile() {
  static Profile all;
  return all;
}

/// Calls `function`, which is named `name`.
template <class Function, class... Arguments>
int profiled(std::string_view name, Function function, Arguments... arguments) {
  const Nanoseconds start = now_ns();
  const int code = function(arguments...);
  profile().time_ns += now_ns() - start;
  ++profile().calls[name];
  return code;
}

}  // namespace

void reset_profile() {
  profile() = {};
}

Nanoseconds profiled_ns() {
  return profile().time_ns;
}

std::string profiled_calls() {
  std::string text;
  for (const auto& [name, number] : profile().calls)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, number);
  return text;
}

}  // namespace wan::bench

using wan::bench::profiled;

extern "C" {

int MPI_Barrier(MPI_Comm comm) {
  return profiled("barrier", PMPI_Barrier, comm);
}

int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  return profiled("bcast", PMPI_Bcast, data, count, type, root, comm);
}

int MPI_Reduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  return profiled("reduce", PMPI_Reduce, in, out, count, type, op, root, comm);
}

int MPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return profiled("allreduce", PMPI_Allreduce, in, out, count, type, op, comm);
}

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  return profiled("send", PMPI_Send, data, count, type, to, tag, comm);
}

int MPI_Rsend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  return profiled("rsend", PMPI_Rsend, data, count, type, to, tag, comm);
}

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  return profiled("isend", PMPI_Isend, data, count, type, to, tag, comm, request);
}

int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  return profiled("recv", PMPI_Recv, data, count, type, from, tag, comm, status);
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  return profiled("irecv", PMPI_Irecv, data, count, type, from, tag, comm, request);
}

int MPI_Sendrecv(const void* in, int sends, MPI_Datatype send_type, int to, int send_tag, void* out,
                 int receives, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  return profiled("sendrecv", PMPI_Sendrecv, in, sends, send_type, to, send_tag, out, receives, type, from,
                  tag, comm, status);
}

int MPI_Testall(int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
  return profiled("testall", PMPI_Testall, count, requests, flag, statuses);
}

int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  return profiled("waitall", PMPI_Waitall, count, requests, statuses);
}

}  // extern "C"
