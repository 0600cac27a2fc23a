// SPDX-License-Identifier: BSD-3-Clause
// Invalid arguments: the call returns an error (MPI_ERRORS_RETURN), does not hang, and the communicator works
// afterwards.
//   mpi_errors
// Every process makes the same mistake, so that nobody waits for anybody. But for one kind: the first process
// has less for the others than they expect. Then the call may succeed there or be truncated, as with other
// components; it ends on all processes. Threads: one. Tested by: stock Open MPI (must pass).
#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

#include "forms.h"
#include "session.h"

namespace mpitest {
namespace {

/// A wrong call: returns MPI's code.
struct Mistake {
  std::string name;
  std::function<int(Form, MPI_Comm, MPI_Request*)> make;
};

int buffer[64];
int other[64];

/// A datatype that was never committed.
MPI_Datatype uncommitted() {
  static const MPI_Datatype made = [] {
    MPI_Datatype type;
    MPI_Type_contiguous(2, MPI_INT, &type);
    return type;
  }();
  return made;
}

const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> all = {
      {"bcast from a root that does not exist",
       [](Form f, MPI_Comm c, MPI_Request* r) {
         return issue(f, r, MPITEST_FORMS(Bcast, bcast), buffer, 1, MPI_INT, 1000, c);
       }},
      {"bcast of a negative count",
       [](Form f, MPI_Comm c, MPI_Request* r) {
         return issue(f, r, MPITEST_FORMS(Bcast, bcast), buffer, -1, MPI_INT, 0, c);
       }},
      {"bcast of no datatype",
       [](Form f, MPI_Comm c, MPI_Request* r) {
         return issue(f, r, MPITEST_FORMS(Bcast, bcast), buffer, 1, MPI_DATATYPE_NULL, 0, c);
       }},
      {"bcast of a datatype that was not committed",
       [](Form f, MPI_Comm c, MPI_Request* r) {
         return issue(f, r, MPITEST_FORMS(Bcast, bcast), buffer, 1, uncommitted(), 0, c);
       }},
      {"reduce to a negative root",
       [](Form f, MPI_Comm c, MPI_Request* r) {
         return issue(f, r, MPITEST_FORMS(Reduce, reduce), buffer, other, 1, MPI_INT, MPI_SUM, -7, c);
       }},
      {"allreduce without an operator",
       [](Form f, MPI_Comm c, MPI_Request* r) {
         return issue(f, r, MPITEST_FORMS(Allreduce, allreduce), buffer, other, 1, MPI_INT, MPI_OP_NULL, c);
       }},
      {"allreduce with an operator that does not fit the datatype",
       [](Form f, MPI_Comm c, MPI_Request* r) {
         return issue(f, r, MPITEST_FORMS(Allreduce, allreduce), buffer, other, 1, MPI_DOUBLE, MPI_BAND, c);
       }},
      {"allgather into MPI_IN_PLACE",
       [](Form f, MPI_Comm c, MPI_Request* r) {
         return issue(f, r, MPITEST_FORMS(Allgather, allgather), buffer, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT,
                      c);
       }},
      {"alltoall of a negative count",
       [](Form f, MPI_Comm c, MPI_Request* r) {
         return issue(f, r, MPITEST_FORMS(Alltoall, alltoall), buffer, -2, MPI_INT, other, -2, MPI_INT, c);
       }},
      {"scan of a negative count",
       [](Form f, MPI_Comm c, MPI_Request* r) {
         return issue(f, r, MPITEST_FORMS(Scan, scan), buffer, other, -1, MPI_INT, MPI_SUM, c);
       }},
  };
  return all;
}

/// The first process has fewer elements than the others expect.
const std::vector<Mistake>& disagreements() {
  static const auto sent = [](MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank == 0 ? 2 : 5;
  };
  static const std::vector<Mistake> all = {
      {"allgather of less than is expected",
       [](Form f, MPI_Comm c, MPI_Request* r) {
         return issue(f, r, MPITEST_FORMS(Allgather, allgather), buffer, sent(c), MPI_INT, other, 5, MPI_INT,
                      c);
       }},
  };
  return all;
}

/// The communicator still carries a sum.
void check_alive(Session& session, MPI_Comm comm) {
  int mine = session.rank() + 1, sum = 0;
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
  session.check(sum == session.size() * (session.size() + 1) / 2,
                "the communicator does not work afterwards");
}

void run_mistake(Session& session, const Mistake& mistake, Form form, MPI_Comm comm) {
  static const char* const names[] = {"blocking", "nonblocking", "persistent"};
  session.begin(mistake.name + ", " + names[static_cast<int>(form)]);
  MPI_Request request = MPI_REQUEST_NULL;
  session.check(mistake.make(form, comm, &request) != MPI_SUCCESS, "no error was returned");
  check_alive(session, comm);
}

void run_disagreement(Session& session, const Mistake& disagreement, Form form, MPI_Comm comm) {
  session.begin(disagreement.name + ", form " + std::to_string(static_cast<int>(form)));
  MPI_Request request = MPI_REQUEST_NULL;
  int status = disagreement.make(form, comm, &request);
  if (form == Form::kPersistent) status = MPI_Start(&request);
  if (request != MPI_REQUEST_NULL) status = MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
  int kind = MPI_SUCCESS;
  MPI_Error_class(status, &kind);
  session.check(kind == MPI_SUCCESS || kind == MPI_ERR_TRUNCATE, "ended with error " + std::to_string(kind));
  check_alive(session, comm);
}

int run_all(int argc, char** argv) {
  Session session(argc, argv);
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD,
                          MPI_ERRORS_RETURN);  // to which Open MPI reports the errors of requests
  for (const Mistake& mistake : mistakes())
    for (Form form : {Form::kBlocking, Form::kNonblocking, Form::kPersistent})
      run_mistake(session, mistake, form, comm);
  for (const Mistake& disagreement : disagreements())
    for (Form form : {Form::kBlocking, Form::kNonblocking, Form::kPersistent})
      run_disagreement(session, disagreement, form, comm);
  MPI_Comm_free(&comm);
  return session.finish("mpi_errors");
}

}  // namespace
}  // namespace mpitest

int main(int argc, char** argv) {
  return mpitest::run_all(argc, argv);
}
