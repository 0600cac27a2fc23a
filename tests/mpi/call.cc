// SPDX-License-Identifier: BSD-3-Clause
// The MPI calls, one line each. Threads: see call.h. Tested by: mpi_collectives.
#include "call.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "value.h"

namespace mpitest {
namespace {

/// Open MPI 4.1's MPI_Ialltoallw reads, on a two-dimensional cartesian communicator, four datatypes however
/// few ranks there are (ompi_coll_base_retain_datatypes_w takes the number of neighbours).
constexpr std::size_t kDatatypesRead = 4;

/// alltoallw displaces in bytes and has a datatype for each rank.
void make_for_each_rank(Argument& a, const Blocks& blocks) {
  for (std::size_t i = 0; i < blocks.size(); ++i) a.displacements[i] = static_cast<int>(blocks[i].at);
  if (!blocks.empty()) a.types.resize(std::max(kDatatypesRead, blocks.size()), MPI_INT);
}

/// Takes over the items of `blocks` from one image to another.
void copy_items(Image& to, const Image& from, const Blocks& blocks) {
  for (const Block& b : blocks)
    for (std::ptrdiff_t i = 0, at = b.at; i < b.items; ++i, at += b.shape->extent())
      store_item(to.base() + at, b.shape->recipe(), load_item(from.base() + at, b.shape->recipe()));
}

bool close_enough(double a, double b) {
  return std::abs(a - b) <= 1e-12 * std::abs(b);
}

const int* array(const std::vector<int>& v) {
  return v.empty() ? nullptr : v.data();
}
const MPI_Datatype* array(const std::vector<MPI_Datatype>& v) {
  return v.empty() ? nullptr : v.data();
}

/// The block whose length and datatype a reduction names: the input, or what a mere receiver gets.
const Block& operand(const Exchange& e) {
  if (!e.send.blocks.empty()) return e.send.blocks[0];
  return e.before.empty() ? e.receive.blocks[0] : e.before[0];
}

Argument argument_of(const Buffer& buffer, Image& image) {
  Argument a;
  if (buffer.presence == Presence::kInPlace) a.buffer = MPI_IN_PLACE;
  if (buffer.presence == Presence::kSignificant) a.buffer = image.base();
  for (const Block& block : buffer.blocks) {
    a.counts.push_back(block.items);
    a.displacements.push_back(static_cast<int>(block.at / block.shape->extent()));
    a.types.push_back(block.shape->type());
  }
  if (!buffer.blocks.empty()) {
    a.count = a.counts[0];
    a.type = a.types[0];
  }
  return a;
}

Span receive_span(const Exchange& e) {
  return united(united(span_of(e.receive.blocks), span_of(e.before)),
                united(span_of(e.after), span_of(e.undefined)));
}

}  // namespace

int root_rank(Root root, int size) {
  if (root == Root::kMiddle) return size / 2;
  return root == Root::kLast ? size - 1 : 0;
}

Checked::Checked(Exchange exchange, const Operator* op)
    : op_(op),
      exchange_(std::move(exchange)),
      send_(span_of(exchange_.send.blocks)),
      receive_(receive_span(exchange_)) {
  send_argument_ = argument_of(exchange_.send, send_);
  receive_argument_ = argument_of(exchange_.receive, receive_);
}

void Checked::fill(std::uint64_t salt) {
  const OperatorRecipe* recipe = op_ ? &op_->recipe() : nullptr;
  salt_ = salt;
  send_.reset();
  receive_.reset();
  write(send_, exchange_.send.blocks, salt, recipe);
  write(receive_, exchange_.before, salt, recipe);
  send_before_ = send_;
  receive_before_ = receive_;
}

Call::Call(const Target& target, Exchange exchange, const Operator* op)
    : Checked(std::move(exchange), op), target_(target) {
  if (target.collective != Collective::alltoallw) return;
  make_for_each_rank(send_argument_, this->exchange().send.blocks);
  make_for_each_rank(receive_argument_, this->exchange().receive.blocks);
}

int Call::issue_movement(MPI_Request* request) {
  const auto [collective, form, comm, root] = target_;
  const Argument& s = send_argument_;
  const Argument& r = receive_argument_;
  switch (collective) {
    case Collective::barrier:
      return mpitest::issue(form, request, MPITEST_FORMS(Barrier, barrier), comm);
    case Collective::bcast:
      return mpitest::issue(form, request, MPITEST_FORMS(Bcast, bcast), r.buffer, r.count, r.type, root,
                            comm);
    case Collective::gather:
      return mpitest::issue(form, request, MPITEST_FORMS(Gather, gather), s.buffer, s.count, s.type, r.buffer,
                            r.count, r.type, root, comm);
    case Collective::scatter:
      return mpitest::issue(form, request, MPITEST_FORMS(Scatter, scatter), s.buffer, s.count, s.type,
                            r.buffer, r.count, r.type, root, comm);
    case Collective::allgather:
      return mpitest::issue(form, request, MPITEST_FORMS(Allgather, allgather), s.buffer, s.count, s.type,
                            r.buffer, r.count, r.type, comm);
    case Collective::alltoall:
      return mpitest::issue(form, request, MPITEST_FORMS(Alltoall, alltoall), s.buffer, s.count, s.type,
                            r.buffer, r.count, r.type, comm);
    default:
      return issue_vector(request);
  }
}

int Call::issue_vector(MPI_Request* request) {
  const auto [collective, form, comm, root] = target_;
  const Argument& s = send_argument_;
  const Argument& r = receive_argument_;
  const int *scounts = array(s.counts), *sdispls = array(s.displacements);
  const int *rcounts = array(r.counts), *rdispls = array(r.displacements);
  switch (collective) {
    case Collective::gatherv:
      return mpitest::issue(form, request, MPITEST_FORMS(Gatherv, gatherv), s.buffer, s.count, s.type,
                            r.buffer, rcounts, rdispls, r.type, root, comm);
    case Collective::scatterv:
      return mpitest::issue(form, request, MPITEST_FORMS(Scatterv, scatterv), s.buffer, scounts, sdispls,
                            s.type, r.buffer, r.count, r.type, root, comm);
    case Collective::allgatherv:
      return mpitest::issue(form, request, MPITEST_FORMS(Allgatherv, allgatherv), s.buffer, s.count, s.type,
                            r.buffer, rcounts, rdispls, r.type, comm);
    case Collective::alltoallv:
      return mpitest::issue(form, request, MPITEST_FORMS(Alltoallv, alltoallv), s.buffer, scounts, sdispls,
                            s.type, r.buffer, rcounts, rdispls, r.type, comm);
    default:
      return mpitest::issue(form, request, MPITEST_FORMS(Alltoallw, alltoallw), s.buffer, scounts, sdispls,
                            array(s.types), r.buffer, rcounts, rdispls, array(r.types), comm);
  }
}

int Call::issue_reduction(MPI_Request* request) {
  const auto [collective, form, comm, root] = target_;
  const Block& any = operand(exchange());
  const int count = any.items;
  const MPI_Datatype type = any.shape->type();
  const MPI_Op op = reduction()->op();
  void *in = send_argument_.buffer, *out = receive_argument_.buffer;
  switch (collective) {
    case Collective::reduce:
      return mpitest::issue(form, request, MPITEST_FORMS(Reduce, reduce), in, out, count, type, op, root,
                            comm);
    case Collective::allreduce:
      return mpitest::issue(form, request, MPITEST_FORMS(Allreduce, allreduce), in, out, count, type, op,
                            comm);
    case Collective::reduce_scatter:
      return mpitest::issue(form, request, MPITEST_FORMS(Reduce_scatter, reduce_scatter), in, out,
                            exchange().counts_of_ranks.data(), type, op, comm);
    case Collective::reduce_scatter_block:
      return mpitest::issue(form, request, MPITEST_FORMS(Reduce_scatter_block, reduce_scatter_block), in, out,
                            exchange().counts_of_ranks[0], type, op, comm);
    case Collective::scan:
      return mpitest::issue(form, request, MPITEST_FORMS(Scan, scan), in, out, count, type, op, comm);
    case Collective::exscan:
      return mpitest::issue(form, request, MPITEST_FORMS(Exscan, exscan), in, out, count, type, op, comm);
    default:
      return MPI_Reduce_local(in, out, count, type, op);
  }
}

int Call::issue(MPI_Request* request) {
  return reduction() ? issue_reduction(request) : issue_movement(request);
}

/// Sums whose last bits may differ: takes the actual values over after a check against the tolerance.
std::string Checked::take_rounded(Image& expected) const {
  for (const Block& b : exchange_.after)
    for (std::ptrdiff_t i = 0; i < b.items; ++i) {
      const auto read = [&](const Image& image) {
        return std::bit_cast<double>(load(image.base() + b.at + i * b.shape->extent(), Basic::kDouble));
      };
      if (!close_enough(read(receive_), read(expected)))
        return "item " + std::to_string(i) + " is " + std::to_string(read(receive_)) + ", must be near " +
               std::to_string(read(expected));
    }
  copy_items(expected, receive_, exchange_.after);
  return {};
}

std::string Checked::verify_receive() {
  Image expected = receive_before_;
  write(expected, exchange_.after, salt_, op_ ? &op_->recipe() : nullptr);
  copy_items(expected, receive_, exchange_.undefined);
  const bool rounded = op_ && op_->recipe().exactness == Exactness::kRounded;
  if (const std::string wrong = rounded ? take_rounded(expected) : ""; !wrong.empty())
    return "receive buffer: " + wrong;
  const auto difference = expected.difference(receive_);
  return difference ? "receive buffer: " + *difference : "";
}

std::string Checked::verify() {
  if (const auto difference = send_before_.difference(send_)) return "send buffer changed: " + *difference;
  return verify_receive();
}

std::uint64_t Checked::digest() const {
  std::uint64_t h = 0;
  for (const Block& b : exchange_.after)
    for (std::ptrdiff_t i = 0; i < b.items; ++i)
      for (std::uint64_t bits : load_item(receive_.base() + b.at + i * b.shape->extent(), b.shape->recipe()))
        h = hash_of(h, bits);
  return h;
}

}  // namespace mpitest
