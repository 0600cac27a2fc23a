// SPDX-License-Identifier: BSD-3-Clause
// Known defects of stock Open MPI. Threads: no state. Tested by: mpi_collectives on stock modules.
#include "stock_defects.h"

#include "forms.h"
#include "shape.h"

namespace mpitest {
namespace {

bool blocking(const Case& c) {
  return c.form() == Form::kBlocking;
}

const std::string& communicator(const Case& c) {
  return value_names(kCommunicator)[c.value[kCommunicator]];
}

bool may_be_alone(const Case& c, int world_size) {
  const std::string& name = communicator(c);
  return world_size == 1 || name == "self" || name == "one" || name == "parity" || name == "site";
}

bool large(const Case& c) {
  return c.amount() == Amount::kLarge || c.amount() == Amount::kUnevenLarge;
}

/// coll/self multiplies alltoallw's byte displacements by the extent.
bool self_alltoallw(const Case& c, int world_size) {
  const std::string family = recipes()[c.value[kShape]].family;
  return c.collective() == Collective::alltoallw && blocking(c) && family == "quad" &&
         may_be_alone(c, world_size);
}

/// coll/tuned chooses by (size of the send type) x (sum of the receive counts), which differs between ranks.
bool tuned_allgatherv(const Case& c) {
  return c.collective() == Collective::allgatherv && blocking(c) && c.mix() == Mix::kRanksDiffer;
}

/// coll/libnbc never finishes an in-place alltoallv or alltoallw whose last exchange is empty.
bool libnbc_alltoall(const Case& c) {
  const bool uneven = c.amount() == Amount::kUneven || c.amount() == Amount::kUnevenLarge;
  const bool exchanges = c.collective() == Collective::alltoallv || c.collective() == Collective::alltoallw;
  return exchanges && !blocking(c) && c.in_place() && uneven;
}

/// Reductions write outside their temporary buffer if the datatype's first byte is not at offset 0:
/// coll/libnbc always, the base algorithms from some length on.
bool reduction_gap(const Case& c) {
  const std::string shape = recipes()[c.value[kShape]].name;
  const bool shifted = shape == "negative_lb" || shape == "subarray";
  return traits_of(c.collective()).reduces && shifted && (large(c) || !blocking(c));
}

}  // namespace

bool stock_fails(const Case& c, int world_size) {
  return self_alltoallw(c, world_size) || tuned_allgatherv(c) || libnbc_alltoall(c) || reduction_gap(c);
}

}  // namespace mpitest
