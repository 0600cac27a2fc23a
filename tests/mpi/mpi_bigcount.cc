// SPDX-License-Identifier: BSD-3-Clause
// The functions of MPI that take numbers of 64 bits (MPI_Alltoallv_c), in all three forms.
//   mpi_bigcount               every vector form, with blocks that lie more than INT_MAX elements apart
//   mpi_bigcount --elements N  collectives of N characters, and blocks of N, every word checked
// Blocks that lie far apart take little memory: what nobody touches of a buffer has none. Whoever keeps 32
// bits of a displacement finds another place in the buffer, or none. --elements needs 3 N bytes a process.
// Threads: one. Tested by: stock Open MPI (tests/mpi/run --stock --large).
#include <mpi.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "forms.h"
#include "options.h"
#include "session.h"

/// As MPITEST_FORMS.
#define MPITEST_FORMS_C(Name, name) MPI_##Name##_c, MPI_I##name##_c, MPI_##Name##_init_c

namespace mpitest {
namespace {

using Item = std::int16_t;
const MPI_Datatype kItem = MPI_INT16_T;
constexpr MPI_Aint kFar = MPI_Aint{3} << 30;  ///< items

/// Memory that exists where it is touched, and is zero before.
class SparseMemory {
 public:
  explicit SparseMemory(std::size_t bytes)
      : bytes_(bytes),
        data_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                   0)) {
    if (data_ == MAP_FAILED) MPI_Abort(MPI_COMM_WORLD, 99);
  }
  ~SparseMemory() { munmap(data_, bytes_); }
  SparseMemory(const SparseMemory&) = delete;
  SparseMemory& operator=(const SparseMemory&) = delete;
  template <class Value>
  Value* as() {
    return static_cast<Value*>(data_);
  }

 private:
  std::size_t bytes_;
  void* data_;
};

/// The blocks that one buffer of a vector form has, for so many ranks or neighbours.
struct Blocks {
  std::vector<MPI_Count> counts;
  std::vector<MPI_Aint> at;       ///< in items
  std::vector<MPI_Aint> byte_at;  ///< the same in bytes
  std::vector<MPI_Datatype> types;

  /// `length(block)` items each; the later a block, the lower it lies.
  Blocks(int number, const std::function<int(int)>& length) {
    for (int block = 0; block < number; ++block) {
      counts.push_back(length(block));
      at.push_back((number - block) * kFar + 1000 * (block + 1));
      byte_at.push_back(at.back() * static_cast<MPI_Aint>(sizeof(Item)));
      types.push_back(kItem);
    }
  }
  static std::size_t bytes(int number) {
    return static_cast<std::size_t>((number + 1) * kFar) * sizeof(Item);
  }
};

/// How many items `source` has for `target`, and which.
int length_of(int source, int target) {
  return 3 + 5 * source + target;
}
Item item_of(int source, int target, int index) {
  return static_cast<Item>(1 + 1009 * source + 101 * target + index);
}

class FarBlocks {
 public:
  explicit FarBlocks(Session& session)
      : session_(session),
        ranks_(session.size()),
        me_(session.rank()),
        before_((me_ + ranks_ - 1) % ranks_),
        after_((me_ + 1) % ranks_) {
    const int sources[] = {before_, after_}, targets[] = {after_, before_};
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources, MPI_UNWEIGHTED, 2, targets, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &ring_);
  }
  ~FarBlocks() { MPI_Comm_free(&ring_); }
  FarBlocks(const FarBlocks&) = delete;
  FarBlocks& operator=(const FarBlocks&) = delete;

  void run_all() {
    for (const Form form : {Form::kBlocking, Form::kNonblocking, Form::kPersistent}) {
      form_ = form;
      allgatherv(MPI_COMM_WORLD, "allgatherv", MPITEST_FORMS_C(Allgatherv, allgatherv));
      allgatherv(ring_, "neighbor_allgatherv", MPITEST_FORMS_C(Neighbor_allgatherv, neighbor_allgatherv));
      alltoallv(MPI_COMM_WORLD, "alltoallv", MPITEST_FORMS_C(Alltoallv, alltoallv));
      alltoallv(ring_, "neighbor_alltoallv", MPITEST_FORMS_C(Neighbor_alltoallv, neighbor_alltoallv));
      alltoallw(MPI_COMM_WORLD, "alltoallw", MPITEST_FORMS_C(Alltoallw, alltoallw));
      alltoallw(ring_, "neighbor_alltoallw", MPITEST_FORMS_C(Neighbor_alltoallw, neighbor_alltoallw));
      gatherv();
      scatterv();
      reduce_scatter();
    }
  }

 private:
  /// How many blocks there are, and the ranks that they come from and go to: of all, or of the ring.
  int number(MPI_Comm comm) const { return comm == ring_ ? 2 : ranks_; }
  int source(MPI_Comm comm, int block) const { return comm != ring_ ? block : block == 0 ? before_ : after_; }
  int target(MPI_Comm comm, int block) const { return comm != ring_ ? block : block == 0 ? after_ : before_; }

  void begin(const std::string& name) {
    static constexpr const char* kForms[] = {"blocking", "nonblocking", "persistent"};
    session_.begin(name + "_c, " + kForms[static_cast<int>(form_)]);
  }
  template <class... Arguments>
  void call(Arguments... arguments) {
    MPI_Request request = MPI_REQUEST_NULL;
    issue(form_, &request, arguments...);
    if (form_ == Form::kPersistent) MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (form_ == Form::kPersistent) MPI_Request_free(&request);
  }
  static void fill(Item* block, int source, int target) {
    for (int i = 0; i < length_of(source, target); ++i) block[i] = item_of(source, target, i);
  }
  /// The block, and nothing beside it.
  void check(const Item* block, int source, int target) {
    constexpr int kBeside = 500;
    const int length = length_of(source, target);
    int wrong = 0;
    for (int i = -kBeside; i < length + kBeside; ++i)
      wrong += block[i] != (i < 0 || i >= length ? 0 : item_of(source, target, i));
    session_.check(wrong == 0,
                   std::to_string(wrong) + " wrong items in the block from rank " + std::to_string(source));
  }
  std::vector<Item> own_block(int target) const {
    std::vector<Item> block(static_cast<std::size_t>(length_of(me_, target)));
    fill(block.data(), me_, target);
    return block;
  }

  template <class... Functions>
  void allgatherv(MPI_Comm comm, const char* name, Functions... functions) {
    begin(name);
    const std::vector<Item> mine = own_block(0);
    const Blocks in(number(comm), [&](int block) { return length_of(source(comm, block), 0); });
    SparseMemory received(Blocks::bytes(number(comm)));
    call(functions..., mine.data(), static_cast<MPI_Count>(mine.size()), kItem, received.as<Item>(),
         in.counts.data(), in.at.data(), kItem, comm);
    for (int block = 0; block < number(comm); ++block)
      check(received.as<Item>() + in.at[static_cast<std::size_t>(block)], source(comm, block), 0);
  }

  Blocks sent(MPI_Comm comm) const {
    return Blocks(number(comm), [&](int block) { return length_of(me_, target(comm, block)); });
  }
  Blocks received(MPI_Comm comm) const {
    return Blocks(number(comm), [&](int block) { return length_of(source(comm, block), me_); });
  }
  void fill(SparseMemory& memory, const Blocks& blocks, MPI_Comm comm) {
    for (int block = 0; block < number(comm); ++block)
      fill(memory.as<Item>() + blocks.at[static_cast<std::size_t>(block)], me_, target(comm, block));
  }
  void check(SparseMemory& memory, const Blocks& blocks, MPI_Comm comm) {
    for (int block = 0; block < number(comm); ++block)
      check(memory.as<Item>() + blocks.at[static_cast<std::size_t>(block)], source(comm, block), me_);
  }

  template <class... Functions>
  void alltoallv(MPI_Comm comm, const char* name, Functions... functions) {
    begin(name);
    const Blocks out = sent(comm), in = received(comm);
    SparseMemory from(Blocks::bytes(number(comm))), to(Blocks::bytes(number(comm)));
    fill(from, out, comm);
    call(functions..., from.as<Item>(), out.counts.data(), out.at.data(), kItem, to.as<Item>(),
         in.counts.data(), in.at.data(), kItem, comm);
    check(to, in, comm);
  }
  template <class... Functions>
  void alltoallw(MPI_Comm comm, const char* name, Functions... functions) {
    begin(name);
    const Blocks out = sent(comm), in = received(comm);
    SparseMemory from(Blocks::bytes(number(comm))), to(Blocks::bytes(number(comm)));
    fill(from, out, comm);
    call(functions..., from.as<Item>(), out.counts.data(), out.byte_at.data(), out.types.data(),
         to.as<Item>(), in.counts.data(), in.byte_at.data(), in.types.data(), comm);
    check(to, in, comm);
  }
  void gatherv() {
    const int root = ranks_ - 1;
    begin("gatherv");
    const std::vector<Item> mine = own_block(root);
    const Blocks in = received(MPI_COMM_WORLD);
    SparseMemory to(Blocks::bytes(ranks_));
    call(MPITEST_FORMS_C(Gatherv, gatherv), mine.data(), static_cast<MPI_Count>(mine.size()), kItem,
         to.as<Item>(), in.counts.data(), in.at.data(), kItem, root, MPI_COMM_WORLD);
    if (me_ == root) check(to, in, MPI_COMM_WORLD);
  }
  void scatterv() {
    const int root = ranks_ - 1, length = length_of(root, me_);
    begin("scatterv");
    const Blocks out = sent(MPI_COMM_WORLD);
    SparseMemory from(Blocks::bytes(ranks_)), to(1 << 20);
    Item* const mine = to.as<Item>() + 1000;
    if (me_ == root) fill(from, out, MPI_COMM_WORLD);
    call(MPITEST_FORMS_C(Scatterv, scatterv), from.as<Item>(), out.counts.data(), out.at.data(), kItem, mine,
         MPI_Count{length}, kItem, root, MPI_COMM_WORLD);
    check(mine, root, me_);
  }
  void reduce_scatter() {
    begin("reduce_scatter");
    const Blocks blocks(ranks_, [](int block) { return 3 + block; });
    std::vector<std::int64_t> mine, sum(static_cast<std::size_t>(3 + me_));
    for (int block = 0; block < ranks_; ++block)
      for (int i = 0; i < 3 + block; ++i) mine.push_back(me_ + 100 * block + i);
    call(MPITEST_FORMS_C(Reduce_scatter, reduce_scatter), mine.data(), sum.data(), blocks.counts.data(),
         MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < 3 + me_; ++i)
      session_.check(sum[static_cast<std::size_t>(i)] == ranks_ * (ranks_ - 1) / 2 + ranks_ * (100 * me_ + i),
                     "sum " + std::to_string(i) + " is wrong");
  }

  Session& session_;
  int ranks_, me_, before_, after_;
  MPI_Comm ring_ = MPI_COMM_NULL;
  Form form_ = Form::kBlocking;
};

/// Collectives of more than INT_MAX characters. Every word of 8 of them is checked, and what is left.
class LongBlocks {
 public:
  LongBlocks(Session& session, MPI_Count length)
      : session_(session), length_(length), ranks_(session.size()), me_(session.rank()) {}

  void bcast() {
    begin("bcast");
    SparseMemory data(bytes());
    if (me_ == 0) fill(data, 0, 1);
    MPI_Bcast_c(data.as<char>(), length_, MPI_CHAR, 0, MPI_COMM_WORLD);
    check(data, 0, 1);
  }
  /// The last rank has the long block, the others one character each.
  void allgatherv() {
    begin("allgatherv");
    SparseMemory mine(bytes()), all(bytes() + kBefore);
    std::vector<MPI_Count> counts(static_cast<std::size_t>(ranks_), 1);
    std::vector<MPI_Aint> at;
    counts.back() = length_;
    for (int rank = 0; rank < ranks_; ++rank) at.push_back(rank + 1 < ranks_ ? rank : kBefore);
    if (me_ + 1 < ranks_) mine.as<char>()[0] = static_cast<char>('a' + me_);
    if (me_ + 1 == ranks_) fill(mine, 0, 2);
    MPI_Allgatherv_c(mine.as<char>(), counts[static_cast<std::size_t>(me_)], MPI_CHAR, all.as<char>(),
                     counts.data(), at.data(), MPI_CHAR, MPI_COMM_WORLD);
    for (int rank = 0; rank + 1 < ranks_; ++rank)
      session_.check(all.as<char>()[rank] == 'a' + rank, "the character of a rank is wrong");
    check(all, kBefore, 2);
  }
  void allreduce() {
    begin("allreduce");
    SparseMemory mine(bytes()), all(bytes());
    if (me_ == 0) fill(mine, 0, 3);
    MPI_Allreduce_c(mine.as<char>(), all.as<char>(), length_, MPI_UINT8_T, MPI_BOR, MPI_COMM_WORLD);
    check(all, 0, 3);
  }

 private:
  static constexpr int kBefore = 4096;  ///< a multiple of 8
  void begin(const std::string& name) {
    session_.begin(name + "_c of " + std::to_string(length_) + " characters");
  }
  std::size_t bytes() const { return static_cast<std::size_t>(length_) + 8; }
  static std::uint64_t word(std::uint64_t salt, MPI_Count index) {
    return salt * (static_cast<std::uint64_t>(index) + 1) * 0x9e3779b97f4a7c15;
  }
  void fill(SparseMemory& memory, int from, std::uint64_t salt) {
    std::uint64_t* const words = memory.as<std::uint64_t>() + from / 8;
    for (MPI_Count i = 0; i < length_ / 8; ++i) words[i] = word(salt, i);
    const std::uint64_t last = word(salt, length_ / 8);
    std::copy_n(reinterpret_cast<const char*>(&last), length_ % 8,
                reinterpret_cast<char*>(words + length_ / 8));
  }
  void check(SparseMemory& memory, int from, std::uint64_t salt) {
    const std::uint64_t* const words = memory.as<std::uint64_t>() + from / 8;
    MPI_Count wrong = 0;
    for (MPI_Count i = 0; i < length_ / 8; ++i) wrong += words[i] != word(salt, i);
    const std::uint64_t last = word(salt, length_ / 8);
    wrong +=
        !std::equal(reinterpret_cast<const char*>(&last), reinterpret_cast<const char*>(&last) + length_ % 8,
                    reinterpret_cast<const char*>(words + length_ / 8));
    session_.check(wrong == 0, std::to_string(wrong) + " wrong words");
  }

  Session& session_;
  MPI_Count length_;
  int ranks_, me_;
};

int run_all(int argc, char** argv) {
  const auto elements = static_cast<MPI_Count>(option(argc, argv, "--elements", 0));
  Session session(argc, argv);
  if (elements == 0) {
    FarBlocks(session).run_all();
  } else {
    LongBlocks blocks(session, elements);
    blocks.bcast();
    blocks.allgatherv();
    blocks.allreduce();
  }
  return session.finish("mpi_bigcount");
}

}  // namespace
}  // namespace mpitest

int main(int argc, char** argv) {
  return mpitest::run_all(argc, argv);
}
