// SPDX-License-Identifier: BSD-3-Clause
#include "bench/lab/counter_file.h"

#include "base/invariant.h"
#include "bench/lab/system.h"

namespace wan::lab {
namespace {

/// Half of the millisecond that a round trip may be wrong by.
constexpr std::uint64_t kLateThresholdNs = 500'000;

}  // namespace

CounterFile::CounterFile(const std::string& path, const std::vector<std::string>& site_names)
    : bytes_(sizeof(CountersHeader) + site_names.size() * site_names.size() * sizeof(LinkCounters)),
      sites_(site_names.size()) {
  invariant(sites_ <= kMaxLabSites, "as many sites as the counters file has names for");
  const Fd file = open_file(path, O_RDWR | O_CREAT | O_EXCL, 0644);
  checked(::ftruncate(file.get(), static_cast<off_t>(bytes_)), path);
  base_ = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  checked(base_ == MAP_FAILED ? -1 : 0, path);
  for (std::size_t site = 0; site < sites_; ++site)
    site_names[site].copy(header().site_names[site], kSiteNameBytes - 1);
  header().sites = static_cast<std::uint32_t>(sites_);
  header().header_bytes = sizeof(CountersHeader);
  header().late_threshold_ns = kLateThresholdNs;
  std::memcpy(header().magic, kCountersMagic, sizeof kCountersMagic);
}

CounterFile::~CounterFile() {
  ::munmap(base_, bytes_);
}

LinkCounters& CounterFile::link(SiteIndex from, SiteIndex to) {
  auto* first = reinterpret_cast<LinkCounters*>(static_cast<char*>(base_) + sizeof(CountersHeader));
  return first[static_cast<std::size_t>(from) * sites_ + static_cast<std::size_t>(to)];
}

void CounterFile::count_packet(SiteIndex from, SiteIndex to, const PacketInfo& packet) {
  LinkCounters& counters = link(from, to);
  add(counters.packets, 1);
  add(counters.ip_bytes, static_cast<std::uint64_t>(packet.ip_bytes));
  const Bytes ahead = streams_.advance(packet);
  if (!packet.tcp || packet.tcp->payload == 0) return;
  add(counters.tcp_payload_segments, 1);
  add(counters.tcp_payload_bytes, static_cast<std::uint64_t>(packet.tcp->payload));
  add(counters.tcp_stream_segments, ahead > 0 ? 1 : 0);
  add(counters.tcp_stream_bytes, static_cast<std::uint64_t>(ahead));
}

void CounterFile::count_drops(SiteIndex from, SiteIndex to, const Drops& drops) {
  add(link(from, to).lost, drops.lost);
  add(link(from, to).overflowed, drops.overflowed);
}

void CounterFile::count_delivery(SiteIndex from, SiteIndex to, Nanoseconds lateness_ns) {
  LinkCounters& counters = link(from, to);
  const auto lateness = static_cast<std::uint64_t>(lateness_ns);
  if (lateness > kLateThresholdNs) add(counters.late, 1);
  if (lateness > counters.worst_lateness_ns.load(std::memory_order_relaxed))
    counters.worst_lateness_ns.store(lateness, std::memory_order_relaxed);
}

}  // namespace wan::lab
