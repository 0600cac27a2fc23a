// SPDX-License-Identifier: BSD-3-Clause
// In which order rank 0's messages arrive at the others, over an access link that lets one after the other
// through: by descending coll_wan_post_load of the receivers, from the call on that follows the giving of the
// key, in every form of the irregular exchanges.
//   mpi_order
// Each process has a site of its own; rank 0's has an uplink that a message takes tens of milliseconds on
// (tests/mpi/run makes the topology file). Source: papers/003, section 2. Threads: one. Tested by: stock
// components, which know no keys.
#include <mpi.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "clock.h"
#include "forms.h"
#include "session.h"

namespace mpitest {
namespace {

constexpr int kBytes = 1'000'000;
constexpr char kFilling = 'x';

/// Which collective, on which topology.
enum class Exchange { kNeighborAlltoallv, kNeighborAlltoallw, kAlltoallv, kAlltoallw };
const char* const exchange_names[] = {"neighbor_alltoallv", "neighbor_alltoallw", "alltoallv", "alltoallw"};
const char* const form_names[] = {"blocking", "nonblocking", "persistent"};

bool is_of_neighbors(Exchange exchange) {
  return exchange == Exchange::kNeighborAlltoallv || exchange == Exchange::kNeighborAlltoallw;
}

/// Rank 0 sends to all others, and nobody else does.
MPI_Comm star(int rank, int size) {
  std::vector<int> others(static_cast<std::size_t>(size) - 1);
  std::iota(others.begin(), others.end(), 1);
  const int zero = 0;
  MPI_Comm made;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank == 0 ? 0 : 1, &zero, MPI_UNWEIGHTED,
                                 rank == 0 ? size - 1 : 0, others.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &made);
  return made;
}

void give_load(MPI_Comm comm, const std::string& value) {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "coll_wan_post_load", value.c_str());
  MPI_Comm_set_info(comm, info);
  MPI_Info_free(&info);
}

/// The arguments of one process: with `blocks` others, of which each gets, or rank 0 gives, kBytes.
class Arguments {
 public:
  Arguments(int rank, int size, bool of_neighbors)
      : sends_(static_cast<std::size_t>(of_neighbors ? (rank == 0 ? size - 1 : 0) : size),
               of_neighbors || rank == 0 ? kBytes : 0),
        receives_(static_cast<std::size_t>(of_neighbors ? (rank == 0 ? 0 : 1) : size), 0),
        data_(kBytes, kFilling),
        result_(kBytes, '-'),
        displacements_(static_cast<std::size_t>(size), 0),
        byte_displacements_(static_cast<std::size_t>(size), 0),
        types_(static_cast<std::size_t>(size), MPI_CHAR) {
    for (std::vector<int>* counts : {&sends_, &receives_})
      counts->reserve(1);  // MPI refuses a null array, even an empty one
    if (!of_neighbors) sends_[0] = 0;
    if (rank != 0) receives_[0] = kBytes;
  }

  int issue(Exchange exchange, Form form, MPI_Comm comm, MPI_Request* request) {
    const int *sends = sends_.data(), *receives = receives_.data(), *at = displacements_.data();
    const MPI_Aint* bytes_at = byte_displacements_.data();
    const MPI_Datatype* types = types_.data();
    switch (exchange) {
      case Exchange::kNeighborAlltoallv:
        return mpitest::issue(form, request, MPI_Neighbor_alltoallv, MPI_Ineighbor_alltoallv,
                              MPITEST_INIT(Neighbor_alltoallv), data_.data(), sends, at, MPI_CHAR,
                              result_.data(), receives, at, MPI_CHAR, comm);
      case Exchange::kNeighborAlltoallw:
        return mpitest::issue(form, request, MPI_Neighbor_alltoallw, MPI_Ineighbor_alltoallw,
                              MPITEST_INIT(Neighbor_alltoallw), data_.data(), sends, bytes_at, types,
                              result_.data(), receives, bytes_at, types, comm);
      case Exchange::kAlltoallv:
        return mpitest::issue(form, request, MPITEST_FORMS(Alltoallv, alltoallv), data_.data(), sends, at,
                              MPI_CHAR, result_.data(), receives, at, MPI_CHAR, comm);
      case Exchange::kAlltoallw:
        return mpitest::issue(form, request, MPITEST_FORMS(Alltoallw, alltoallw), data_.data(), sends, at,
                              types, result_.data(), receives, at, types, comm);
    }
    return MPI_ERR_INTERN;
  }

  bool has_result() const { return std::ranges::count(result_, kFilling) == kBytes; }

 private:
  std::vector<int> sends_, receives_;
  std::vector<char> data_, result_;
  std::vector<int> displacements_;
  std::vector<MPI_Aint> byte_displacements_;
  std::vector<MPI_Datatype> types_;
};

/// The ranks but 0 as their calls end; on rank 0.
std::vector<int> ranks_by_time(std::int64_t time, int rank, int size) {
  std::vector<std::int64_t> times(static_cast<std::size_t>(size));
  MPI_Gather(&time, 1, MPI_INT64_T, times.data(), 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
  std::vector<int> ranks(static_cast<std::size_t>(size) - 1);
  std::iota(ranks.begin(), ranks.end(), 1);
  if (rank == 0)
    std::ranges::sort(ranks, {}, [&](int each) { return times[static_cast<std::size_t>(each)]; });
  return ranks;
}

std::string text_of(const std::vector<int>& ranks) {
  std::string text;
  for (const int each : ranks) text += (text.empty() ? "" : " ") + std::to_string(each);
  return text;
}

class Orders {
 public:
  Orders(Session& session, Exchange exchange, MPI_Comm comm)
      : session_(session), exchange_(exchange), comm_(comm) {}

  /// The ranks give these loads, and the calls that follow send in this order.
  void check(Form form, const std::vector<std::string>& loads, const std::vector<int>& order) {
    session_.begin(std::string(exchange_names[static_cast<int>(exchange_)]) + ", " +
                   form_names[static_cast<int>(form)] + ", in the order " + text_of(order));
    give_load(comm_, loads[static_cast<std::size_t>(session_.rank())]);
    Arguments arguments(session_.rank(), session_.size(), is_of_neighbors(exchange_));
    MPI_Request request = MPI_REQUEST_NULL;
    if (form == Form::kPersistent) arguments.issue(exchange_, form, comm_, &request);
    for (int round = 0; round < 2; ++round) check_round(form, arguments, request, order);
    if (form == Form::kPersistent) MPI_Request_free(&request);
  }

 private:
  void check_round(Form form, Arguments& arguments, MPI_Request& request, const std::vector<int>& order) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (form == Form::kPersistent)
      MPI_Start(&request);
    else
      arguments.issue(exchange_, form, comm_, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    const std::vector<int> found = ranks_by_time(now_ns(), session_.rank(), session_.size());
    session_.check(session_.rank() == 0 || arguments.has_result(), "wrong data");
    session_.check(session_.rank() != 0 || found == order, "arrived in the order " + text_of(found));
  }

  Session& session_;
  Exchange exchange_;
  MPI_Comm comm_;
};

/// Two opposite orders, so that none comes about by itself; then a value that is wrong on all ranks, which
/// leaves all as it was.
void run_orders(Session& session, Exchange exchange, MPI_Comm comm) {
  Orders orders(session, exchange, comm);
  orders.check(Form::kBlocking, {"0", "1", "9", "5"}, {2, 3, 1});
  orders.check(Form::kNonblocking, {"0", "8", "2", "5"}, {1, 3, 2});
  orders.check(Form::kPersistent, {"0", "1", "7", "7000000000"}, {3, 2, 1});
  orders.check(Form::kBlocking, {"-1", "-1", "-1", "-1"}, {3, 2, 1});
}

int run_all(int argc, char** argv) {
  Session session(argc, argv);
  MPI_Comm graph = star(session.rank(), session.size()), copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  for (const Exchange each : {Exchange::kNeighborAlltoallv, Exchange::kNeighborAlltoallw,
                              Exchange::kAlltoallv, Exchange::kAlltoallw})
    run_orders(session, each, is_of_neighbors(each) ? graph : copy);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&graph);
  return session.finish("mpi_order");
}

}  // namespace
}  // namespace mpitest

int main(int argc, char** argv) {
  return mpitest::run_all(argc, argv);
}
