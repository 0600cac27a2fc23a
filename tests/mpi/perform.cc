// SPDX-License-Identifier: BSD-3-Clause
// Performing a call in its form. Threads: see perform.h. Tested by: every program that performs.
#include "perform.h"

namespace mpitest {
namespace {

constexpr int kStarts = 3;

void check(Session& session, int code, const std::string& what) {
  session.check(code == MPI_SUCCESS, what + " returned error " + std::to_string(code));
}

/// Waits, or tests until done, as the seed says.
void complete(Session& session, MPI_Request* request, std::uint64_t seed) {
  if (seed % 2) return check(session, MPI_Wait(request, MPI_STATUS_IGNORE), "MPI_Wait");
  for (int done = 0; !done;) {
    const int code = MPI_Test(request, &done, MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS) return check(session, code, "MPI_Test");
  }
}

/// From filled buffers to the comparison.
void finish(Session& session, Action& action, MPI_Request* request, std::uint64_t seed,
            const Around& around) {
  complete(session, request, seed);
  around.after();
  if (const std::string wrong = action.verify(); !wrong.empty()) session.fail(wrong);
}

void perform_once(Session& session, Action& action, std::uint64_t seed, const Around& around) {
  MPI_Request request = MPI_REQUEST_NULL;
  action.fill(seed);
  around.before();
  check(session, action.issue(&request), "call");
  finish(session, action, &request, seed, around);
}

void perform_persistent(Session& session, Action& action, std::uint64_t seed, const Around& around) {
  MPI_Request request = MPI_REQUEST_NULL;
  action.fill(seed);
  check(session, action.issue(&request), "init");
  for (int start = 0; start < kStarts; ++start) {
    action.fill(seed + static_cast<std::uint64_t>(start));
    around.before();
    check(session, start % 2 ? MPI_Startall(1, &request) : MPI_Start(&request), "start");
    finish(session, action, &request, seed, around);
  }
  check(session, MPI_Request_free(&request), "MPI_Request_free");
  session.check(request == MPI_REQUEST_NULL, "MPI_Request_free left a request");
}

}  // namespace

void perform(Session& session, Action& action, Form form, std::uint64_t seed, const Around& around) {
  if (form == Form::kPersistent) return perform_persistent(session, action, seed, around);
  perform_once(session, action, seed, around);
}

}  // namespace mpitest
