// SPDX-License-Identifier: BSD-3-Clause
// What happens when something breaks in the middle of a collective.
//   faults COLLECTIVES --fault COMMAND [--heal COMMAND] [--actor RANK] [--calls N] [--form FORM]
//   faults COLLECTIVE --survive kill|revoke [--actor RANK] [--form FORM]
// COLLECTIVES: names separated by commas, or all. Of each a few calls are timed; in the middle of the next
// one the process of rank --actor (0) has a shell run --fault; --calls (3) more follow once that has ended,
// then --heal. Every result is checked against values that each process computes itself. A line for each
// collective says how long a call took on the slowest process: undisturbed, the one that was hit, the longest
// of those that followed, and the last. --survive: the process is killed in the middle of a call, or revokes
// the communicator instead of making it. Whoever gets an error revokes the communicator; who is left shrinks
// it and goes on with collectives on the smaller one (ULFM, Open MPI 5.0). The line says how many noticed by
// which error, how long the call took that returned it and the shrinking, and what was found wrong.
// Invariant: no call lasts longer than MPITEST_TIMEOUT_S: that ends the job, with a line. Threads: MPI is
// called by one.
// Tested by: stock Open MPI, which runs the same; the controls of tests/lab/faults_test.sh.
#include <mpi.h>
#if defined(OPEN_MPI) && OPEN_MPI
#include <mpi-ext.h>
#endif

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "call.h"
#include "clock.h"
#include "neighbor.h"
#include "session.h"

namespace mpitest {
namespace {

constexpr int kTag = 618;
constexpr int kWarmUp = 3;      // calls that are timed before the one that is hit
constexpr int kUnits = 16'500;  // of a neighbour's block: as long as those of the other collectives

struct Options {
  std::vector<std::string> collectives;
  std::map<std::string, std::string> values;

  std::string text(const std::string& name, const std::string& otherwise = {}) const {
    const auto found = values.find(name);
    return found == values.end() ? otherwise : found->second;
  }
  int number(const std::string& name, int otherwise) const {
    return std::stoi(text(name, std::to_string(otherwise)));
  }
  Form form() const {
    const std::string name = text("--form", "blocking");
    return name == "blocking"      ? Form::kBlocking
           : name == "nonblocking" ? Form::kNonblocking
                                   : Form::kPersistent;
  }
};

std::vector<std::string> all_collectives() {
  std::vector<std::string> all = value_names(kCollective);
  std::erase(all, "reduce_local");
  all.insert(all.end(), std::begin(kNeighborNames), std::end(kNeighborNames));
  return all;
}

Options parse(int argc, char** argv) {
  Options options;
  std::istringstream names(argc > 1 ? argv[1] : "");
  for (std::string name; std::getline(names, name, ',');) options.collectives.push_back(name);
  if (options.collectives == std::vector<std::string>{"all"}) options.collectives = all_collectives();
  for (int i = 2; i + 1 < argc; i += 2) options.values[argv[i]] = argv[i + 1];
  return options;
}

/// What every call has to do with: datatypes and the operator.
struct Material {
  ShapeSet shapes = make_shapes();
  Operator sum{
      *std::find_if(operator_recipes().begin(), operator_recipes().end(),
                    [](const OperatorRecipe& recipe) { return recipe.name == std::string("sum_int"); })};
};

int rank_in(MPI_Comm comm) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

int size_of(MPI_Comm comm) {
  int size;
  MPI_Comm_size(comm, &size);
  return size;
}

/// The case of one of the 17: blocks of more than the eager limit of btl/tcp, the root neither first nor
/// last.
Case case_of(const std::string& collective, const std::string& form) {
  Filter filter;
  for (const auto& [axis, values] :
       std::vector<std::pair<std::string, std::string>>{{"collective", collective},
                                                        {"form", form},
                                                        {"root", "middle,none"},
                                                        {"in-place", "no"},
                                                        {"operator", "none,sum_int"},
                                                        {"shape", "int"},
                                                        {"mix", "same"},
                                                        {"count", collective == "barrier" ? "zero" : "large"},
                                                        {"communicator", "world"}})
    add_filter(filter, axis, values);
  return all_cases(filter).at(0);
}

/// One collective on a communicator, or for one of neighbours on a ring of its processes.
class Subject {
 public:
  Subject(const std::string& name, Form form, MPI_Comm comm, const Material& material)
      : comm_(comm), form_(form) {
    const auto neighbor = std::find(std::begin(kNeighborNames), std::end(kNeighborNames), name);
    if (neighbor == std::end(kNeighborNames))
      make_call(name, material);
    else
      make_neighbor_call(static_cast<NeighborKind>(neighbor - std::begin(kNeighborNames)), material);
  }
  ~Subject() {
    if (request_ != MPI_REQUEST_NULL) MPI_Request_free(&request_);
    if (ring_.comm != MPI_COMM_NULL) MPI_Comm_free(&ring_.comm);
  }
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;

  MPI_Comm comm() const { return ring_.comm == MPI_COMM_NULL ? comm_ : ring_.comm; }

  /// Calls it once: MPI's code. Fills the buffers before, with values that follow from `salt`.
  int call(std::uint64_t salt) {
    call_->fill(salt);
    if (request_ == MPI_REQUEST_NULL)
      if (const int code = call_->issue(&request_); code != MPI_SUCCESS || form_ == Form::kBlocking)
        return code;
    if (form_ == Form::kPersistent)
      if (const int code = MPI_Start(&request_); code != MPI_SUCCESS) return code;
    return MPI_Wait(&request_, MPI_STATUS_IGNORE);
  }
  /// What is wrong with the buffers; nothing if all is right.
  std::string verify() { return call_->verify(); }

 private:
  void make_call(const std::string& name, const Material& material) {
    static const char* const forms[] = {"blocking", "nonblocking", "persistent"};
    const Case c = case_of(name, forms[static_cast<int>(form_)]);
    const Place place{rank_in(comm_), size_of(comm_), root_rank(c.root(), size_of(comm_))};
    call_ = std::make_unique<Call>(Target{c.collective(), form_, comm_, place.root},
                                   exchange_of(c, place, material.shapes, 1),
                                   traits_of(c.collective()).reduces ? &material.sum : nullptr);
  }

  void make_neighbor_call(NeighborKind kind, const Material& material) {
    ring_ = on_grid({"ring", {size_of(comm_)}, {1}}, rank_in(comm_), comm_);
    MPI_Comm_set_errhandler(ring_.comm, MPI_ERRORS_RETURN);
    call_ = neighbor_call({kind, form_, "int", kUnits}, ring_, material.shapes);
  }

  MPI_Comm comm_;
  Form form_;
  Neighborhood ring_{"", MPI_COMM_NULL, 0, {}, {}};
  std::unique_ptr<Checked> call_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

double milliseconds(std::int64_t ns) {
  return static_cast<double>(ns) / 1e6;
}

/// A command that a shell runs after a while, in a thread of its own; awaited at the end.
class Fault {
 public:
  Fault(std::string command, std::int64_t delay_ns)
      : thread_([=] {
          std::this_thread::sleep_for(std::chrono::nanoseconds(delay_ns));
          const auto now = std::chrono::system_clock::now().time_since_epoch();
          std::printf(
              "fault at %lld ms\n",
              static_cast<long long>(std::chrono::duration_cast<std::chrono::milliseconds>(now).count()));
          std::fflush(stdout);
          if (std::system(command.c_str()) != 0) std::printf("FAIL the fault: %s\n", command.c_str());
        }) {}
  ~Fault() { thread_.join(); }
  Fault(const Fault&) = delete;
  Fault& operator=(const Fault&) = delete;

 private:
  std::thread thread_;
};

using Combine = std::int64_t (*)(std::int64_t, std::int64_t);

/// All processes' values combined, on rank 0 of `comm`.
std::int64_t combined(MPI_Comm comm, std::int64_t mine, Combine combine) {
  if (rank_in(comm) != 0) MPI_Send(&mine, 1, MPI_INT64_T, 0, kTag, comm);
  for (int r = 1; r < size_of(comm) && rank_in(comm) == 0; ++r) {
    std::int64_t theirs;
    MPI_Recv(&theirs, 1, MPI_INT64_T, r, kTag, comm, MPI_STATUS_IGNORE);
    mine = combine(mine, theirs);
  }
  return mine;
}

std::int64_t largest(MPI_Comm comm, std::int64_t mine) {
  return combined(comm, mine, [](std::int64_t a, std::int64_t b) { return std::max(a, b); });
}

/// A call that must give the right result; how long it took, in nanoseconds.
std::int64_t timed_call(Session& session, Subject& subject, std::uint64_t salt) {
  const std::int64_t before = now_ns();
  const int code = subject.call(salt);
  const std::int64_t duration = now_ns() - before;
  session.check(code == MPI_SUCCESS, "error " + std::to_string(code));
  if (const std::string wrong = subject.verify(); code == MPI_SUCCESS && !wrong.empty()) session.fail(wrong);
  return duration;
}

/// The longest of some calls, and the last.
struct Durations {
  std::int64_t longest_ns = 0, last_ns = 0;
};

Durations timed_calls(Session& session, Subject& subject, int calls, std::uint64_t salt) {
  Durations durations;
  for (int i = 0; i < calls; ++i) {
    durations.last_ns = timed_call(session, subject, salt + static_cast<std::uint64_t>(i));
    durations.longest_ns = std::max(durations.longest_ns, durations.last_ns);
  }
  return durations;
}

void hit(Session& session, const std::string& collective, const Options& options, const Material& material) {
  session.begin(collective);
  Subject subject(collective, options.form(), MPI_COMM_WORLD, material);
  const bool acts = session.rank() == options.number("--actor", 0);
  const std::int64_t clean = timed_calls(session, subject, kWarmUp, 1).last_ns;
  std::unique_ptr<Fault> fault;
  MPI_Barrier(MPI_COMM_WORLD);
  if (acts) fault = std::make_unique<Fault>(options.text("--fault"), clean / 4);
  const std::int64_t struck = timed_call(session, subject, 17);
  fault.reset();
  const Durations after = timed_calls(session, subject, options.number("--calls", 3), 23);
  const std::string heal = options.text("--heal");
  if (acts && !heal.empty()) session.check(std::system(heal.c_str()) == 0, "cannot heal");
  const double clean_ms = milliseconds(largest(MPI_COMM_WORLD, clean)),
               hit_ms = milliseconds(largest(MPI_COMM_WORLD, struck)),
               longest_ms = milliseconds(largest(MPI_COMM_WORLD, after.longest_ns)),
               last_ms = milliseconds(largest(MPI_COMM_WORLD, after.last_ns));
  if (session.rank() == 0)
    std::printf("%s: clean_ms %.0f hit_ms %.0f then_ms %.0f last_ms %.0f\n", collective.c_str(), clean_ms,
                hit_ms, longest_ms, last_ms);
  std::fflush(stdout);
}

int run_hit(Session& session, const Options& options) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  {
    const Material material;
    for (const std::string& collective : options.collectives) hit(session, collective, options, material);
  }
  return session.finish("faults");
}

#if defined(OMPI_HAVE_MPI_EXT_FTMPI) && OMPI_HAVE_MPI_EXT_FTMPI

std::int64_t total(MPI_Comm comm, std::int64_t mine) {
  return combined(comm, mine, [](std::int64_t a, std::int64_t b) { return a + b; });
}

int class_of(int code) {
  int error_class = MPI_SUCCESS;
  if (code != MPI_SUCCESS) MPI_Error_class(code, &error_class);
  return error_class;
}

/// How a process noticed.
struct Noticed {
  int error_class = MPI_SUCCESS;
  std::int64_t duration_ns = 0;  ///< of the call that returned the error
};

/// Calls until one returns an error, or the alarm ends the job; what is delivered before must be right.
Noticed call_until_error(Session& session, Subject& subject, std::uint64_t salt) {
  for (;; ++salt) {
    const std::int64_t before = now_ns();
    const int code = subject.call(salt);
    if (code != MPI_SUCCESS) return {class_of(code), now_ns() - before};
    if (const std::string wrong = subject.verify(); !wrong.empty()) session.fail(wrong);
  }
}

/// The process kills itself in the middle of a call, or revokes instead of making it.
Noticed break_it(Session& session, Subject& subject, const std::string& how, std::int64_t clean_ns) {
  if (how == "revoke") {
    std::this_thread::sleep_for(std::chrono::nanoseconds(clean_ns * 3));
    MPIX_Comm_revoke(subject.comm());
    return {MPIX_ERR_REVOKED, 0};
  }
  const Fault fault("kill -9 $PPID", clean_ns / 2);
  return call_until_error(session, subject, 17);
}

/// The collective on the communicator that is left.
void go_on(Session& session, const std::string& collective, const Options& options, const Material& material,
           MPI_Comm shrunk) {
  Subject subject(collective, options.form(), shrunk, material);
  timed_calls(session, subject, options.number("--calls", 3), 41);
  int all_agree = 1;
  session.check(MPIX_Comm_agree(shrunk, &all_agree) == MPI_SUCCESS && all_agree == 1, "no agreement");
}

/// The communicator without who died, and how it came to that.
struct Survived {
  MPI_Comm shrunk = MPI_COMM_NULL;
  Noticed noticed;
  std::int64_t shrink_ns = 0;
};

Survived survive(Session& session, const std::string& collective, const Options& options,
                 const Material& material, MPI_Comm comm) {
  Subject subject(collective, options.form(), comm, material);
  const std::string how = options.text("--survive");
  const bool breaks = session.rank() == options.number("--actor", 0);
  const std::int64_t clean = timed_calls(session, subject, kWarmUp, 1).last_ns;
  MPI_Barrier(subject.comm());
  Survived survived;
  survived.noticed = breaks ? break_it(session, subject, how, clean) : call_until_error(session, subject, 17);
  const int found = survived.noticed.error_class;
  session.check(found == MPIX_ERR_REVOKED || (found == MPIX_ERR_PROC_FAILED && how == "kill"),
                "error class " + std::to_string(found));
  MPIX_Comm_revoke(subject.comm());
  const std::int64_t before = now_ns();
  session.check(MPIX_Comm_shrink(subject.comm(), &survived.shrunk) == MPI_SUCCESS, "cannot shrink");
  survived.shrink_ns = now_ns() - before;
  return survived;
}

/// Prints the outcome on rank 0 of what is left.
void report(Session& session, const std::string& collective, const Survived& survived) {
  const MPI_Comm left = survived.shrunk;
  const Noticed& noticed = survived.noticed;
  const std::int64_t failed = total(left, noticed.error_class == MPIX_ERR_PROC_FAILED),
                     revoked = total(left, noticed.error_class == MPIX_ERR_REVOKED),
                     failures = total(left, session.failures());
  const double error_ms = milliseconds(largest(left, noticed.duration_ns)),
               shrink_ms = milliseconds(largest(left, survived.shrink_ns));
  if (rank_in(left) == 0)
    std::printf("%s: proc_failed %d revoked %d error_ms %.0f shrink_ms %.0f left %d failures %d\n",
                collective.c_str(), static_cast<int>(failed), static_cast<int>(revoked), error_ms, shrink_ms,
                size_of(left), static_cast<int>(failures));
  std::fflush(stdout);
}

int run_survive(Session& session, const Options& options) {
  MPI_Comm comm;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  const std::string collective = options.collectives.at(0);
  const bool kills = options.text("--survive") == "kill";
  session.begin(collective);
  {
    const Material material;
    Survived survived = survive(session, collective, options, material, comm);
    const int left = size_of(survived.shrunk);
    session.check(left == session.size() - (kills ? 1 : 0), std::to_string(left) + " are left");
    go_on(session, collective, options, material, survived.shrunk);
    report(session, collective, survived);
    MPI_Barrier(survived.shrunk);
    if (kills)
      _exit(EXIT_SUCCESS);  // MPI_Finalize of Open MPI 5.0.7 may wait for the dead for ever, also without
                            // coll_wan
    MPI_Comm_free(&survived.shrunk);
  }
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return EXIT_SUCCESS;
}

#else

int run_survive(Session& session, const Options&) {
  if (session.rank() == 0) std::printf("this Open MPI has no ULFM\n");
  std::fflush(stdout);
  MPI_Finalize();
  return 77;
}

#endif

int run(int argc, char** argv) {
  const Options options = parse(argc, argv);
  Session session(argc, argv);
  return options.text("--survive").empty() ? run_hit(session, options) : run_survive(session, options);
}

}  // namespace
}  // namespace mpitest

int main(int argc, char** argv) {
  return mpitest::run(argc, argv);
}
