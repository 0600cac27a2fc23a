// SPDX-License-Identifier: BSD-3-Clause
// A loop of calls over a lab whose links change meanwhile:
//   wan-learning-loop COLLECTIVE BYTES CALLS [AT WORDS]...
// COLLECTIVE: allreduce, alltoall or bcast; BYTES: of the message, or of one rank's block. Before call AT the
// first rank changes a link as WORDS say (bench/lab/README.md, "Links that change"). Prints a line for each
// call: its number, when it began and what it took on the slowest rank, in milliseconds. Every result is
// checked. Status 1: one was wrong.
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace {

struct Loop {
  std::string collective;
  std::size_t words = 0;
  int calls = 0;
  std::map<int, std::string> changes;
};

/// What rank `from` has for rank `to` in a call.
std::int64_t word(int call, int from, int to, std::size_t index) {
  return call + 1'000'003LL * from + 7'919LL * to + static_cast<std::int64_t>(index % 1'009);
}

class Caller {
 public:
  explicit Caller(const Loop& loop) : loop_(loop) {
    MPI_Comm_rank(MPI_COMM_WORLD, &me_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    const std::size_t blocks = loop.collective == "alltoall" ? static_cast<std::size_t>(size_) : 1;
    given_.resize(blocks * loop.words);
    found_.resize(blocks * loop.words);
  }

  int me() const { return me_; }
  void fill(int call) {
    const bool is_bcast = loop_.collective == "bcast";
    for (std::size_t i = 0; i < given_.size(); ++i)
      given_[i] = word(call, is_bcast ? 0 : me_, static_cast<int>(i / loop_.words), i % loop_.words);
    if (is_bcast && me_ == 0) found_ = given_;
  }
  void call() {
    const int count = static_cast<int>(loop_.words);
    if (loop_.collective == "allreduce")
      MPI_Allreduce(given_.data(), found_.data(), count, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    else if (loop_.collective == "alltoall")
      MPI_Alltoall(given_.data(), count, MPI_INT64_T, found_.data(), count, MPI_INT64_T, MPI_COMM_WORLD);
    else
      MPI_Bcast(found_.data(), count, MPI_INT64_T, 0, MPI_COMM_WORLD);
  }
  bool is_right(int call) const {
    for (std::size_t i = 0; i < found_.size(); ++i)
      if (found_[i] != wanted(call, i)) return false;
    return true;
  }

 private:
  std::int64_t wanted(int call, std::size_t i) const {
    const std::size_t index = i % loop_.words;
    if (loop_.collective == "alltoall") return word(call, static_cast<int>(i / loop_.words), me_, index);
    if (loop_.collective == "bcast") return word(call, 0, 0, index);
    std::int64_t sum = 0;
    for (int from = 0; from < size_; ++from) sum += word(call, from, 0, index);
    return sum;
  }

  const Loop& loop_;
  int me_ = 0, size_ = 0;
  std::vector<std::int64_t> given_, found_;
};

/// By the first rank.
void change(const std::string& words) {
  const char* program = std::getenv("WAN_LAB_LINK");
  if (program == nullptr || std::system((std::string(program) + " " + words).c_str()) != 0) {
    std::fprintf(stderr, "wan-learning-loop: cannot change a link: %s\n", words.c_str());
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
}

/// Ranks begin together: without a collective call, of which coll_wan would learn.
void meet() {
  int me, size, token = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int other = 1; other < size; ++other)
    if (me == 0)
      MPI_Recv(&token, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (me == other)
      MPI_Send(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  for (int other = 1; other < size; ++other)
    if (me == 0)
      MPI_Send(&token, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
    else if (me == other)
      MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/// The highest of all ranks' values, at the first.
double highest(double mine) {
  int me, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (me > 0) {
    MPI_Send(&mine, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
    return mine;
  }
  for (int other = 1; other < size; ++other) {
    double others = 0;
    MPI_Recv(&others, 1, MPI_DOUBLE, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    mine = others > mine ? others : mine;
  }
  return mine;
}

/// How many results were wrong here.
int run(const Loop& loop) {
  Caller caller(loop);
  int wrong = 0;
  const double begin = MPI_Wtime();
  for (int call = 1; call <= loop.calls; ++call) {
    caller.fill(call);
    const auto due = loop.changes.find(call);
    if (due != loop.changes.end() && caller.me() == 0) change(due->second);
    meet();
    const double begun = MPI_Wtime();
    caller.call();
    const double took = highest(MPI_Wtime() - begun);
    wrong += caller.is_right(call) ? 0 : 1;
    if (caller.me() == 0) std::printf("%d %.3f %.3f\n", call, (begun - begin) * 1e3, took * 1e3);
  }
  return wrong;
}

}  // namespace

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  Loop loop;
  if (count >= 4) {
    loop = {arguments[1],
            std::strtoull(arguments[2], nullptr, 10) / sizeof(std::int64_t),
            std::atoi(arguments[3]),
            {}};
    for (int i = 4; i + 1 < count; i += 2) loop.changes[std::atoi(arguments[i])] = arguments[i + 1];
  }
  if (loop.words == 0 || loop.calls < 1 || count % 2 != 0 ||
      (loop.collective != "allreduce" && loop.collective != "alltoall" && loop.collective != "bcast")) {
    std::fprintf(stderr, "Usage: wan-learning-loop allreduce|alltoall|bcast BYTES CALLS [AT WORDS]...\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  int wrong = run(loop), all = 0;
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  int me;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  if (me == 0 && all > 0) std::fprintf(stderr, "wan-learning-loop: %d results were wrong\n", all);
  MPI_Finalize();
  return me == 0 && all > 0 ? 1 : 0;
}
