// SPDX-License-Identifier: BSD-3-Clause
// What MPI_T says of calls is what they must have caused. Reads and changes everything through MPI_T alone.
//   mpi_performance [--serves 1] [--sites N] [--change 1]
// --serves: does the component serve the calls of MPI_COMM_WORLD? If not, its variables can be listed and
// read all the same, and everything is 0. --sites: so many sites of which rank r is at site r (layout "own"),
// or 1: no messages between sites. --change: change control variables, and see their effect on communicators
// made later (coll_wan_explain: rank 0 prints, which tests/mpi/run looks for). Threads: one. Tested by:
// tests/mpi/run, which also runs it with wrong expectations.
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "options.h"
#include "session.h"
#include "tests/support/mpi_t_handle.h"

namespace mpitest {
namespace {

using Number = unsigned long long;

struct Listed {
  int index = -1;
  int variable_class = 0, binding = 0, is_readonly = 0, is_continuous = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  std::string help;
};

/// All performance variables of the component.
std::map<std::string, Listed> listed() {
  std::map<std::string, Listed> ours;
  int number = 0;
  MPI_T_pvar_get_num(&number);
  for (int i = 0; i < number; ++i) {
    char name[256] = "", help[1024] = "";
    int name_length = sizeof name, help_length = sizeof help, verbosity = 0, is_atomic = 0;
    Listed found;
    MPI_T_enum values = MPI_T_ENUM_NULL;
    if (MPI_T_pvar_get_info(i, name, &name_length, &verbosity, &found.variable_class, &found.type, &values,
                            help, &help_length, &found.binding, &found.is_readonly, &found.is_continuous,
                            &is_atomic) != MPI_SUCCESS)
      continue;  // of a component that Open MPI has closed
    found.index = i;
    found.help = help;
    if (std::string(name).starts_with("coll_wan_")) ours[name + 9] = found;
  }
  return ours;
}

/// Handles of all variables, bound to a communicator.
class Reader {
 public:
  Reader(Session& session, const std::map<std::string, Listed>& variables, MPI_Comm comm)
      : session_(session) {
    session_.check(MPI_T_pvar_session_create(&handles_of_) == MPI_SUCCESS, "MPI_T_pvar_session_create");
    for (const auto& [name, variable] : variables) {
      int count = 0;
      MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
      session_.check(bind_variable(handles_of_, variable.index, comm, &handle, &count) == MPI_SUCCESS,
                     "MPI_T_pvar_handle_alloc of " + name);
      session_.check(count == 1, name + " has several values");
      handles_[name] = handle;
    }
  }
  ~Reader() {
    for (auto& [name, handle] : handles_) MPI_T_pvar_handle_free(handles_of_, &handle);
    MPI_T_pvar_session_free(&handles_of_);
  }
  Number read(const std::string& name) {
    Number value = ~Number{0};
    const auto found = handles_.find(name);
    session_.check(found != handles_.end(), "there is no " + name);
    if (found == handles_.end()) return 0;
    session_.check(MPI_T_pvar_read(handles_of_, found->second, &value) == MPI_SUCCESS,
                   "MPI_T_pvar_read of " + name);
    return value;
  }
  void reset(const std::string& name) {
    session_.check(MPI_T_pvar_reset(handles_of_, handles_.at(name)) == MPI_SUCCESS,
                   "MPI_T_pvar_reset of " + name);
  }
  void expect(const std::string& name, Number wanted) {
    const Number value = read(name);
    session_.check(value == wanted,
                   name + " is " + std::to_string(value) + " instead of " + std::to_string(wanted));
  }
  /// All variables.
  void expect_nothing() {
    for (const auto& [name, handle] : handles_) expect(name, 0);
  }

 private:
  Session& session_;
  MPI_T_pvar_session handles_of_ = MPI_T_PVAR_SESSION_NULL;
  std::map<std::string, MPI_T_pvar_handle> handles_;
};

void check_list(Session& session, const std::map<std::string, Listed>& variables) {
  session.begin("list");
  for (const char* name :
       {"bcast_calls", "bcast_spread_bytes", "neighbor_alltoallv_direct_calls", "barrier_calls",
        "inter_site_messages", "inter_site_bytes", "streamed_messages", "wait_time", "call_time",
        "predicted_time", "bound_time", "plan_hits", "plan_misses", "lanes"})
    session.check(variables.contains(name), std::string("there is no coll_wan_") + name);
  for (const auto& [name, variable] : variables) {
    session.check(variable.binding == MPI_T_BIND_MPI_COMM, name + " is not bound to a communicator");
    session.check(variable.is_readonly == 1 && variable.is_continuous == 1,
                  name + " can be written or stopped");
    session.check(variable.type == MPI_UNSIGNED_LONG_LONG, name + " has another type");
    session.check(!variable.help.empty(), name + " has no description");
    const bool is_timer = name.ends_with("_time");
    session.check((variable.variable_class == MPI_T_PVAR_CLASS_TIMER) == is_timer,
                  name + " has another class");
  }
}

/// Of calls whose plans can be foretold: vectors of 1000 bytes from rank 0 go directly to the others.
void check_calls(Session& session, const std::map<std::string, Listed>& variables, Number sites) {
  session.begin("calls");
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  const auto others = sites == 1 ? 0 : static_cast<Number>(session.size() - 1);
  const bool is_root = session.rank() == 0;
  {
    Reader reader(session, variables, comm), world(session, variables, MPI_COMM_WORLD);
    const Number made = reader.read("plan_misses"), found = reader.read("plan_hits");
    reader.expect("bcast_calls", 0);
    std::vector<char> data(1000, is_root ? 'x' : ' ');
    for (int call = 0; call < 5; ++call) MPI_Bcast(data.data(), 1000, MPI_CHAR, 0, comm);
    reader.expect("bcast_calls", 5);
    reader.expect("bcast_bytes", 5000);
    reader.expect("bcast_direct_calls", 5);
    reader.expect("bcast_spread_calls", 0);
    reader.expect("inter_site_messages", is_root ? 5 * others : 0);
    reader.expect("inter_site_bytes", is_root ? 5000 * others : 0);
    session.check(reader.read("plan_misses") == made + 1 && reader.read("plan_hits") == found + 4,
                  "of five equal calls not one plan is made");
    reader.expect("predicted_calls", 5);
    session.check(
        reader.read("call_time") > 0 && reader.read("call_time") == reader.read("predicted_calls_time"),
        "calls take no time");
    session.check((reader.read("bound_time") > 0) == (sites > 1), "the bound of the calls");
    session.check(is_root || reader.read("predicted_time") > 0, "no time is predicted");
    reader.expect("lanes", 1);
    world.expect("bcast_calls", 0);
    reader.reset("bcast_calls");
    reader.expect("bcast_calls", 0);
    MPI_Request request;
    MPI_Iallreduce(MPI_IN_PLACE, data.data(), 8, MPI_CHAR, MPI_MAX, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    reader.expect("allreduce_calls", 1);
    reader.expect("allreduce_bytes", 8);
    reader.expect("bcast_calls", 0);
    Reader later(session, variables, comm);  // begins with its making
    later.expect("allreduce_calls", 0);
    later.expect("inter_site_messages", 0);
  }
  MPI_Comm_free(&comm);
}

/// Of empty messages, too: every rank of a barrier between sites of one process each sends to, and hears of,
/// all.
void check_waits(Session& session, const std::map<std::string, Listed>& variables, Number sites) {
  session.begin("waits");
  constexpr useconds_t late_us = 200'000;
  Reader reader(session, variables, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  reader.reset("wait_time");
  reader.reset("inter_site_messages");
  if (session.rank() == 0) usleep(late_us);
  MPI_Barrier(MPI_COMM_WORLD);
  const Number waited_us = reader.read("wait_time") / 1000;
  if (sites == 1)
    session.check(waited_us == 0, "waited for other sites, of which there are none");
  else if (session.rank() == 0)
    session.check(waited_us < late_us / 2,
                  "the late process waited for " + std::to_string(waited_us) + " us");
  else
    session.check(waited_us > late_us / 2, "waited for only " + std::to_string(waited_us) + " us");
  reader.expect("inter_site_messages", sites == 1 ? 0 : sites - 1);
  reader.expect("inter_site_bytes", 0);
}

/// Persistent calls count each start; neighbours have variables of their own.
void check_forms(Session& session, const std::map<std::string, Listed>& variables) {
  session.begin("neighbours");
  MPI_Comm ring;
  const int length = session.size(), period = 1;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &length, &period, 0, &ring);
  {
    Reader reader(session, variables, ring);
    int mine = session.rank(), theirs[2] = {-1, -1};
    MPI_Neighbor_allgather(&mine, 1, MPI_INT, theirs, 1, MPI_INT, ring);
    reader.expect("neighbor_allgather_calls", 1);
    reader.expect("neighbor_allgather_bytes", 3 * sizeof(int));
    reader.expect("neighbor_alltoall_calls", 0);
    reader.expect("predicted_calls", 0);
  }
  MPI_Comm_free(&ring);
}

/// Where coll_wan serves nothing there is nothing to count.
void check_silence(Session& session, const std::map<std::string, Listed>& variables) {
  session.begin("silence");
  Reader reader(session, variables, MPI_COMM_WORLD), self(session, variables, MPI_COMM_SELF);
  int value = session.rank();
  MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  reader.expect_nothing();
  self.expect_nothing();
}

int control_variable(const std::string& wanted, int& scope) {
  int number = 0;
  MPI_T_cvar_get_num(&number);
  for (int i = 0; i < number; ++i) {
    char name[256] = "", help[8] = "";
    int name_length = sizeof name, help_length = sizeof help, verbosity = 0, binding = 0;
    MPI_Datatype type;
    MPI_T_enum values;
    if (MPI_T_cvar_get_info(i, name, &name_length, &verbosity, &type, &values, help, &help_length, &binding,
                            &scope) == MPI_SUCCESS &&
        name == "coll_wan_" + wanted)
      return i;
  }
  return -1;
}

/// MPI's code.
int set(const std::string& name, int value) {
  int scope = 0, count = 0;
  MPI_T_cvar_handle handle;
  const int index = control_variable(name, scope);
  if (index < 0 || MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) != MPI_SUCCESS) return -1;
  const int rc = MPI_T_cvar_write(handle, &value);
  MPI_T_cvar_handle_free(&handle);
  return rc;
}

void check_scopes(Session& session) {
  session.begin("scopes");
  for (const char* name : {"explain", "verbose", "pacing", "plan_memory"}) {
    int scope = 0;
    session.check(control_variable(name, scope) >= 0 && scope == MPI_T_SCOPE_LOCAL,
                  std::string(name) + " has another scope");
  }
  for (const char* name :
       {"segment", "lanes", "priority", "algorithms", "topology", "report", "reproducible"}) {
    int scope = 0;
    session.check(control_variable(name, scope) >= 0 && scope == MPI_T_SCOPE_READONLY,
                  std::string(name) + " has another scope");
  }
  session.check(set("lanes", 2) != MPI_SUCCESS, "a read-only variable can be written");
}

/// One call on a communicator of this name, made now.
void call_on_new(const char* name, int bytes) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_name(comm, name);
  std::vector<char> data(static_cast<std::size_t>(bytes));
  MPI_Bcast(data.data(), bytes, MPI_CHAR, 0, comm);
  MPI_Comm_free(&comm);
}

void change(Session& session) {
  session.begin("change");
  call_on_new("SILENT", 300);
  session.check(set("explain", 1) == MPI_SUCCESS, "explain cannot be written");
  call_on_new("EXPLAINED", 301);
  session.check(set("explain", 7) == MPI_SUCCESS,
                "explain cannot be written");  // wrong: what held before holds
  call_on_new("WRONG", 302);
  session.check(set("explain", 0) == MPI_SUCCESS, "explain cannot be written");
  call_on_new("SILENT", 303);
}

int run_all(int argc, char** argv) {
  int provided = 0;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  const auto serves = option(argc, argv, "--serves", 1), sites = option(argc, argv, "--sites", 2);
  const auto early = listed();
  Session session(argc, argv);
  const auto variables = listed();
  check_list(session, variables);
  session.check(early.size() == variables.size(), "other variables before MPI_Init");
  check_scopes(session);
  if (serves == 0) {
    check_silence(session, variables);
  } else {
    check_calls(session, variables, sites);
    check_waits(session, variables, sites);
    check_forms(session, variables);
  }
  if (option(argc, argv, "--change", 0) != 0) change(session);
  MPI_T_finalize();  // Open MPI 4.1 crashes where that comes after MPI_Finalize
  return session.finish("mpi_performance");
}

}  // namespace
}  // namespace mpitest

int main(int argc, char** argv) {
  return mpitest::run_all(argc, argv);
}
