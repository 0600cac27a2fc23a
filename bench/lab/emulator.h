// SPDX-License-Identifier: BSD-3-Clause
// The wide area between the sites: reads packets from the sites' TAP devices, lets the Fabric decide when
// they arrive, and writes them to the device of the receiving site at that time, as that site's router would.
// Invariants: nothing is delivered early; lateness is counted, never hidden; no busy waiting.
// Threads: one, made by the constructor (SCHED_FIFO where allowed, else the best nice value), joined by the
// destructor; any thread may change links.
// Tested through bench/lab/tests/lab_rtt_test.sh, lab_rate_test.sh, lab_loss_test.sh, lab_counters_test.sh.
#pragma once

#include <poll.h>

#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "bench/lab/counter_file.h"
#include "bench/lab/departures.h"
#include "bench/lab/fabric.h"
#include "bench/lab/tap.h"

namespace wan::lab {

class Emulator {
 public:
  /// taps[s] is the device of site s; `counters` outlives the emulator.
  Emulator(FabricConfig config, std::vector<TapDevice> taps, Departures departures, CounterFile& counters);
  ~Emulator();
  Emulator(const Emulator&) = delete;
  Emulator& operator=(const Emulator&) = delete;

  /// What the thread runs as: "fifo", "nice" or "normal".
  const std::string& scheduling() const { return scheduling_; }

  /// Changes the link of a directed pair, also for packets that left up to a millisecond ago and have not
  /// been read; done when it returns.
  void change(SiteIndex from, SiteIndex to, const LinkChange& change);

 private:
  void run();
  std::optional<Fabric::Arrival> take(Nanoseconds now);
  void deliver_due();
  bool wait();
  bool read_site(SiteIndex from);
  void read_all();
  Nanoseconds pause();
  void submit(SiteIndex from, std::span<std::byte> bytes);

  std::mutex mutex_;  ///< guards fabric_
  Fabric fabric_;
  const Departures departures_;
  Nanoseconds listens_from_ = 0;  ///< for frames from the sites
  std::vector<TapDevice> taps_;
  CounterFile& counters_;
  std::vector<std::byte> buffer_;
  Fd stop_event_;
  std::vector<pollfd> polls_;  ///< one a site, then the stop event
  std::atomic<bool> stopping_ = false;
  std::string scheduling_;
  std::thread thread_;
};

}  // namespace wan::lab
