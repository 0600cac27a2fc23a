// SPDX-License-Identifier: BSD-3-Clause
// The tags of a communicator's calls, and why no two calls under way share one.
//
// Who draws. Each process draws a tag for each call that it makes, when it makes it: a blocking or
// nonblocking call when it is called, a persistent one when its request is made. A call that all its
// processes know to be empty has no messages and draws none, because Open MPI answers some of those without
// asking coll_wan.
//
// From where. Open MPI keeps a counter of tags in each communicator. When coll_wan is enabled on a
// communicator, which all its processes do together before anything is under way there, it reserves kTags of
// them in one piece (mca/tag.h), and never touches that counter again. On an intercommunicator it reserves as
// many on the communicator of the own group that Open MPI keeps in it. So nobody else has these tags.
//
// Streams. The tags are cut into streams, each with a counter of its own and kTagsInStream tags, which it
// uses in turn. A stream is a set of calls whose order is the same on all processes that draw from it:
//  - one for each collective, one for all neighbourhood collectives, and one each for coll_wan's own calls
//    (Service). MPI demands that all processes call collectives on a communicator in the same order.
//  - rooted calls on an intercommunicator: two for each collective, by the group that the root is in. The
//  root
//    and the other group take part; the rest of the root's group does not, and Open MPI may not even tell
//    coll_wan of the call.
//
// Why two calls never share a tag between two processes, if fewer than kTagsInStream calls of a stream are
// under way at once. Calls of different streams have different tags. Of one stream without a root, all
// processes count all calls. Of a rooted stream on an intercommunicator:
//  - A pair across the groups is a root and a process of the other group, and only calls with this root have
//    messages between the two in this stream. Both count the calls of each root by itself, and both take part
//    in all of this root's. (A call whose root is the other one of the pair belongs to the other stream.)
//  - A pair inside a group takes part in exactly the calls whose root is in the other group. All processes of
//    the group take part in all of them, and count them together.
//
// What Open MPI draws in between. MPI_Comm_idup and its like call nonblocking collectives from Open MPI's
// progress engine, at other moments on other processes. Those on the own group's communicator inside an
// intercommunicator (ompi_comm_allreduce_inter_nb: ireduce, ibcast) draw from that communicator's counter, or
// from its own module's streams. Those on the communicator itself (iallreduce) come through coll_wan: they
// draw from the stream of their collective and shift no other. A call of the same collective that is made
// while the communicator is being duplicated may meet them, as it does with Open MPI's own nonblocking
// collectives.
//
// How low. The tags lie above -2^23 as long as others draw few: UCX's messages have 24 bits for a tag
// (PML_UCX_TAG_BITS), lower ones look like the application's.
//
// Threads: any. Tested by tests/unit/process_tags.cc (all interleavings that it draws),
// tests/mpi/mpi_tags.cc.
#pragma once

#include <atomic>
#include <map>
#include <mutex>

#include "plan/call.h"

namespace wan {

/// The calls that coll_wan makes for itself.
enum class Service : std::uint8_t {
  contact,      ///< mca/contact.h
  edge_survey,  ///< mca/edge_survey.h
  agreement     ///< mca/link_agreement.h
};

/// A process's tags for one call.
struct Tags {
  int across = 0;  ///< on the communicator itself
  int inside = 0;  ///< on the own group's, where the call is on an intercommunicator
};

class TagStreams {
 public:
  static constexpr int kTagsInStream = 1 << 16;
  /// Two for each collective, one for neighbourhoods, three for services.
  static constexpr int kStreams = 2 * kCollectives + 1 + 3;
  static constexpr int kTags = kStreams * kTagsInStream;

  /// `first_across` and `first_inside` are the highest of the kTags tags that were reserved on either
  /// communicator.
  explicit TagStreams(int first_across, int first_inside = 0)
      : first_across_(first_across), first_inside_(first_inside) {}

  /// Of a call that all processes take part in.
  Tags of_all(Collective collective) { return next(stream_of(collective)); }
  Tags of_neighbors() { return next(kOfNeighbors); }
  Tags of_service(Service service) { return next(kOfServices + static_cast<int>(service)); }
  /// Of a rooted call on an intercommunicator, whose root is in the first group or in the other. Only those
  /// who take part call it.
  Tags with_root(Collective collective, Rank root, bool root_is_in_first_group);

 private:
  static constexpr int kOfNeighbors = 2 * kCollectives, kOfServices = kOfNeighbors + 1;
  static int stream_of(Collective collective) { return static_cast<int>(collective); }
  static int tag(int first, int stream, std::uint32_t number) {
    return first - stream * kTagsInStream - static_cast<int>(number % kTagsInStream);
  }
  Tags next(int stream);

  int first_across_, first_inside_;
  std::atomic<std::uint32_t> drawn_[kStreams] = {};
  std::mutex mutex_;
  std::map<std::pair<int, Rank>, std::uint32_t> drawn_with_root_;  ///< by stream and root
};

}  // namespace wan
