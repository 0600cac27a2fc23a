// SPDX-License-Identifier: BSD-3-Clause
// Every collective of an intercommunicator in every form, with MPI_ROOT and MPI_PROC_NULL, over datatypes,
// operators and uneven groups, checked against values that each process computes from a formula.
//   mpi_intercomm [--seed N] [--max-cases N] [--collective NAME] [--form NAME] [--at-once N] [--list]
// --at-once N: N nonblocking or persistent calls on one intercommunicator are under way together, their roots
// in either group, and in the midst of them the intercommunicator is duplicated by MPI_Comm_idup. Invariant:
// every process runs the same cases in the same order. Source: MPI 4.0 section 6.2.3 and each collective.
// Threads: one. Tested by: stock Open MPI (must pass).
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "call.h"
#include "case.h"
#include "clock.h"
#include "intercomm.h"
#include "session.h"
#include "value.h"

namespace mpitest {
namespace {

constexpr int kTag = 816;

/// Nobody may leave before all of the other group have entered.
void check_barrier(Session& session, const Groups& g, std::int64_t entered_ns, std::int64_t left_ns) {
  std::vector<MPI_Request> sends(static_cast<std::size_t>(g.remote_size()));
  for (int r = 0; r < g.remote_size(); ++r)
    MPI_Isend(&entered_ns, 1, MPI_INT64_T, r, kTag, g.inter, &sends[static_cast<std::size_t>(r)]);
  for (int r = 0; r < g.remote_size(); ++r) {
    std::int64_t theirs;
    MPI_Recv(&theirs, 1, MPI_INT64_T, r, kTag, g.inter, MPI_STATUS_IGNORE);
    session.check(theirs <= left_ns, "left the barrier before remote rank " + std::to_string(r) + " entered");
  }
  MPI_Waitall(g.remote_size(), sends.data(), MPI_STATUSES_IGNORE);
}

std::vector<const char*> shapes_for(const char* op) {
  if (std::string(op) == "none") return {"four_ints", "negative_lb", "natural_struct", "interleaved"};
  if (std::string(op) == "sum_int") return {"int"};
  return {"contiguous", "negative_lb"};
}

std::vector<const char*> operators_for(Collective what) {
  if (!traits_of(what).reduces) return {"none"};
  return {"sum_int", "user_sum", "user_matrix"};
}

void add_cases(std::vector<InterCase>& out, InterCase c) {
  const std::vector<int> units = {0, 1, 7, 5000, -1};
  for (const char* op : operators_for(c.collective))
    for (const char* shape : shapes_for(op))
      for (int n : units) {
        c.operator_name = op;
        c.shape = shape;
        c.units = n;
        out.push_back(c);
      }
}

std::vector<InterCase> all_inter_cases() {
  std::vector<InterCase> out;
  for (std::size_t what = 0; what < value_names(kCollective).size(); ++what) {
    const auto collective = static_cast<Collective>(what);
    for (Form form : {Form::kBlocking, Form::kNonblocking, Form::kPersistent})
      for (Cut cut : {Cut::kHalves, Cut::kParity, Cut::kFirstAlone})
        for (int root = 0; root < (traits_of(collective).rooted ? 4 : 1) && exists_between_groups(collective);
             ++root)
          add_cases(out, {collective, form, cut, root / 2, root % 2 == 1, "", "", 0});
  }
  return out;
}

struct Options {
  std::uint64_t seed = 1;
  std::size_t max_cases = 1000;
  std::string collective;
  std::string form;
  std::size_t at_once = 1;
  bool list = false;
};

Options parse(int argc, char** argv) {
  Options o;
  o.list = std::find(argv, argv + argc, std::string("--list")) != argv + argc;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    if (name == "--seed") o.seed = std::stoull(argv[i + 1]);
    if (name == "--max-cases") o.max_cases = std::stoull(argv[i + 1]);
    if (name == "--collective") o.collective = argv[i + 1];
    if (name == "--form") o.form = argv[i + 1];
    if (name == "--at-once") o.at_once = std::stoull(argv[i + 1]);
  }
  return o;
}

bool wanted(const Options& o, const InterCase& c) {
  const std::string name = c.name() + " ";
  if (o.at_once > 1 && c.form == Form::kBlocking) return false;
  return (o.collective.empty() || name.find("--collective " + o.collective + " ") != std::string::npos) &&
         (o.form.empty() || name.find("--form " + o.form + " ") != std::string::npos);
}

std::vector<InterCase> chosen_cases(const Options& o) {
  std::vector<InterCase> cases = all_inter_cases();
  std::erase_if(cases, [&](const InterCase& c) { return !wanted(o, c); });
  for (std::size_t i = cases.size(); i > 1; --i) std::swap(cases[i - 1], cases[hash_of(o.seed, i) % i]);
  cases.resize(std::min(cases.size(), o.max_cases));
  if (o.at_once > 1) std::ranges::stable_sort(cases, {}, &InterCase::cut);  // together: on one communicator
  return cases;
}

/// Runs the cases of one process.
class Runner {
 public:
  Runner(Session& session, std::uint64_t seed) : session_(session), seed_(seed), shapes_(make_shapes()) {
    session_.stage("making the intercommunicators");
    for (Cut cut : {Cut::kHalves, Cut::kParity, Cut::kFirstAlone})
      groups_.push_back(make_groups(cut, MPI_COMM_WORLD));
    for (const OperatorRecipe& recipe : operator_recipes())
      operators_.push_back(std::make_unique<Operator>(recipe));
  }
  ~Runner() {
    for (Groups& g : groups_) free_groups(g);
  }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  void run(const InterCase& c, std::uint64_t number) {
    session_.begin(c.name());
    const Groups& g = groups_of(c);
    const std::unique_ptr<Call> made = call_of(c);
    Call& call = *made;
    std::int64_t entered_ns = 0;
    Around around;
    if (c.collective == Collective::barrier)
      around = {[&] { entered_ns = now_ns(); }, [&] { check_barrier(session_, g, entered_ns, now_ns()); }};
    perform(session_.complaint(), call, c.form, hash_of(seed_, number), around);
  }

  /// All of `cases`, which are on one intercommunicator, under way at once, and its duplication with them.
  void run_together(std::span<const InterCase> cases, std::uint64_t number) {
    session_.begin(std::to_string(cases.size()) + " at once, the first " + cases.front().name());
    std::vector<std::unique_ptr<Call>> calls;
    std::vector<MPI_Request> requests(cases.size(), MPI_REQUEST_NULL);
    MPI_Request duplication = MPI_REQUEST_NULL;
    MPI_Comm copy = MPI_COMM_NULL;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      calls.push_back(call_of(cases[i]));
      calls[i]->fill(hash_of(seed_, number, i));
      session_.check(calls[i]->issue(&requests[i]) == MPI_SUCCESS, cases[i].name() + " returned an error");
      if (cases[i].form == Form::kPersistent) MPI_Start(&requests[i]);
      if (i == 0) MPI_Comm_idup(groups_of(cases[i]).inter, &copy, &duplication);
    }
    session_.check(
        MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE) == MPI_SUCCESS,
        "MPI_Waitall returned an error");
    session_.stage("duplicating the intercommunicator while " + std::to_string(cases.size()) +
                   " calls began, the first " + cases.front().name());
    MPI_Wait(&duplication, MPI_STATUS_IGNORE);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (const std::string wrong = calls[i]->verify(); !wrong.empty()) session_.fail(cases[i].name(), wrong);
      if (requests[i] != MPI_REQUEST_NULL) MPI_Request_free(&requests[i]);
    }
    MPI_Comm_free(&copy);
  }

 private:
  const Groups& groups_of(const InterCase& c) const { return groups_[static_cast<std::size_t>(c.cut)]; }
  std::unique_ptr<Call> call_of(const InterCase& c) const {
    const bool reduces = traits_of(c.collective).reduces;
    const Operator* op = reduces ? operators_[operator_index(c.operator_name)].get() : nullptr;
    return inter_call(c, groups_of(c), shapes_, op);
  }

  Session& session_;
  std::uint64_t seed_;
  ShapeSet shapes_;
  std::vector<Groups> groups_;
  std::vector<std::unique_ptr<Operator>> operators_;
};

/// Cases from `first` on that are on one intercommunicator, `most` at most.
std::size_t number_together(const std::vector<InterCase>& cases, std::size_t first, std::size_t most) {
  std::size_t number = 1;
  while (number < most && first + number < cases.size() && cases[first + number].cut == cases[first].cut)
    ++number;
  return number;
}

int run_all(int argc, char** argv) {
  const Options options = parse(argc, argv);
  const std::vector<InterCase> cases = chosen_cases(options);
  if (options.list) {
    for (const InterCase& c : cases) std::printf("%s\n", c.name().c_str());
    return EXIT_SUCCESS;
  }
  Session session(argc, argv);
  {
    Runner runner(session, options.seed);
    for (std::size_t i = 0; i < cases.size();) {
      const std::size_t together = number_together(cases, i, options.at_once);
      if (options.at_once == 1)
        runner.run(cases[i], i);
      else
        runner.run_together(std::span(cases).subspan(i, together), i);
      i += together;
    }
  }
  return session.finish("mpi_intercomm");
}

}  // namespace
}  // namespace mpitest

int main(int argc, char** argv) {
  return mpitest::run_all(argc, argv);
}
