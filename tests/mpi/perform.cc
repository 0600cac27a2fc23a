// SPDX-License-Identifier: BSD-3-Clause
// Performing a call in its form. Threads: see perform.h. Tested by: every program that performs.
#include "perform.h"

namespace mpitest {
namespace {

constexpr int kStarts = 3;

void check(const Complain& complain, int code, const std::string& what) {
  if (code != MPI_SUCCESS) complain(what + " returned error " + std::to_string(code));
}

/// Waits, or tests until done, as the seed says.
void complete(const Complain& complain, MPI_Request* request, std::uint64_t seed) {
  if (seed % 2) return check(complain, MPI_Wait(request, MPI_STATUS_IGNORE), "MPI_Wait");
  for (int done = 0; !done;) {
    const int code = MPI_Test(request, &done, MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS) return check(complain, code, "MPI_Test");
  }
}

/// From filled buffers to the comparison.
void finish(const Complain& complain, Action& action, MPI_Request* request, std::uint64_t seed,
            const Around& around) {
  complete(complain, request, seed);
  around.after();
  if (const std::string wrong = action.verify(); !wrong.empty()) complain(wrong);
}

void perform_once(const Complain& complain, Action& action, std::uint64_t seed, const Around& around) {
  MPI_Request request = MPI_REQUEST_NULL;
  action.fill(seed);
  around.before();
  check(complain, action.issue(&request), "call");
  finish(complain, action, &request, seed, around);
}

void perform_persistent(const Complain& complain, Action& action, std::uint64_t seed, const Around& around) {
  MPI_Request request = MPI_REQUEST_NULL;
  action.fill(seed);
  check(complain, action.issue(&request), "init");
  for (int start = 0; start < kStarts; ++start) {
    action.fill(seed + static_cast<std::uint64_t>(start));
    around.before();
    check(complain, start % 2 ? MPI_Startall(1, &request) : MPI_Start(&request), "start");
    finish(complain, action, &request, seed, around);
  }
  check(complain, MPI_Request_free(&request), "MPI_Request_free");
  if (request != MPI_REQUEST_NULL) complain("MPI_Request_free left a request");
}

}  // namespace

void perform(const Complain& complain, Action& action, Form form, std::uint64_t seed, const Around& around) {
  if (form == Form::kPersistent) return perform_persistent(complain, action, seed, around);
  perform_once(complain, action, seed, around);
}

}  // namespace mpitest
