// SPDX-License-Identifier: BSD-3-Clause
// wan-calibrate: measures what topo/machine.h must know of a host: processor time for each message and byte,
// latency and rate inside a host and between two hosts of a site, copies, reductions. A plain MPI program;
// the first process, the next on its host and the first on another host take part, the others wait. Prints a
// Machine, and a [[node]] entry for the topology file.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "bench/calibrate/line.h"
#include "bench/calibrate/probe.h"
#include "bench/common/release.h"
#include "cost/machine_file.h"
#include "probe/cache.h"
#include "process/flow_window.h"

namespace wan::bench {
namespace {

struct Options {
  int repetitions = 301;
  std::string output;
  bool keep = false;
};

/// What was measured of one kind of connection.
struct Connection {
  Line send, receive;
  Nanoseconds latency_ns = 0;
  BytesPerSecond rate = 0;
};

constexpr Bytes kSegment = 32'768;  ///< into which coll_wan cuts long messages
constexpr int kEndTag = 7;

std::string host_name() {
  std::string name(MPI_MAX_PROCESSOR_NAME, '\0');
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  return name;
}

enum class Whereabouts : std::uint8_t { same_host, other_host };

/// The lowest rank above 0 on rank 0's host, or on another; nullopt: there is none.
std::optional<Rank> partner(Whereabouts wish) {
  int me = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::string first = host_name();
  const std::string own = first;
  MPI_Bcast(first.data(), MPI_MAX_PROCESSOR_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
  const bool fits = me != 0 && (own == first) == (wish == Whereabouts::same_host);
  int candidate = fits ? me : size, lowest = size;
  MPI_Allreduce(&candidate, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return lowest < size ? std::optional<Rank>(lowest) : std::nullopt;
}

Line line_of(const std::vector<Bytes>& lengths, auto measure) {
  std::vector<Timing> timings;
  for (const Bytes bytes : lengths) timings.push_back({bytes, measure(bytes)});
  return fit(timings);
}

/// What is neither the sender's nor the receiver's processor's.
Nanoseconds latency_of(Probe& probe, const Connection& connection) {
  return std::max<Nanoseconds>(
      0, probe.one_way_ns(1) - connection.send.overhead_ns - connection.receive.overhead_ns);
}

Connection measure(MPI_Comm pair, const std::vector<Bytes>& lengths, int repetitions) {
  Probe probe(pair, kSegment, repetitions);
  Connection connection;
  probe.one_way_ns(kSegment);  // connects
  connection.send = line_of(lengths, [&](Bytes bytes) { return probe.send_ns(bytes); });
  connection.receive = line_of(lengths, [&](Bytes bytes) { return probe.receive_ns(bytes); });
  connection.latency_ns = latency_of(probe, connection);
  connection.rate = probe.stream(lengths.back());
  return connection;
}

/// Others sleep meanwhile: a process that polls would need a processor.
void wait_for_end() {
  constexpr Nanoseconds kNap = 5'000'000;
  MPI_Request done = MPI_REQUEST_NULL;
  MPI_Irecv(nullptr, 0, MPI_CHAR, 0, kEndTag, MPI_COMM_WORLD, &done);
  for (int flag = 0; !flag; MPI_Test(&done, &flag, MPI_STATUS_IGNORE)) sleep_until(now_ns() + kNap);
}

/// Of rank 0 with a partner; on the others nothing.
std::optional<Connection> measure_with(Whereabouts wish, const std::vector<Bytes>& lengths, int repetitions) {
  const std::optional<Rank> other = partner(wish);
  if (!other) return std::nullopt;
  int me = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const bool takes_part = me == 0 || me == *other;
  MPI_Comm pair = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, takes_part ? 0 : MPI_UNDEFINED, me, &pair);
  if (!takes_part) {
    wait_for_end();
    return std::nullopt;
  }
  const Connection connection = measure(pair, lengths, repetitions);
  MPI_Comm_free(&pair);
  if (me != 0) return std::nullopt;
  for (Rank rank = 1; rank < size; ++rank)
    if (rank != *other) MPI_Send(nullptr, 0, MPI_CHAR, rank, kEndTag, MPI_COMM_WORLD);
  return connection;
}

double in_us(Nanoseconds time) {
  return static_cast<double>(time) / 1e3;
}

void print(const char* name, const std::optional<Connection>& connection) {
  if (!connection) return fmt::print("# {}: no such pair of processes\n", name);
  const auto& [send, receive, latency_ns, rate] = *connection;
  fmt::print(
      "{}: send {{{}, {} ps/byte}}, receive {{{}, {} ps/byte}} ns; latency {} ns; {:.0f} MB/s in a stream\n",
      name, send.overhead_ns, send.ps_per_byte, receive.overhead_ns, receive.ps_per_byte, latency_ns,
      static_cast<double>(rate) / 1e6);
}

void print_node(const Connection& tcp) {
  fmt::print(
      "\n[[node]]\nhosts = [\"{}\"]\nsend_overhead = \"{:.1f} us\"\nreceive_overhead = \"{:.1f} us\"\n",
      host_name().c_str(), in_us(tcp.send.overhead_ns), in_us(tcp.receive.overhead_ns));
}

Medium medium_of(const Connection& connection, Bytes eager_limit) {
  return {{connection.send.overhead_ns, connection.receive.overhead_ns},
          connection.send.ps_per_byte,
          connection.receive.ps_per_byte,
          eager_limit};
}

/// Half of the round of polls in vain that a process waits for its turn, where all processes share this
/// machine.
Nanoseconds turn_ns(Nanoseconds poll_ns, int processors) {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return poll_ns * size / (2 * Nanoseconds{processors});
}

/// What was measured; the rest are the defaults.
Machine machine_of(const std::optional<Connection>& inside, const std::optional<Connection>& outside,
                   Nanoseconds poll_ns) {
  Machine machine;
  if (inside) {
    machine.shared_memory = medium_of(*inside, machine.shared_memory.eager_limit);
    machine.host_link = {inside->latency_ns, inside->rate, 0};
  }
  if (outside) {
    machine.tcp = medium_of(*outside, machine.tcp.eager_limit);
    machine.site_link = {outside->latency_ns, outside->rate, 0};
  }
  machine.copy_ps_per_byte = copy_ps_per_byte(kSegment);
  machine.reduce_ps_per_byte = reduce_ps_per_byte(kSegment);
  machine.processors = static_cast<std::int32_t>(std::max(1U, std::thread::hardware_concurrency()));
  machine.turn_ns = turn_ns(poll_ns, machine.processors);
  machine.flow_window = flow_window(sending_limits(0), receiving_limits(0));
  return machine;
}

/// For jobs that begin on this host.
void keep(const Machine& machine) {
  const std::string path = probe::machine_path(probe::own_cache_folder(), host_name().c_str());
  if (probe::write_machine(path, machine_text(machine)))
    fmt::print("kept in {}\n", path);
  else
    fmt::print(
        stderr,
        "wan-calibrate: cannot keep it: there is no folder below XDG_CACHE_HOME or HOME to write to\n");
}

void run(const Options& options) {
  int me = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  const auto inside =
      measure_with(Whereabouts::same_host, {1, 64, 512, 1'024, 2'048, 4'000}, options.repetitions);
  const auto outside =
      measure_with(Whereabouts::other_host, {1, 64, 1'024, 4'096, 16'384, kSegment}, options.repetitions);
  if (me != 0) return;
  print("shared memory", inside);
  print("between hosts", outside);
  const Nanoseconds poll = poll_ns(options.repetitions);
  const Machine machine = machine_of(inside, outside, poll);
  fmt::print("copy {} ps/byte, reduce {} ps/byte; a poll in vain {} ns\n", machine.copy_ps_per_byte,
             machine.reduce_ps_per_byte, poll);
  if (!options.output.empty() && !(std::ofstream(options.output) << machine_text(machine) << std::flush))
    fmt::print(stderr, "wan-calibrate: cannot write {}\n", options.output);
  if (options.keep) keep(machine);
  if (outside) print_node(*outside);
}

}  // namespace
}  // namespace wan::bench

int main(int argc, char** argv) {
  CLI::App app("Measures what a message costs the processors of a host", "wan-calibrate");
  wan::bench::Options options;
  app.add_option("--repetitions", options.repetitions, "of each measurement")->check(CLI::Range(3, 100'000));
  app.add_option("--output", options.output, "file for what was measured, for the programs that predict");
  app.add_flag("--keep", options.keep,
               "keep what was measured for jobs whose first process is on the same host as this one's");
  CLI11_PARSE(app, argc, argv);
  MPI_Init(&argc, &argv);
  wan::bench::run(options);
  MPI_Finalize();
  return 0;
}
