// SPDX-License-Identifier: BSD-3-Clause
// The traffic counters of a running lab: a file that the emulator writes and that any process of the job may
// map, so that a benchmark can attribute packets and bytes to one collective by sampling before and after it.
// The file's path stands in the environment variable WAN_LAB_COUNTERS. Layout: CountersHeader, then sites x
// sites LinkCounters, row-major by the sending site. This header stands alone; readers need nothing else of
// the lab.
// Invariants: every counter only grows; a packet is counted when it enters its link, dropped ones included.
// Threads: one writer (the emulator); readers load single counters (relaxed), so a sample is exact when the
// job is quiet. Tested by bench/lab/tests/emulator_test.cc and bench/lab/tests/lab_counters_test.sh.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace wan::lab {

/// What went over one directed pair of sites.
struct LinkCounters {
  std::atomic<std::uint64_t> packets;               ///< IP packets
  std::atomic<std::uint64_t> ip_bytes;              ///< bytes of those packets, IP header included
  std::atomic<std::uint64_t> tcp_payload_segments;  ///< TCP segments with data; sent again, counted again
  std::atomic<std::uint64_t> tcp_payload_bytes;     ///< their data
  std::atomic<std::uint64_t> tcp_stream_segments;   ///< TCP segments with data that was not sent before
  std::atomic<std::uint64_t> tcp_stream_bytes;      ///< that data: every byte of a stream once
  std::atomic<std::uint64_t> lost;                  ///< packets taken out by the link's loss rate
  std::atomic<std::uint64_t> overflowed;            ///< packets dropped because a queue was full
  std::atomic<std::uint64_t> late;  ///< packets delivered later than late_threshold_ns after their time
  std::atomic<std::uint64_t> worst_lateness_ns;  ///< the latest delivery so far
  std::atomic<std::uint64_t>
      other_ip_bytes;  ///< that arrived of somebody else's; in none of the above but the lateness
};

inline constexpr std::size_t kMaxLabSites = 64;
inline constexpr std::size_t kSiteNameBytes = 64;
inline constexpr char kCountersMagic[8] = {'W', 'A', 'N', 'L', 'A', 'B', '0', '3'};

/// The head of the file.
struct CountersHeader {
  char magic[8];                            ///< kCountersMagic
  std::uint32_t sites;                      ///< number of sites
  std::uint32_t header_bytes;               ///< offset of the first LinkCounters
  std::uint64_t late_threshold_ns;          ///< a delivery later than this counts as late
  std::atomic<std::uint64_t> device_drops;  ///< packets that the kernel dropped before the emulator saw them
  char site_names[kMaxLabSites][kSiteNameBytes];  ///< NUL-terminated
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

/// A read-only view of the counters of the lab that this process runs in.
class CountersView {
 public:
  /// Maps the file at `path`; an unusable one (also nullptr) gives a view that is not valid().
  explicit CountersView(const char* path) {
    const int fd = path ? ::open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0) return;
    map(fd);
    ::close(fd);
  }
  ~CountersView() {
    if (base_) ::munmap(base_, bytes_);
  }
  CountersView(const CountersView&) = delete;
  CountersView& operator=(const CountersView&) = delete;

  bool valid() const { return base_ != nullptr; }
  std::uint32_t sites() const { return header().sites; }
  const char* site_name(std::uint32_t site) const { return header().site_names[site]; }
  const CountersHeader& header() const { return *static_cast<const CountersHeader*>(base_); }

  /// The counters of the directed pair.
  const LinkCounters& link(std::uint32_t from, std::uint32_t to) const {
    const char* first = static_cast<const char*>(base_) + header().header_bytes;
    return reinterpret_cast<const LinkCounters*>(first)[std::size_t{from} * sites() + to];
  }

 private:
  void map(int fd) {
    struct stat status {};
    if (::fstat(fd, &status) != 0 || status.st_size < static_cast<off_t>(sizeof(CountersHeader))) return;
    bytes_ = static_cast<std::size_t>(status.st_size);
    void* mapped = ::mmap(nullptr, bytes_, PROT_READ, MAP_SHARED, fd, 0);
    if (mapped == MAP_FAILED) return;
    base_ = mapped;
    if (!intact()) {
      ::munmap(mapped, bytes_);
      base_ = nullptr;
    }
  }
  bool intact() const {
    const auto& head = header();
    return std::memcmp(head.magic, kCountersMagic, sizeof kCountersMagic) == 0 &&
           head.sites <= kMaxLabSites &&
           head.header_bytes + std::size_t{head.sites} * head.sites * sizeof(LinkCounters) <= bytes_;
  }

  void* base_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace wan::lab
