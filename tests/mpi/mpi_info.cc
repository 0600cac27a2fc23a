// SPDX-License-Identifier: BSD-3-Clause
// Info keys that coll_wan knows, given with a new communicator and by MPI_Comm_set_info: MPI_Comm_get_info
// shows right values, and no wrong ones, whoever makes the communicator; a new communicator has none of one
// that was freed.
//   mpi_info
// Source: MPI 4.0 sections 7.4.2 (MPI_Comm_dup_with_info; MPI_Comm_dup takes no keys over) and 7.4.4.
// Threads: one. Tested by: stock components alone, which show the wrong values too (tests/mpi/run).
#include <mpi.h>

#include <optional>
#include <string>
#include <vector>

#include "session.h"

namespace mpitest {
namespace {

/// A key with a value.
struct Hint {
  std::string key, value;
};

const std::vector<Hint> right = {{"coll_wan_post_load", "0"},
                                 {"coll_wan_post_load", "9000000000"},
                                 {"coll_wan_reproducible", "true"},
                                 {"coll_wan_reproducible", "0"}};
const std::vector<Hint> wrong = {{"coll_wan_post_load", "-1"},
                                 {"coll_wan_post_load", "much"},
                                 {"coll_wan_post_load", "7 s"},
                                 {"coll_wan_post_load", "99999999999999999999"},
                                 {"coll_wan_reproducible", "yes"}};

/// An MPI_Info with one key.
class Info {
 public:
  explicit Info(const Hint& hint) {
    MPI_Info_create(&info_);
    MPI_Info_set(info_, hint.key.c_str(), hint.value.c_str());
  }
  ~Info() { MPI_Info_free(&info_); }
  Info(const Info&) = delete;
  Info& operator=(const Info&) = delete;
  operator MPI_Info() const { return info_; }

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

std::optional<std::string> shown(MPI_Comm comm, const std::string& key) {
  MPI_Info info;
  MPI_Comm_get_info(comm, &info);
  char value[MPI_MAX_INFO_VAL + 1] = "";
  int flag = 0;
#if MPI_VERSION < 4
  MPI_Info_get(info, key.c_str(), MPI_MAX_INFO_VAL, value, &flag);
#else
  int size = sizeof value;
  MPI_Info_get_string(info, key.c_str(), &size, value, &flag);
#endif
  MPI_Info_free(&info);
  return flag != 0 ? std::optional<std::string>(value) : std::nullopt;
}

MPI_Comm ring_with(MPI_Info info) {
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int from = (rank + size - 1) % size, to = (rank + 1) % size;
  MPI_Comm made;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &from, MPI_UNWEIGHTED, 1, &to, MPI_UNWEIGHTED, info, 0,
                                 &made);
  return made;
}

MPI_Comm duplicate_with(MPI_Info info) {
  MPI_Comm made;
  MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &made);
  return made;
}

MPI_Comm duplicate_later_with(MPI_Info info) {
  MPI_Comm made;
  MPI_Request request;
  MPI_Comm_idup(MPI_COMM_WORLD, &made, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_set_info(made, info);
  return made;
}

MPI_Comm shared_with(MPI_Info info) {
  MPI_Comm made;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, info, &made);
  return made;
}

/// How a communicator comes by its info.
struct Maker {
  const char* name;
  MPI_Comm (*make)(MPI_Info info);
};
/// The graph comes first: Open MPI 4.1.4 may hang when it is made after other communicators.
const std::vector<Maker> makers = {{"dist_graph_create_adjacent", ring_with},
                                   {"dup_with_info", duplicate_with},
                                   {"idup and set_info", duplicate_later_with},
                                   {"split_type", shared_with}};

/// `expected` of `key` is what get_info must show of `comm`.
void check_shown(Session& session, MPI_Comm comm, const std::string& key,
                 const std::optional<std::string>& expected) {
  const auto found = shown(comm, key);
  session.check(found == expected, key + " is shown as " + found.value_or("nothing") + ", not as " +
                                       expected.value_or("nothing"));
}

void make_with(Session& session, const Maker& maker, const Hint& hint,
               const std::optional<std::string>& expected) {
  session.begin(std::string(maker.name) + " with " + hint.key + " = " + hint.value);
  MPI_Comm comm = maker.make(Info(hint));
  check_shown(session, comm, hint.key, expected);
  MPI_Comm_free(&comm);
}

/// Of 4.1 MPI_Comm_get_info shows what the user has set last, whatever stands.
void change(Session& session, MPI_Comm comm, const char* name) {
  session.begin(std::string("set_info of ") + name);
  for (const Hint& hint : right) {
    MPI_Comm_set_info(comm, Info(hint));
    check_shown(session, comm, hint.key, hint.value);
  }
  for (const Hint& hint : wrong) {
    MPI_Comm_set_info(comm, Info(hint));
#if OMPI_MAJOR_VERSION >= 5
    check_shown(session, comm, hint.key, hint.key == "coll_wan_post_load" ? "9000000000" : "false");
#endif
  }
}

void do_not_take_over(Session& session) {
  session.begin("dup takes no keys over");
  MPI_Comm given = duplicate_with(Info(right.front())), copy;
  MPI_Comm_dup(given, &copy);
  check_shown(session, copy, right.front().key, std::nullopt);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&given);
}

/// Addresses of freed communicators are used again.
void come_and_go(Session& session) {
  session.begin("communicators that come and go");
  for (int round = 0; round < 30; ++round) {
    const Hint& hint = right[static_cast<std::size_t>(round) % right.size()];
    MPI_Comm bare = duplicate_with(MPI_INFO_NULL), given = duplicate_with(Info(hint));
    check_shown(session, bare, hint.key, std::nullopt);
    check_shown(session, given, hint.key, hint.value);
    MPI_Comm_set_info(bare, Info(hint));
    MPI_Comm_free(&given);
    MPI_Comm_set_info(bare, Info(wrong.front()));
    MPI_Barrier(bare);
    MPI_Comm_free(&bare);
  }
}

int run_all(int argc, char** argv) {
  Session session(argc, argv);
  for (const Maker& maker : makers) {
    for (const Hint& hint : right) make_with(session, maker, hint, hint.value);
    for (const Hint& hint : wrong) make_with(session, maker, hint, std::nullopt);
  }
  MPI_Comm copy = duplicate_with(MPI_INFO_NULL);
  change(session, copy, "a duplicate");
  MPI_Comm_free(&copy);
  change(session, MPI_COMM_WORLD, "MPI_COMM_WORLD");
  do_not_take_over(session);
  come_and_go(session);
  return session.finish("mpi_info");
}

}  // namespace
}  // namespace mpitest

int main(int argc, char** argv) {
  return mpitest::run_all(argc, argv);
}
