// SPDX-License-Identifier: BSD-3-Clause
#include "mca/link_watch.h"

#include <algorithm>
#include <new>

#include "base/time.h"
#include "process/tcp_sight.h"

namespace wan {
namespace {

constexpr Nanoseconds kBetweenLooks = 2 * kMillisecond;
/// What looking takes is so small a part of the time.
constexpr int kPartOfTime = 50;
constexpr Nanoseconds kBetweenLists = 20 * kMillisecond, kLongestBetweenLists = 2'000 * kMillisecond;
/// So often there is nothing to be seen before it sleeps.
constexpr int kIdleLooks = 3;

}  // namespace

void LinkWatch::know(std::span<const ProcessRecord* const> processes, const Sites& sites, Rank me) {
  const std::lock_guard lock(mutex_);
  if (here_.empty()) here_ = sites.of[static_cast<std::size_t>(me)].site;
  for (std::size_t i = 0; i < processes.size(); ++i)
    for (const std::string& address : processes[i]->addresses) {
      const Located here{processes[i]->place.front(), sites.of[i].site};
      const auto [known, is_new] = at_.try_emplace(address, here);
      if (!is_new && known->second.host != here.host) known->second.site.clear();
    }
  next_list_ = 0;
}

void LinkWatch::awaken(Nanoseconds now) {
  if (is_awake_.exchange(true)) return;
  {
    const std::lock_guard lock(mutex_);
    stirred_at_ = now;
    idle_looks_ = 0;
  }
  progress().wake(*this, 0);
}

void LinkWatch::woken() {
  const Nanoseconds begin = Progress::now();
  Nanoseconds next = 0;
  try {
    const std::lock_guard lock(mutex_);
    next = look(begin);
  } catch (const std::bad_alloc&) {  // it will be stirred again
  }
  if (next == 0) return is_awake_.store(false);
  progress().wake(*this, next);
}

/// When to look again; 0: when it is stirred.
Nanoseconds LinkWatch::look(Nanoseconds now) {
  if (now >= next_list_) look_for_sockets(now);
  const Nanoseconds begin = Progress::now();
  bool is_used = false;
  std::optional<Sight> all;
  for (auto& [site, leading] : leading_) {
    const Sight sight = sight_of_site(leading, begin);
    is_used |= tell(*leading.bucket, *leading.link, sight);
    all = all ? together(*all, sight) : sight;
  }
  if (LearntLink* uplink = learnt_links().find(here_, {}); uplink != nullptr && all)
    is_used |= tell(buckets().of_uplink(here_), *uplink, *all);
  stirred_at_ = 0;
  idle_looks_ = is_used ? 0 : idle_looks_ + 1;
  if (idle_looks_ >= kIdleLooks) return 0;
  const Nanoseconds end = Progress::now();
  return end + std::max(kBetweenLooks, kPartOfTime * (end - begin));
}

/// Is the link in use?
bool LinkWatch::tell(Bucket& bucket, LearntLink& link, const Sight& sight) {
  const PaceDemand demand = bucket.take_demand();
  if (stirred_at_ > 0) link.stayed_empty_until(stirred_at_);
  bucket.adapt(sight.at, link.see(sight, demand));
  return demand.held || !sight.is_empty();
}

Sight LinkWatch::sight_of_site(Leading& leading, Nanoseconds now) {
  Sight all{.at = now, .sockets = leading.generation};
  const auto gone = std::remove_if(leading.sockets.begin(), leading.sockets.end(), [&](Socket& socket) {
    auto sight = sight_of(socket.descriptor);
    if (!sight || sight->delivered < socket.delivered) return true;
    // What TCP smooths is old where nothing has come.
    if (sight->is_empty() && sight->delivered == socket.delivered) sight->round_trip = 0;
    socket.delivered = sight->delivered;
    const std::uint64_t generation = all.sockets;
    all = together(all, *sight);
    all.sockets = generation;
    return false;
  });
  if (gone == leading.sockets.end()) return all;
  leading.sockets.erase(gone, leading.sockets.end());
  next_list_ = 0;
  all.sockets = ++leading.generation;
  return all;
}

void LinkWatch::look_for_sockets(Nanoseconds now) {
  const auto generations = [&] {
    std::uint64_t sum = 0;
    for (const auto& [site, leading] : leading_) sum += leading.generation;
    return sum;
  };
  const std::uint64_t before = generations();
  list_sockets();
  const bool is_new = generations() != before;
  list_interval_ =
      is_new || next_list_ == 0 ? kBetweenLists : std::min(2 * list_interval_, kLongestBetweenLists);
  next_list_ = now + std::max(list_interval_, kPartOfTime * (Progress::now() - now));
}

void LinkWatch::list_sockets() {
  std::map<std::string, std::vector<Socket>> found;
  for (const ConnectedSocket& socket : connected_sockets()) {
    const auto at = at_.find(socket.peer);
    if (at != at_.end() && !at->second.site.empty() && at->second.site != here_)
      found[at->second.site].push_back({socket.descriptor});
  }
  for (auto& [site, sockets] : found) {
    LearntLink* const link = learnt_links().find(here_, site);
    if (link == nullptr) continue;
    Leading& leading =
        leading_.try_emplace(site, Leading{{}, 0, &buckets().of(here_, site), link}).first->second;
    if (std::ranges::equal(leading.sockets, sockets, {}, &Socket::descriptor, &Socket::descriptor)) continue;
    leading.sockets = std::move(sockets);
    ++leading.generation;
  }
}

LinkWatch& link_watch() {
  static LinkWatch instance;
  return instance;
}

}  // namespace wan
