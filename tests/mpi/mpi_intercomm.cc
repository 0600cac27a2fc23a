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
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "call.h"
#include "case.h"
#include "clock.h"
#include "session.h"
#include "value.h"

namespace mpitest {
namespace {

constexpr int kTag = 816;
constexpr int kAnyone = 0;
constexpr int kGroupStride = 1000;  // contributions of group g hash as ranks g * kGroupStride + rank

/// Two groups, this process in one of them.
struct Groups {
  MPI_Comm local;
  MPI_Comm inter;
  int mine;  // 0 or 1
  int rank;  // in my group
  int sizes[2];

  int other() const { return 1 - mine; }
  int local_size() const { return sizes[mine]; }
  int remote_size() const { return sizes[other()]; }
  int id(int group, int r) const { return group * kGroupStride + r; }
  int my_id() const { return id(mine, rank); }
};

/// How the processes fall into groups.
enum class Cut { kHalves, kParity, kFirstAlone };

int group_of(Cut cut, int rank, int size) {
  if (cut == Cut::kParity) return rank % 2;
  return rank < (cut == Cut::kHalves ? (size + 1) / 2 : 1) ? 0 : 1;
}

/// World rank of the first process of a group.
int leader(Cut cut, int group, int size) {
  for (int r = 0; r < size; ++r)
    if (group_of(cut, r, size) == group) return r;
  return MPI_PROC_NULL;
}

Groups make_groups(Cut cut, const Session& session) {
  Groups g{};
  g.mine = group_of(cut, session.rank(), session.size());
  for (int r = 0; r < session.size(); ++r) ++g.sizes[group_of(cut, r, session.size())];
  MPI_Comm_split(MPI_COMM_WORLD, g.mine, session.rank(), &g.local);
  MPI_Comm_rank(g.local, &g.rank);
  MPI_Intercomm_create(g.local, 0, MPI_COMM_WORLD, leader(cut, g.other(), session.size()), 1, &g.inter);
  MPI_Comm_set_errhandler(g.inter, MPI_ERRORS_RETURN);
  return g;
}

/// One case.
struct InterCase {
  Collective collective;
  Form form;
  Cut cut;
  int root_group;
  bool last_root;
  const char* shape;
  const char* operator_name;  // "none" where nothing is reduced
  int units;                  // -1: uneven

  std::string name() const;
};

const char* const cut_names[] = {"halves", "parity", "first_alone"};

std::string InterCase::name() const {
  return "--collective " + value_names(kCollective)[static_cast<std::size_t>(collective)] + " --form " +
         value_names(kForm)[static_cast<std::size_t>(form)] + " groups " + cut_names[static_cast<int>(cut)] +
         " root group " + std::to_string(root_group) + (last_root ? " last" : " first") + " shape " + shape +
         " operator " + operator_name + " units " + std::to_string(units);
}

/// Makes the exchange of one process.
class Maker {
 public:
  Maker(const InterCase& c, const Groups& g, const ShapeSet& shapes) : c_(c), g_(g), shapes_(shapes) {}

  Exchange make() const;
  int root_argument() const;

 private:
  const Shape& shape() const { return *shapes_[recipe_index(c_.shape)]; }
  int root() const { return c_.last_root ? g_.sizes[c_.root_group] - 1 : 0; }
  bool in_root_group() const { return g_.mine == c_.root_group; }
  bool is_root() const { return in_root_group() && g_.rank == root(); }

  int units(int source, int target) const;
  Block moved(int source, int target) const;
  Block reduced(int count, Reduced what) const { return {&shape(), 0, count, std::nullopt, what}; }
  Reduced my_input() const { return {g_.my_id(), g_.my_id() + 1, 0}; }
  Reduced remote_result(int first) const {
    return {g_.id(g_.other(), 0), g_.id(g_.other(), g_.remote_size()), first};
  }
  template <class Make>
  Blocks from_remote(Make make) const;

  Exchange bcast() const;
  Exchange gather() const;
  Exchange scatter() const;
  Exchange allgather() const;
  Exchange alltoall() const;
  Exchange reduce() const;
  Exchange allreduce() const;
  Exchange reduce_scatter() const;

  const InterCase& c_;
  const Groups& g_;
  const ShapeSet& shapes_;
};

int Maker::root_argument() const {
  if (!in_root_group()) return root();
  return is_root() ? MPI_ROOT : MPI_PROC_NULL;
}

/// Units that process `source` has for `target`; in the collectives without counts for each rank, a group's
/// count.
int Maker::units(int source, int target) const {
  if (c_.units >= 0) return c_.units;
  if (traits_of(c_.collective).vector) return (3 * source + 5 * target) % 7;
  return c_.collective == Collective::allgather && source >= kGroupStride ? 0 : 3;
}

Block Maker::moved(int source, int target) const {
  return {&shape(), 0, units(source, target) * shape().recipe().items_per_unit, Moved{source, target}, {}};
}

/// One block for each remote process, displaced in descending order with a hole where displacements exist.
template <class Make>
Blocks Maker::from_remote(Make make) const {
  Blocks blocks;
  for (int r = 0; r < g_.remote_size(); ++r) blocks.push_back(make(r));
  const bool vector = traits_of(c_.collective).vector;
  std::ptrdiff_t at = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    Block& b = blocks[vector ? blocks.size() - 1 - i : i];
    b.at = at;
    at += (b.items + (vector ? 1 : 0)) * b.shape->extent();
  }
  return blocks;
}

Exchange Maker::bcast() const {
  Exchange e;
  const Block block = moved(g_.id(c_.root_group, root()), kAnyone);
  const bool takes_part = !in_root_group() || is_root();
  e.receive = {takes_part ? Presence::kSignificant : Presence::kIgnored, {block}};
  if (is_root()) e.before = {block};
  if (takes_part) e.after = {block};
  return e;
}

Exchange Maker::gather() const {
  Exchange e;
  if (!in_root_group()) e.send = {Presence::kSignificant, {moved(g_.my_id(), kAnyone)}};
  if (!is_root()) return e;
  const auto from = [&](int r) { return moved(g_.id(g_.other(), r), kAnyone); };
  e.receive = {Presence::kSignificant, from_remote(from)};
  e.after = e.receive.blocks;
  return e;
}

Exchange Maker::scatter() const {
  Exchange e;
  const int source = g_.id(c_.root_group, root());
  if (!in_root_group()) e.receive = {Presence::kSignificant, {moved(source, g_.my_id())}};
  e.after = e.receive.blocks;
  const auto to = [&](int r) { return moved(source, g_.id(g_.other(), r)); };
  if (is_root()) e.send = {Presence::kSignificant, from_remote(to)};
  return e;
}

Exchange Maker::allgather() const {
  Exchange e;
  const auto from = [&](int r) { return moved(g_.id(g_.other(), r), kAnyone); };
  e.send = {Presence::kSignificant, {moved(g_.my_id(), kAnyone)}};
  e.receive = {Presence::kSignificant, from_remote(from)};
  e.after = e.receive.blocks;
  return e;
}

Exchange Maker::alltoall() const {
  Exchange e;
  const auto to = [&](int r) { return moved(g_.my_id(), g_.id(g_.other(), r)); };
  const auto from = [&](int r) { return moved(g_.id(g_.other(), r), g_.my_id()); };
  e.send = {Presence::kSignificant, from_remote(to)};
  e.receive = {Presence::kSignificant, from_remote(from)};
  e.after = e.receive.blocks;
  if (c_.collective != Collective::alltoallw) return e;
  // Byte displacements: a type with a negative lower bound needs room before its first item.
  for (Buffer* buffer : {&e.send, &e.receive})
    for (Block& b : buffer->blocks) b.at += 64;
  e.after = e.receive.blocks;
  return e;
}

Exchange Maker::reduce() const {
  Exchange e;
  const int n = units(0, 0);
  if (!in_root_group()) e.send = {Presence::kSignificant, {reduced(n, my_input())}};
  e.receive = {is_root() ? Presence::kSignificant : Presence::kIgnored, {reduced(n, remote_result(0))}};
  if (is_root()) e.after = e.receive.blocks;
  return e;
}

Exchange Maker::allreduce() const {
  Exchange e;
  const int n = units(0, 0);
  e.send = {Presence::kSignificant, {reduced(n, my_input())}};
  e.receive = {Presence::kSignificant, {reduced(n, remote_result(0))}};
  e.after = e.receive.blocks;
  return e;
}

/// Both groups cut the same number of items into their own pieces.
Exchange Maker::reduce_scatter() const {
  Exchange e;
  const int n = units(0, 0);
  const int total = n * g_.local_size() * g_.remote_size();
  e.counts_of_ranks.assign(static_cast<std::size_t>(g_.local_size()), n * g_.remote_size());
  if (c_.collective == Collective::reduce_scatter && g_.local_size() > 1) {
    e.counts_of_ranks.front() -= n;
    e.counts_of_ranks.back() += n;
  }
  const auto mine = e.counts_of_ranks.begin() + g_.rank;
  const int first = std::accumulate(e.counts_of_ranks.begin(), mine, 0);
  e.send = {Presence::kSignificant, {reduced(total, my_input())}};
  e.receive = {Presence::kSignificant, {reduced(*mine, remote_result(first))}};
  e.after = e.receive.blocks;
  return e;
}

Exchange Maker::make() const {
  switch (c_.collective) {
    case Collective::bcast:
      return bcast();
    case Collective::gather:
    case Collective::gatherv:
      return gather();
    case Collective::scatter:
    case Collective::scatterv:
      return scatter();
    case Collective::allgather:
    case Collective::allgatherv:
      return allgather();
    case Collective::alltoall:
    case Collective::alltoallv:
    case Collective::alltoallw:
      return alltoall();
    case Collective::reduce:
      return reduce();
    case Collective::allreduce:
      return allreduce();
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      return reduce_scatter();
    default:
      return {};
  }
}

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

bool exists(Collective what) {
  return what != Collective::scan && what != Collective::exscan && what != Collective::reduce_local;
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
        for (int root = 0; root < (traits_of(collective).rooted ? 4 : 1) && exists(collective); ++root)
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
      groups_.push_back(make_groups(cut, session));
    for (const OperatorRecipe& recipe : operator_recipes())
      operators_.push_back(std::make_unique<Operator>(recipe));
  }
  ~Runner() {
    for (Groups& g : groups_) {
      MPI_Comm_free(&g.inter);
      MPI_Comm_free(&g.local);
    }
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
    const Maker maker(c, groups_of(c), shapes_);
    return std::make_unique<Call>(Target{c.collective, c.form, groups_of(c).inter, maker.root_argument()},
                                  maker.make(), op);
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
