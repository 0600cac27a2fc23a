// SPDX-License-Identifier: BSD-3-Clause
// The writer's side of the counters file (bench/lab/counters.h). Tested by bench/lab/tests/emulator_test.cc.
#pragma once

#include <string>
#include <vector>

#include "base/types.h"
#include "bench/lab/counters.h"
#include "bench/lab/fabric.h"
#include "bench/lab/packet.h"
#include "bench/lab/tcp_streams.h"

namespace wan::lab {

class CounterFile {
 public:
  /// Makes and maps the file at `path`, all counters zero.
  CounterFile(const std::string& path, const std::vector<std::string>& site_names);
  ~CounterFile();
  CounterFile(const CounterFile&) = delete;
  CounterFile& operator=(const CounterFile&) = delete;

  /// A packet enters the link.
  void count_packet(SiteIndex from, SiteIndex to, const PacketInfo& packet);
  void count_drops(SiteIndex from, SiteIndex to, const Drops& drops);
  /// What is not the job's has arrived.
  void count_other(SiteIndex from, SiteIndex to, Bytes ip_bytes) {
    add(link(from, to).other_ip_bytes, static_cast<std::uint64_t>(ip_bytes));
  }
  /// A packet left the link `lateness_ns` after its time.
  void count_delivery(SiteIndex from, SiteIndex to, Nanoseconds lateness_ns);
  void set_device_drops(std::uint64_t packets) {
    header().device_drops.store(packets, std::memory_order_relaxed);
  }

 private:
  static void add(std::atomic<std::uint64_t>& counter, std::uint64_t amount) {
    counter.store(counter.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
  }
  CountersHeader& header() { return *static_cast<CountersHeader*>(base_); }
  LinkCounters& link(SiteIndex from, SiteIndex to);

  TcpStreams streams_;
  void* base_ = nullptr;
  std::size_t bytes_ = 0;
  std::size_t sites_ = 0;
};

}  // namespace wan::lab
