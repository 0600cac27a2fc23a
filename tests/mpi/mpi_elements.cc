// SPDX-License-Identifier: BSD-3-Clause
// Derived datatypes whose single element is longer than a segment: subarrays, a vector, an irregular list, a
// struct with a negative lower bound, a nest of them; of few bytes and of --bytes. Even ranks describe the
// data by the datatype, odd ones as bytes in one place, so that both ends differ. Every collective that moves
// data in blocking, nonblocking and persistent form, MPI_IN_PLACE where it is allowed, a reduction by a
// user's operator on such elements. The whole buffer is compared, with the bytes between the data, with what
// MPI_Unpack makes of values from a formula.
//   mpi_elements [--bytes N]
// N: of an element, about. Threads: one. Tested by: stock Open MPI (must pass).
#include <mpi.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "forms.h"
#include "options.h"
#include "session.h"
#include "value.h"

namespace mpitest {
namespace {

constexpr char kGap = 0x5a;

/// A datatype, and the bytes before its address that it may use.
struct Kind {
  std::string name;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  std::ptrdiff_t before = 0;
};

MPI_Datatype committed(MPI_Datatype type) {
  MPI_Type_commit(&type);
  return type;
}

MPI_Datatype subarray(const std::vector<int>& whole, const std::vector<int>& part,
                      const std::vector<int>& at) {
  MPI_Datatype type;
  MPI_Type_create_subarray(static_cast<int>(whole.size()), whole.data(), part.data(), at.data(), MPI_ORDER_C,
                           MPI_SHORT, &type);
  return committed(type);
}

MPI_Datatype columns(int rows) {
  MPI_Datatype type;
  MPI_Type_vector(rows, 3, 7, MPI_CHAR, &type);
  return committed(type);
}

/// Blocks of 1 to 17 bytes at uneven distances, not in the order of their addresses.
MPI_Datatype irregular(int blocks) {
  std::vector<int> lengths, places;
  for (int i = 0; i < blocks; ++i) {
    lengths.push_back(1 + i * 7 % 17);
    places.push_back(20 * (i % 2 == 0 ? i : blocks - 1 - i + (blocks % 2 == 0 ? 1 : 0)) + i % 3);
  }
  MPI_Datatype type;
  MPI_Type_indexed(blocks, lengths.data(), places.data(), MPI_CHAR, &type);
  return committed(type);
}

MPI_Datatype with_negative_bound(int doubles) {
  const int lengths[] = {doubles, 5, 3};
  const MPI_Aint places[] = {-8 * doubles - 16, -9, 16};
  const MPI_Datatype types[] = {MPI_DOUBLE, MPI_CHAR, MPI_INT};
  MPI_Datatype type;
  MPI_Type_create_struct(3, lengths, places, types, &type);
  return committed(type);
}

MPI_Datatype nested(int bytes) {
  MPI_Datatype inner = columns(5), resized, type;
  MPI_Type_create_resized(inner, 0, 41, &resized);
  MPI_Type_vector(bytes / 60 + 1, 4, 5, resized, &type);
  MPI_Type_free(&inner);
  MPI_Type_free(&resized);
  return committed(type);
}

std::vector<Kind> kinds_of(int bytes) {
  const int rows = bytes / 400 + 1, doubles = bytes / 8 + 1;
  std::vector<Kind> kinds = {
      {"columns", columns(bytes / 3 + 1)},
      {"rows of a plane", subarray({rows + 3, 311}, {rows, 200}, {2, 57})},
      {"rows of a box", subarray({7, rows / 5 + 4, 60}, {5, rows / 5 + 1, 40}, {1, 2, 11})},
      {"irregular blocks", irregular(bytes / 9 + 1)},
      {"negative lower bound", with_negative_bound(doubles), 8 * doubles + 32},
      {"nested", nested(bytes)},
  };
  return kinds;
}

using Bytes = std::vector<char>;

/// What `source` has for `target`, in packed form.
Bytes packed_values(const Kind& kind, int source, int target) {
  int size = 0;
  MPI_Type_size(kind.type, &size);
  Bytes values(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<char>(
        hash_of(static_cast<std::uint64_t>(source), static_cast<std::uint64_t>(target), i >> 3) >>
        (8 * (i & 7)));
  return values;
}

/// Memory for `elements` of a datatype, or for as many in one place.
class Typed {
 public:
  Typed(const Kind& kind, int elements, bool as_bytes) : kind_(kind), as_bytes_(as_bytes) {
    MPI_Aint bound = 0, true_bound = 0, reach = 0;
    MPI_Type_size(kind.type, &size_);
    MPI_Type_get_extent(kind.type, &bound, &extent_);
    MPI_Type_get_true_extent(kind.type, &true_bound, &reach);
    if (as_bytes) extent_ = size_;
    const auto spread = as_bytes ? size_ : extent_ * (elements - 1) + true_bound + reach + kind.before;
    memory_.assign(static_cast<std::size_t>(std::max<MPI_Aint>(spread, as_bytes ? size_ * elements : 0)) + 8,
                   kGap);
  }
  void* address() { return memory_.data() + (as_bytes_ ? 0 : kind_.before); }
  int count(int elements) const { return as_bytes_ ? size_ * elements : elements; }
  MPI_Datatype type() const { return as_bytes_ ? MPI_BYTE : kind_.type; }
  void set(int element, const Bytes& values) {
    char* to = static_cast<char*>(address()) + extent_ * element;
    int position = 0;
    if (as_bytes_)
      std::memcpy(to, values.data(), values.size());
    else
      MPI_Unpack(values.data(), size_, &position, to, 1, kind_.type, MPI_COMM_SELF);
  }
  bool operator==(const Typed& other) const { return memory_ == other.memory_; }

 private:
  const Kind& kind_;
  bool as_bytes_;
  int size_ = 0;
  MPI_Aint extent_ = 0;
  Bytes memory_;
};

/// Runs a call in a form; `issue` is given the form and where to put the request.
using Issue = std::function<void(Form form, MPI_Request* request)>;

class Elements {
 public:
  Elements(Session& session, int bytes) : session_(session), bytes_(bytes), kinds_(kinds_of(bytes)) {}
  ~Elements() {
    for (Kind& kind : kinds_) MPI_Type_free(&kind.type);
  }
  Elements(const Elements&) = delete;
  Elements& operator=(const Elements&) = delete;

  void run() {
    for (const Kind& kind : kinds_)
      for (const Form form : {Form::kBlocking, Form::kNonblocking, Form::kPersistent}) {
        bcast(kind, form);
        gather(kind, form);
        scatter(kind, form);
        allgather(kind, form, false);
        allgather(kind, form, true);
        alltoall(kind, form);
        alltoallw(kind, form);
        reduce(kind, form);
      }
  }

 private:
  int me() const { return session_.rank(); }
  int ranks() const { return session_.size(); }
  bool as_bytes() const { return me() % 2 == 1; }
  Typed memory(const Kind& kind, int elements) const { return Typed(kind, elements, as_bytes()); }

  void perform(const std::string& what, const Kind& kind, Form form, const Issue& issue_it,
               const Typed& result, const Typed& expected) {
    session_.begin(what + " of " + kind.name + ", " + std::to_string(bytes_) + " bytes, form " +
                   std::to_string(static_cast<int>(form)));
    MPI_Request request = MPI_REQUEST_NULL;
    issue_it(form, &request);
    if (form == Form::kPersistent) MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
    session_.check(result == expected, "wrong bytes");
  }

  void bcast(const Kind& kind, Form form) {
    Typed buffer = memory(kind, 2), expected = memory(kind, 2);
    for (int e = 0; e < 2; ++e) {
      expected.set(e, packed_values(kind, 0, e));
      if (me() == 0) buffer.set(e, packed_values(kind, 0, e));
    }
    const auto issue_it = [&](Form as, MPI_Request* r) {
      issue(as, r, MPITEST_FORMS(Bcast, bcast), buffer.address(), buffer.count(2), buffer.type(), 0,
            MPI_COMM_WORLD);
    };
    perform("bcast", kind, form, issue_it, buffer, expected);
  }

  void gather(const Kind& kind, Form form) {
    const int root = ranks() - 1;
    Typed send = memory(kind, 1), receive = memory(kind, ranks()), expected = memory(kind, ranks());
    send.set(0, packed_values(kind, me(), 0));
    for (int rank = 0; rank < ranks() && me() == root; ++rank)
      expected.set(rank, packed_values(kind, rank, 0));
    const auto issue_it = [&](Form as, MPI_Request* r) {
      issue(as, r, MPITEST_FORMS(Gather, gather), send.address(), send.count(1), send.type(),
            receive.address(), receive.count(1), receive.type(), root, MPI_COMM_WORLD);
    };
    perform("gather", kind, form, issue_it, receive, expected);
  }

  void scatter(const Kind& kind, Form form) {
    Typed send = memory(kind, ranks()), receive = memory(kind, 1), expected = memory(kind, 1);
    for (int rank = 0; rank < ranks(); ++rank) send.set(rank, packed_values(kind, 0, rank));
    expected.set(0, packed_values(kind, 0, me()));
    const auto issue_it = [&](Form as, MPI_Request* r) {
      issue(as, r, MPITEST_FORMS(Scatter, scatter), send.address(), send.count(1), send.type(),
            receive.address(), receive.count(1), receive.type(), 0, MPI_COMM_WORLD);
    };
    perform("scatter", kind, form, issue_it, receive, expected);
  }

  void allgather(const Kind& kind, Form form, bool in_place) {
    Typed send = memory(kind, 1), receive = memory(kind, ranks()), expected = memory(kind, ranks());
    send.set(0, packed_values(kind, me(), 0));
    if (in_place) receive.set(me(), packed_values(kind, me(), 0));
    for (int rank = 0; rank < ranks(); ++rank) expected.set(rank, packed_values(kind, rank, 0));
    const void* from = in_place ? MPI_IN_PLACE : send.address();
    const auto issue_it = [&](Form as, MPI_Request* r) {
      issue(as, r, MPITEST_FORMS(Allgather, allgather), from, send.count(1), send.type(), receive.address(),
            receive.count(1), receive.type(), MPI_COMM_WORLD);
    };
    perform(in_place ? "allgather in place" : "allgather", kind, form, issue_it, receive, expected);
  }

  void alltoall(const Kind& kind, Form form) {
    Typed send = memory(kind, ranks()), receive = memory(kind, ranks()), expected = memory(kind, ranks());
    for (int rank = 0; rank < ranks(); ++rank) {
      send.set(rank, packed_values(kind, me(), rank));
      expected.set(rank, packed_values(kind, rank, me()));
    }
    const auto issue_it = [&](Form as, MPI_Request* r) {
      issue(as, r, MPITEST_FORMS(Alltoall, alltoall), send.address(), send.count(1), send.type(),
            receive.address(), receive.count(1), receive.type(), MPI_COMM_WORLD);
    };
    perform("alltoall", kind, form, issue_it, receive, expected);
  }

  /// Each block a datatype of its own address: displacements in bytes.
  void alltoallw(const Kind& kind, Form form) {
    Typed send = memory(kind, ranks()), receive = memory(kind, ranks()), expected = memory(kind, ranks());
    MPI_Aint bound = 0, extent = 0;
    MPI_Type_get_extent(send.type(), &bound, &extent);
    const auto number = static_cast<std::size_t>(ranks());
    const std::vector<int> counts(number, send.count(1));
    const std::vector<MPI_Datatype> types(number, send.type());
    std::vector<int> places;
    for (int rank = 0; rank < ranks(); ++rank) {
      places.push_back(static_cast<int>(extent) * send.count(1) * rank);
      send.set(rank, packed_values(kind, me(), rank));
      expected.set(rank, packed_values(kind, rank, me()));
    }
    const auto issue_it = [&](Form as, MPI_Request* r) {
      issue(as, r, MPITEST_FORMS(Alltoallw, alltoallw), send.address(), counts.data(), places.data(),
            types.data(), receive.address(), counts.data(), places.data(), types.data(), MPI_COMM_WORLD);
    };
    perform("alltoallw", kind, form, issue_it, receive, expected);
  }

  /// Adds the packed bytes of elements; every rank uses the datatype.
  static void add(void* in, void* inout, int* count, MPI_Datatype* type) {
    if (*count == 0) return;
    int size = 0, position = 0;
    MPI_Type_size(*type, &size);
    Bytes a(static_cast<std::size_t>(size * *count)), b(a.size());
    MPI_Pack(in, *count, *type, a.data(), size * *count, &position, MPI_COMM_SELF);
    position = 0;
    MPI_Pack(inout, *count, *type, b.data(), size * *count, &position, MPI_COMM_SELF);
    for (std::size_t i = 0; i < a.size(); ++i) b[i] = static_cast<char>(a[i] + b[i]);
    position = 0;
    MPI_Unpack(b.data(), size * *count, &position, inout, *count, *type, MPI_COMM_SELF);
  }

  void reduce(const Kind& kind, Form form) {
    Typed send(kind, 2, false), receive(kind, 2, false), expected(kind, 2, false);
    for (int e = 0; e < 2; ++e) {
      send.set(e, packed_values(kind, me(), e));
      Bytes sum = packed_values(kind, 0, e);
      for (int rank = 1; rank < ranks(); ++rank) {
        const Bytes more = packed_values(kind, rank, e);
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = static_cast<char>(sum[i] + more[i]);
      }
      expected.set(e, sum);
    }
    MPI_Op op;
    MPI_Op_create(add, 1, &op);
    const auto issue_it = [&](Form as, MPI_Request* r) {
      issue(as, r, MPITEST_FORMS(Allreduce, allreduce), send.address(), receive.address(), 2, kind.type, op,
            MPI_COMM_WORLD);
    };
    perform("allreduce", kind, form, issue_it, receive, expected);
    MPI_Op_free(&op);
  }

  Session& session_;
  int bytes_;
  std::vector<Kind> kinds_;
};

}  // namespace
}  // namespace mpitest

int main(int argc, char** argv) {
  using namespace mpitest;
  Session session(argc, argv);
  const int bytes = static_cast<int>(option(argc, argv, "--bytes", 300'000));
  Elements(session, bytes).run();
  return session.finish("mpi_elements");
}
