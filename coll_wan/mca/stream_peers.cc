// SPDX-License-Identifier: BSD-3-Clause
#include "mca/stream_peers.h"

#include <sys/resource.h>

#include <algorithm>

#include "mca/pml_in_use.h"
#include "mca/progress.h"

namespace wan {
namespace {

std::unique_ptr<Streams>& instance() {
  static std::unique_ptr<Streams> streams;
  return streams;
}

/// Does this process say what its streams have done?
bool& speaks() {
  static bool of_process = false;
  return of_process;
}

ProcessName name_of(std::uint64_t job, std::uint64_t rank) {
  return job << 32 | rank;
}

/// A quarter of the files that this process may have open.
int most_connections() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  return static_cast<int>(std::clamp<rlim_t>(limit.rlim_cur / 4, 1, 4'096));
}

}  // namespace

void open_streams(const Parameters& parameters, ProcessRecord& record) {
  if (parameters.streams == 0) return;
  auto listener = listener_for_others();
  if (!listener) return;
  record.streams = encode(listener->endpoint);
  Streams::Settings settings;
  if (parameters.streams > 0) settings.most = parameters.streams;
  settings.most_of_all = most_connections();
  const ProcessName me = name_of(OPAL_PROC_MY_NAME.jobid, OPAL_PROC_MY_NAME.vpid);
  instance() = std::make_unique<Streams>(me, std::move(*listener), settings);
  progress().attach(own_streams());
  speaks() = parameters.verbose >= 2 && OPAL_PROC_MY_NAME.vpid == 0;
}

void close_streams() {
  if (!instance()) return;
  progress().attach(nullptr);
  if (speaks() && own_streams()->carried() > 0)
    opal_output(0, "coll_wan: %llu messages of process 0 went over streams, of which it opened %d",
                static_cast<unsigned long long>(own_streams()->carried()), own_streams()->opened());
  instance().reset();
}

Streams* own_streams() {
  return instance().get();
}

StreamPeers stream_peers(const Topologies::Groups& processes, std::span<const ProcessRecord* const> records,
                         const Layout& layout, Rank me) {
  StreamPeers peers;
  if (own_streams() == nullptr || layout.sites() == 1) return peers;
  for (const auto& group : processes)
    for (const auto& [job, number] : group) {
      const auto rank = static_cast<Rank>(peers.size());
      peers.push_back({name_of(job, number)});
      if (layout.site_of(rank) != layout.site_of(me))
        peers.back().endpoint = probe::decode_endpoint(records[static_cast<std::size_t>(rank)]->streams);
    }
  return peers;
}

}  // namespace wan
