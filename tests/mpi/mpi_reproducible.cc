// SPDX-License-Identifier: BSD-3-Clause
// Every reduction in every form with operators that round, compared bit by bit with the brackets that
// coll_wan_reproducible promises (README): ranks in aligned blocks of powers of two, each its left half (op)
// its right half, the blocks of a prefix from left to right. Nothing but the number of processes and their
// ranks enters the formula, so equal bits mean that sites, layout, algorithm and run do not show.
// MPI_COMM_WORLD, its reverse, a part of it, two groups.
//   mpi_reproducible [--seed N] [--key yes]
// --key yes: asks for it by the info key of each communicator instead.
// Threads: one. Tested by: tests/mpi/run, where it must fail without the parameter.
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <string>
#include <vector>

#include "forms.h"
#include "options.h"
#include "session.h"
#include "value.h"

namespace mpitest {
namespace {

std::uint64_t as_salt(const std::string& text) {
  std::uint64_t salt = 0;
  for (const char c : text) salt = hash_of(salt, c);
  return salt;
}

bool has_option(int argc, char** argv, const std::string& name) {
  return std::any_of(argv + 1, argv + argc, [&](const char* argument) { return name == argument; });
}

/// Magnitudes from 2^-15 to 2^16, so that nearly every sum rounds.
double rough(std::uint64_t hash) {
  const double mantissa = static_cast<double>(hash >> 12) / static_cast<double>(1ull << 52) - 0.5;
  return std::ldexp(mantissa, static_cast<int>(hash % 32) - 15);
}

/// A datatype with an operator on it. No padding.
template <class T>
struct Kind {
  const char* name;
  MPI_Datatype type;
  MPI_Op op;
  T (*value)(std::uint64_t hash);
  T (*combine)(T left, T right);
};

/// Rounds, does not commute.
double halved(double left, double right) {
  return left * 0.75 + right;
}
void halve(void* in, void* inout, int* length, MPI_Datatype*) {
  for (int i = 0; i < *length; ++i)
    static_cast<double*>(inout)[i] = halved(static_cast<double*>(in)[i], static_cast<double*>(inout)[i]);
}

/// A communicator, and where this process's results come from.
struct Setting {
  std::string name;
  MPI_Comm comm;
  int rank, size;    ///< in its group
  int sources, id0;  ///< whose contributions it gets: so many, the first of which hashes as rank id0
  int id;            ///< as which its own hashes
  bool is_inter() const { return id0 != 0 || id != rank; }
};

/// Values of one call: element `index` of what the process that hashes as `id` contributes.
template <class T>
struct Values {
  const Kind<T>& kind;
  std::uint64_t salt;

  T of(int id, std::size_t index) const { return kind.value(hash_of(salt, id, index)); }
  T block(int id, int size, std::size_t index) const {
    return size == 1 ? of(id, index)
                     : kind.combine(block(id, size / 2, index), block(id + size / 2, size / 2, index));
  }
  /// Of `number` ranks, the first of which hashes as `id`.
  T prefix(int id, int number, std::size_t index) const {
    int size = 1;
    while (2 * size <= number) size *= 2;
    T value = block(id, size, index);
    for (int done = size; done < number; done += size) {
      while (done + size > number) size /= 2;
      value = kind.combine(value, block(id + done, size, index));
    }
    return value;
  }
};

struct Reduction {
  const char* name;
  bool has_inter;
};
constexpr Reduction kReductions[] = {
    {"reduce to first", false},     {"reduce to last", false}, {"allreduce", true}, {"reduce_scatter", true},
    {"reduce_scatter_block", true}, {"scan", false},           {"exscan", false}};

template <class T>
class Check {
 public:
  Check(Session& session, const Setting& setting, const Kind<T>& kind, std::size_t count, std::uint64_t seed)
      : session_(session), setting_(setting), kind_(kind), count_(count), seed_(seed) {}

  void run(const Reduction& reduction, Form form, bool in_place) {
    const std::string name = std::string(reduction.name) + " of " + std::to_string(count_) + " " +
                             kind_.name + " on " + setting_.name + (in_place ? " in place" : "") + " form " +
                             std::to_string(static_cast<int>(form));
    session_.begin(name);
    prepare(reduction.name, Values<T>{kind_, hash_of(seed_, as_salt(name))});
    if (in_place) std::copy(send_.begin(), send_.end(), receive_.begin());
    MPI_Request request = MPI_REQUEST_NULL;
    session_.check(issue(form, &request, in_place ? MPI_IN_PLACE : send_.data()) == MPI_SUCCESS, "an error");
    if (form == Form::kPersistent) MPI_Start(&request);
    if (form != Form::kBlocking) MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (form == Form::kPersistent) MPI_Request_free(&request);
    compare();
  }

 private:
  bool is(const char* name) const { return collective_ == name; }
  int root() const { return is("reduce to last") ? setting_.size - 1 : 0; }

  /// What goes in, and what must come out.
  void prepare(const std::string& collective, const Values<T>& values) {
    collective_ = collective;
    const bool scatters = is("reduce_scatter") || is("reduce_scatter_block");
    // Both groups have vectors of the same length: a multiple of both sizes.
    const std::size_t mine =
        scatters ? count_ * static_cast<std::size_t>(setting_.is_inter() ? setting_.sources : 1) : count_;
    const std::size_t length = scatters ? mine * static_cast<std::size_t>(setting_.size) : count_;
    send_.clear();
    for (std::size_t i = 0; i < length; ++i) send_.push_back(values.of(setting_.id, i));
    receive_.assign(length, T{});
    counts_.assign(static_cast<std::size_t>(setting_.size), static_cast<int>(mine));
    int number = setting_.sources;
    if (is("scan")) number = setting_.rank + 1;
    if (is("exscan")) number = setting_.rank;
    const bool has_result = number > 0 && (collective.rfind("reduce to", 0) != 0 || setting_.rank == root());
    expected_.clear();
    for (std::size_t i = 0; has_result && i < mine; ++i)
      expected_.push_back(values.prefix(setting_.id0, number,
                                        scatters ? static_cast<std::size_t>(setting_.rank) * mine + i : i));
  }

  int issue(Form form, MPI_Request* request, const void* send) {
    void* receive = receive_.data();
    const int count = static_cast<int>(count_), mine = counts_.front();
    MPI_Comm comm = setting_.comm;
    if (is("allreduce"))
      return mpitest::issue(form, request, MPITEST_FORMS(Allreduce, allreduce), send, receive, count,
                            kind_.type, kind_.op, comm);
    if (is("scan"))
      return mpitest::issue(form, request, MPITEST_FORMS(Scan, scan), send, receive, count, kind_.type,
                            kind_.op, comm);
    if (is("exscan"))
      return mpitest::issue(form, request, MPITEST_FORMS(Exscan, exscan), send, receive, count, kind_.type,
                            kind_.op, comm);
    if (is("reduce_scatter"))
      return mpitest::issue(form, request, MPITEST_FORMS(Reduce_scatter, reduce_scatter), send, receive,
                            counts_.data(), kind_.type, kind_.op, comm);
    if (is("reduce_scatter_block"))
      return mpitest::issue(form, request, MPITEST_FORMS(Reduce_scatter_block, reduce_scatter_block), send,
                            receive, mine, kind_.type, kind_.op, comm);
    if (setting_.rank != root() && send == MPI_IN_PLACE) send = send_.data();
    return mpitest::issue(form, request, MPITEST_FORMS(Reduce, reduce), send, receive, count, kind_.type,
                          kind_.op, root(), comm);
  }

  void compare() {
    if (expected_.empty() ||
        std::memcmp(expected_.data(), receive_.data(), expected_.size() * sizeof(T)) == 0)
      return;
    std::size_t first = 0;
    while (std::memcmp(&expected_[first], &receive_[first], sizeof(T)) == 0) ++first;
    session_.fail("other bits than promised, first in element " + std::to_string(first));
  }

  Session& session_;
  const Setting& setting_;
  const Kind<T>& kind_;
  std::size_t count_;
  std::uint64_t seed_;
  std::string collective_;
  std::vector<T> send_, receive_, expected_;
  std::vector<int> counts_;
};

class Everything {
 public:
  Everything(Session& session, std::uint64_t seed, bool by_key)
      : session_(session), seed_(seed), by_key_(by_key) {
    make_settings();
  }
  ~Everything() {
    for (Setting& setting : settings_)
      if (setting.comm != MPI_COMM_WORLD) MPI_Comm_free(&setting.comm);
  }
  Everything(const Everything&) = delete;
  Everything& operator=(const Everything&) = delete;

  template <class T>
  void run(const Kind<T>& kind) {
    for (const Setting& setting : settings_)
      for (const std::size_t count : {std::size_t{1}, std::size_t{67}, std::size_t{3000}})
        run(setting, kind, count);
  }

 private:
  template <class T>
  void run(const Setting& setting, const Kind<T>& kind, std::size_t count) {
    Check<T> check(session_, setting, kind, count, seed_);
    for (const Reduction& reduction : kReductions) {
      if (setting.is_inter() && !reduction.has_inter) continue;
      for (const Form form : {Form::kBlocking, Form::kNonblocking, Form::kPersistent})
        for (const bool in_place : {false, true})
          if (!in_place || (!setting.is_inter() && form == Form::kBlocking))
            check.run(reduction, form, in_place);
    }
  }

  void add(const std::string& name, MPI_Comm comm) {
    ask(comm);
    Setting setting{name, comm, 0, 0, 0, 0, 0};
    MPI_Comm_rank(comm, &setting.rank);
    MPI_Comm_size(comm, &setting.size);
    setting.sources = setting.size;
    setting.id = setting.rank;
    settings_.push_back(setting);
  }

  /// The lower ranks are one group, the upper ones the other, whose ranks hash as 1000 and more.
  void add_groups() {
    if (session_.size() < 2) return;
    const int split = session_.size() / 3 + 1, mine = session_.rank() < split ? 0 : 1;
    MPI_Comm group, inter;
    MPI_Comm_split(MPI_COMM_WORLD, mine, session_.rank(), &group);
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, mine == 0 ? split : 0, 1, &inter);
    ask(inter);
    MPI_Comm_free(&group);
    Setting setting{"two groups", inter, 0, 0, 0, mine == 0 ? 1000 : 0, 0};
    MPI_Comm_rank(inter, &setting.rank);
    MPI_Comm_size(inter, &setting.size);
    MPI_Comm_remote_size(inter, &setting.sources);
    setting.id = setting.rank + (mine == 0 ? 0 : 1000);
    settings_.push_back(setting);
  }

  /// Inside one site the key must be there when the communicator is made.
  void ask(MPI_Comm comm) const {
    if (!by_key_) return;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "coll_wan_reproducible", "true");
    MPI_Comm_set_info(comm, info);
    MPI_Info_free(&info);
  }

  void make_settings() {
    add("MPI_COMM_WORLD", MPI_COMM_WORLD);
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -session_.rank(), &comm);
    add("its reverse", comm);
    MPI_Comm_split(MPI_COMM_WORLD, session_.rank() % 3 == 1 ? 1 : 0, session_.rank(), &comm);
    add("a part of it", comm);
    add_groups();
  }

  Session& session_;
  std::uint64_t seed_;
  bool by_key_;
  std::vector<Setting> settings_;
};

int run_all(int argc, char** argv) {
  const std::uint64_t seed = option(argc, argv, "--seed", 1);
  Session session(argc, argv);
  MPI_Op halving;
  MPI_Op_create(halve, 0, &halving);
  {
    Everything all(session, seed, has_option(argc, argv, "--key"));
    all.run(Kind<float>{"float sum", MPI_FLOAT, MPI_SUM,
                        [](std::uint64_t h) { return static_cast<float>(rough(h)); },
                        [](float left, float right) { return left + right; }});
    all.run(Kind<double>{"double prod", MPI_DOUBLE, MPI_PROD,
                         [](std::uint64_t h) { return 1 + rough(h) / 1000; },
                         [](double left, double right) { return left * right; }});
    all.run(Kind<std::complex<double>>{
        "complex sum", MPI_C_DOUBLE_COMPLEX, MPI_SUM,
        [](std::uint64_t h) { return std::complex(rough(h), rough(hash_of(h))); },
        [](std::complex<double> left, std::complex<double> right) { return left + right; }});
    all.run(Kind<double>{"double user", MPI_DOUBLE, halving, rough, halved});
  }
  MPI_Op_free(&halving);
  return session.finish("mpi_reproducible");
}

}  // namespace
}  // namespace mpitest

int main(int argc, char** argv) {
  return mpitest::run_all(argc, argv);
}
