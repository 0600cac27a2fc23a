// SPDX-License-Identifier: BSD-3-Clause
// The user frees a datatype and an operator after the `_init` of a persistent collective, and after a
// nonblocking call: MPI keeps them until the request is gone. Other datatypes and operators are made
// meanwhile, to take the freed memory.
//   mpi_persistent
// Source: MPI 4.0 sections 5.1.9 (MPI_Type_free), 6.9.5 (MPI_Op_free), 6.13. Threads: one. Tested by: nothing
// but the component: stock Open MPI 4.1.4 itself uses freed memory here.
#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

#include "call.h"
#include "case.h"
#include "session.h"
#include "value.h"

namespace mpitest {
namespace {

/// Datatypes and operators of the same make as those under test, alive while the test runs.
class Churn {
 public:
  Churn() {
    for (int i = 0; i < 40; ++i) {
      MPI_Datatype type;
      MPI_Type_vector(3 + i, 1, 2 + i, MPI_CHAR, &type);
      MPI_Type_commit(&type);
      types_.push_back(type);
    }
  }
  ~Churn() {
    for (MPI_Datatype& type : types_) MPI_Type_free(&type);
  }
  Churn(const Churn&) = delete;
  Churn& operator=(const Churn&) = delete;

 private:
  std::vector<MPI_Datatype> types_;
};

void start_with(Call& call, std::uint64_t salt, MPI_Request* request) {
  call.fill(salt);
  MPI_Start(request);
}

/// Frees everything before the first start, or, nonblocking, before the wait.
void run_case(Session& session, const Case& c) {
  session.begin(c.name() + " with datatype and operator freed early");
  ShapeSet shapes = make_shapes();
  const std::size_t op = c.value[kOperator];
  std::unique_ptr<Operator> reduction;
  if (op != 0) reduction = std::make_unique<Operator>(operator_recipes()[op - 1]);
  const Place place{session.rank(), session.size(), root_rank(c.root(), session.size())};
  Call call({c.collective(), c.form(), MPI_COMM_WORLD, place.root}, exchange_of(c, place, shapes, 1),
            reduction.get());
  MPI_Request request = MPI_REQUEST_NULL;
  call.fill(1);
  session.check(call.issue(&request) == MPI_SUCCESS, "refused");
  for (auto& shape : shapes) shape->free_type();
  if (reduction) reduction->free_op();
  const Churn churn;
  for (std::uint64_t start = 1; start <= (c.form() == Form::kPersistent ? 3u : 1u); ++start) {
    if (c.form() == Form::kPersistent) start_with(call, start, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (const std::string wrong = call.verify(); !wrong.empty()) session.fail(wrong);
  }
  if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
}

std::vector<Case> cases() {
  Filter filter;
  for (const auto& [axis, values] :
       std::vector<std::pair<std::string, std::string>>{{"form", "nonblocking,persistent"},
                                                        {"root", "middle,none"},
                                                        {"operator", "none,user_sum,user_matrix"},
                                                        {"shape", "vector,negative_lb,natural_struct"},
                                                        {"mix", "same,ranks"},
                                                        {"count", "seven,large"},
                                                        {"communicator", "world"}})
    add_filter(filter, axis, values);
  return all_cases(filter);
}

int run_all(int argc, char** argv) {
  Session session(argc, argv);
  for (const Case& c : cases()) run_case(session, c);
  return session.finish("mpi_persistent");
}

}  // namespace
}  // namespace mpitest

int main(int argc, char** argv) {
  return mpitest::run_all(argc, argv);
}
