// SPDX-License-Identifier: BSD-3-Clause
// Looks at the sockets that lead this process to other sites, every few milliseconds while it uses them, and
// tells what it sees to what is learnt of the links (learn/learnt_link.h) and to their pacing (run/pacer.h).
// Which site a socket leads to follows from the addresses that processes publish (process/record.h); an
// address that exists at several sites says nothing.
//
// The cost: two system calls a socket and look, at most a fiftieth of the time; a list of the open files at
// most a fiftieth too, and ever more seldom while it finds nothing new. A process that sends nothing to other
// sites does nothing.
//
// Threads: any. Tested by: tests/lab/learning_test.sh.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "discover/sites.h"
#include "learn/learnt_link.h"
#include "mca/progress.h"
#include "process/record.h"
#include "run/pacer.h"

namespace wan {

class LinkWatch final : private Sleeper {
 public:
  /// Where these processes are; processes[me] is this one. What a communicator has told first counts: another
  /// one may call the same sites by other names (discover/sites.h).
  void know(std::span<const ProcessRecord* const> processes, const Sites& sites, Rank me);
  /// Something is about to be sent to another site.
  void stir(Nanoseconds now) {
    if (!is_awake_.load(std::memory_order_relaxed)) awaken(now);
  }

 private:
  struct Socket {
    int descriptor;
    Bytes delivered = 0;  ///< when it was looked at last
  };
  /// All that lead to one site.
  struct Leading {
    std::vector<Socket> sockets;
    std::uint64_t generation = 0;  ///< of the list
    Bucket* bucket;
    LearntLink* link;
  };
  void awaken(Nanoseconds now);
  void woken() override;
  Nanoseconds look(Nanoseconds now);
  void look_for_sockets(Nanoseconds now);
  void list_sockets();
  Sight sight_of_site(Leading& leading, Nanoseconds now);
  bool tell(Bucket& bucket, LearntLink& link, const Sight& sight);

  std::atomic<bool> is_awake_{false};
  std::mutex mutex_;
  std::string here_;
  struct Located {
    std::string host, site;  ///< no site: several hosts have the address
  };
  std::map<std::string, Located> at_;       ///< by address
  std::map<std::string, Leading> leading_;  ///< by site
  Nanoseconds stirred_at_ = 0, next_list_ = 0, list_interval_ = 0;
  int idle_looks_ = 0;
};

/// The one of this process.
LinkWatch& link_watch();

}  // namespace wan
