// SPDX-License-Identifier: BSD-3-Clause
// What happens when something breaks in the middle of a collective.
//   faults COLLECTIVES --fault COMMAND [--heal COMMAND] [--actor RANK] [--calls N] [--form FORM]
//          [--groups none|halves] [--most-kib N] [--hoard BYTES]
//   faults COLLECTIVE --survive kill|revoke [--rounds N] [--actor RANK] [--form FORM] [--groups none|halves]
//          [--most-kib N]
// COLLECTIVES: names separated by commas, or all that are defined. FORM: blocking, nonblocking or persistent.
// --groups halves: between the lower and the higher ranks, on an intercommunicator. Of each collective some
// calls are timed; in the middle of the next one the process of rank --actor (0) has a shell run --fault;
// --calls (3) more follow once that has ended, then --heal, then many calls. Every result is checked against
// values that each process computes itself. A line for each collective says how long a call took on the
// slowest process: undisturbed, the one that was hit, the longest of those that followed, and the last; and
// by how much the resident memory of a process is larger at the end than it was before the fault, at most.
// More than --most-kib is a failure; --hoard keeps so many bytes of every call after the fault, which is the
// control. --survive: the process is killed in the middle of a call, or revokes the communicator instead of
// making it. Whoever gets an error revokes the communicator; who is left shrinks it and goes on with
// collectives on the smaller one (ULFM, Open MPI 5.0); --rounds: so many times, of revoke. The line says how
// many noticed by which error, how long the call took that returned it and the shrinking, by how much the
// memory has grown since the first call that was broken, and what was found wrong.
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
#include <limits>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "call.h"
#include "clock.h"
#include "intercomm.h"
#include "memory.h"
#include "neighbor.h"
#include "session.h"

namespace mpitest {
namespace {

constexpr int kTag = 618;
constexpr int kWarmUp = 20;     // calls before the one that is hit
constexpr int kAfter = 40;      // calls after all
constexpr int kUnits = 16'500;  // of a block where `Amount` does not say: as long as the others'

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
  bool between_groups() const { return text("--groups", "none") == "halves"; }
};

Collective collective_named(const std::string& name) {
  const std::vector<std::string>& names = value_names(kCollective);
  return static_cast<Collective>(std::find(names.begin(), names.end(), name) - names.begin());
}

/// Those that are defined on the communicator.
std::vector<std::string> all_collectives(const Options& options) {
  std::vector<std::string> all = value_names(kCollective);
  if (options.between_groups()) {
    std::erase_if(all,
                  [](const std::string& name) { return !exists_between_groups(collective_named(name)); });
    return all;
  }
  std::erase(all, "reduce_local");
  all.insert(all.end(), std::begin(kNeighborNames), std::end(kNeighborNames));
  return all;
}

Options parse(int argc, char** argv) {
  Options options;
  std::istringstream names(argc > 1 ? argv[1] : "");
  for (std::string name; std::getline(names, name, ',');) options.collectives.push_back(name);
  for (int i = 2; i + 1 < argc; i += 2) options.values[argv[i]] = argv[i + 1];
  if (options.collectives == std::vector<std::string>{"all"}) options.collectives = all_collectives(options);
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

/// One collective on a communicator, or of its processes: for one of neighbours on a ring, or between two
/// halves.
class Subject {
 public:
  Subject(const std::string& name, const Options& options, MPI_Comm comm, const Material& material)
      : comm_(comm), form_(options.form()) {
    const auto neighbor = std::find(std::begin(kNeighborNames), std::end(kNeighborNames), name);
    if (options.between_groups())
      make_inter_call(collective_named(name), material);
    else if (neighbor == std::end(kNeighborNames))
      make_call(name, material);
    else
      make_neighbor_call(static_cast<NeighborKind>(neighbor - std::begin(kNeighborNames)), material);
  }
  ~Subject() {
    if (request_ != MPI_REQUEST_NULL) MPI_Request_free(&request_);
    if (ring_.comm != MPI_COMM_NULL) MPI_Comm_free(&ring_.comm);
    if (groups_.inter != MPI_COMM_NULL) free_groups(groups_);
  }
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;

  /// The one on which the collective is called.
  MPI_Comm comm() const {
    return ring_.comm != MPI_COMM_NULL ? ring_.comm : groups_.inter != MPI_COMM_NULL ? groups_.inter : comm_;
  }

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
    const Case c = case_of(name, value_names(kForm)[static_cast<std::size_t>(form_)]);
    const Place place{rank_in(comm_), size_of(comm_), root_rank(c.root(), size_of(comm_))};
    call_ = std::make_unique<Call>(Target{c.collective(), form_, comm_, place.root},
                                   exchange_of(c, place, material.shapes, 1),
                                   traits_of(c.collective()).reduces ? &material.sum : nullptr);
  }

  /// The root is the last of the lower half. A reduce_scatter's block is as long as the others'.
  void make_inter_call(Collective collective, const Material& material) {
    groups_ = make_groups(Cut::kHalves, comm_);
    const bool scatters =
        collective == Collective::reduce_scatter || collective == Collective::reduce_scatter_block;
    const int units = scatters ? kUnits / groups_.remote_size() : kUnits;
    call_ = inter_call({collective, form_, Cut::kHalves, 0, true, "int", "sum_int", units}, groups_,
                       material.shapes, traits_of(collective).reduces ? &material.sum : nullptr);
  }

  void make_neighbor_call(NeighborKind kind, const Material& material) {
    ring_ = on_grid({"ring", {size_of(comm_)}, {1}}, rank_in(comm_), comm_);
    MPI_Comm_set_errhandler(ring_.comm, MPI_ERRORS_RETURN);
    call_ = neighbor_call({kind, form_, "int", kUnits}, ring_, material.shapes);
  }

  MPI_Comm comm_;
  Form form_;
  Neighborhood ring_{"", MPI_COMM_NULL, 0, {}, {}};
  Groups groups_{MPI_COMM_NULL, MPI_COMM_NULL, 0, 0, {0, 0}};
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

/// Has a process grown by no more than --most-kib?
void check_memory(Session& session, const Options& options, std::int64_t grown_bytes) {
  const int most_kib = options.number("--most-kib", std::numeric_limits<int>::max());
  session.check(grown_bytes / 1024 <= most_kib,
                "memory grew by " + std::to_string(grown_bytes / 1024) + " KiB");
}

/// How a collective got over a fault, on this process.
struct Outcome {
  std::int64_t clean_ns = 0, hit_ns = 0, longest_ns = 0, last_ns = 0;
  std::int64_t grown_bytes = 0;
};

/// Of every call after the fault `bytes` are kept: the control of what is said of memory.
void hoard(int bytes) {
  static std::vector<std::vector<char>> kept;
  if (bytes > 0) kept.emplace_back(static_cast<std::size_t>(bytes), '\1');
}

/// Undisturbed calls, then the one that is hit, and --calls more.
Outcome strike(Session& session, Subject& subject, const Options& options) {
  const bool acts = session.rank() == options.number("--actor", 0);
  Outcome outcome;
  outcome.clean_ns = timed_calls(session, subject, kWarmUp, 1).last_ns;
  outcome.grown_bytes = -resident_bytes();
  std::unique_ptr<Fault> fault;
  MPI_Barrier(MPI_COMM_WORLD);
  if (acts) fault = std::make_unique<Fault>(options.text("--fault"), outcome.clean_ns / 4);
  outcome.hit_ns = timed_call(session, subject, 17);
  fault.reset();
  const Durations after = timed_calls(session, subject, options.number("--calls", 3), 23);
  outcome.longest_ns = after.longest_ns;
  outcome.last_ns = after.last_ns;
  const std::string heal = options.text("--heal");
  if (acts && !heal.empty()) session.check(std::system(heal.c_str()) == 0, "cannot heal");
  return outcome;
}

/// Prints it on rank 0, of the slowest and of the largest process.
void report(Session& session, const std::string& collective, const Outcome& outcome) {
  const auto most_ms = [](std::int64_t ns) { return milliseconds(largest(MPI_COMM_WORLD, ns)); };
  const double clean = most_ms(outcome.clean_ns), hit = most_ms(outcome.hit_ns),
               then = most_ms(outcome.longest_ns), last = most_ms(outcome.last_ns);
  const std::int64_t grown = largest(MPI_COMM_WORLD, outcome.grown_bytes);
  if (session.rank() == 0)
    std::printf("%s: clean_ms %.0f hit_ms %.0f then_ms %.0f last_ms %.0f grown_kib %lld\n",
                collective.c_str(), clean, hit, then, last, static_cast<long long>(grown / 1024));
  std::fflush(stdout);
}

void hit(Session& session, const std::string& collective, const Options& options, const Material& material) {
  session.begin(collective);
  Subject subject(collective, options, MPI_COMM_WORLD, material);
  Outcome outcome = strike(session, subject, options);
  session.stage("calls after " + collective);
  for (int i = 0; i < kAfter; ++i) {
    hoard(options.number("--hoard", 0));
    timed_call(session, subject, static_cast<std::uint64_t>(31 + i));
  }
  outcome.grown_bytes += resident_bytes();
  check_memory(session, options, outcome.grown_bytes);
  report(session, collective, outcome);
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
  Subject subject(collective, options, shrunk, material);
  timed_calls(session, subject, options.number("--calls", 3), 41);
  int all_agree = 1;
  session.check(MPIX_Comm_agree(shrunk, &all_agree) == MPI_SUCCESS && all_agree == 1, "no agreement");
}

/// The communicator without who died, and how it came to that.
struct Survived {
  MPI_Comm shrunk = MPI_COMM_NULL;
  Noticed noticed;
  std::int64_t shrink_ns = 0;
  std::int64_t resident_before = 0;  ///< bytes
};

/// Between groups it is the communicator that both are of which is shrunk.
Survived survive(Session& session, const std::string& collective, const Options& options,
                 const Material& material, MPI_Comm comm) {
  Subject subject(collective, options, comm, material);
  const std::string how = options.text("--survive");
  const bool breaks = session.rank() == options.number("--actor", 0);
  const std::int64_t clean = timed_calls(session, subject, kWarmUp, 1).last_ns;
  MPI_Barrier(subject.comm());
  Survived survived;
  survived.resident_before = resident_bytes();
  survived.noticed = breaks ? break_it(session, subject, how, clean) : call_until_error(session, subject, 17);
  const int found = survived.noticed.error_class;
  session.check(found == MPIX_ERR_REVOKED || (found == MPIX_ERR_PROC_FAILED && how == "kill"),
                "error class " + std::to_string(found));
  MPIX_Comm_revoke(subject.comm());
  const MPI_Comm whole = options.between_groups() ? comm : subject.comm();
  const std::int64_t before = now_ns();
  session.check(MPIX_Comm_shrink(whole, &survived.shrunk) == MPI_SUCCESS, "cannot shrink");
  survived.shrink_ns = now_ns() - before;
  return survived;
}

/// Prints the outcome on rank 0 of what is left.
void report(Session& session, const std::string& collective, const Survived& survived,
            std::int64_t grown_bytes) {
  const MPI_Comm left = survived.shrunk;
  const Noticed& noticed = survived.noticed;
  const std::int64_t failed = total(left, noticed.error_class == MPIX_ERR_PROC_FAILED),
                     revoked = total(left, noticed.error_class == MPIX_ERR_REVOKED),
                     failures = total(left, session.failures()), grown = largest(left, grown_bytes);
  const double error_ms = milliseconds(largest(left, noticed.duration_ns)),
               shrink_ms = milliseconds(largest(left, survived.shrink_ns));
  if (rank_in(left) == 0)
    std::printf(
        "%s: proc_failed %d revoked %d error_ms %.0f shrink_ms %.0f grown_kib %d left %d failures %d\n",
        collective.c_str(), static_cast<int>(failed), static_cast<int>(revoked), error_ms, shrink_ms,
        static_cast<int>(grown / 1024), size_of(left), static_cast<int>(failures));
  std::fflush(stdout);
}

/// Breaks a duplicate of MPI_COMM_WORLD and goes on without who died.
Survived survive_round(Session& session, const std::string& collective, const Options& options,
                       const Material& material) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  const Survived survived = survive(session, collective, options, material, comm);
  const int left = size_of(survived.shrunk);
  session.check(left == session.size() - (options.text("--survive") == "kill" ? 1 : 0),
                std::to_string(left) + " are left");
  go_on(session, collective, options, material, survived.shrunk);
  MPI_Comm_free(&comm);
  return survived;
}

int run_survive(Session& session, const Options& options) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const std::string collective = options.collectives.at(0);
  session.begin(collective);
  {
    const Material material;
    Survived survived = survive_round(session, collective, options, material);
    const std::int64_t before = survived.resident_before;
    for (int round = 2; round <= options.number("--rounds", 1); ++round) {
      MPI_Comm_free(&survived.shrunk);
      session.stage(collective + ", round " + std::to_string(round));
      survived = survive_round(session, collective, options, material);
    }
    const std::int64_t grown = resident_bytes() - before;
    check_memory(session, options, grown);
    report(session, collective, survived, grown);
    MPI_Barrier(survived.shrunk);
    if (options.text("--survive") == "kill")
      _exit(EXIT_SUCCESS);  // MPI_Finalize of Open MPI 5.0.7 may wait for the dead for ever, also without
                            // coll_wan
    MPI_Comm_free(&survived.shrunk);
  }
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
