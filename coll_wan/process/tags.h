// SPDX-License-Identifier: BSD-3-Clause
// The tags of a communicator's calls, and why no two calls under way share one.
//
// Who draws. Each process draws a tag for each call that it makes, when it makes it: a blocking or
// nonblocking call when it is called, a persistent one when its request is made. A call that all its
// processes know to be empty has no messages and draws none, because Open MPI answers some of those without
// asking coll_wan.
//
// From where. Open MPI keeps a counter of tags in each communicator. When coll_wan is enabled on a
// communicator, which all its processes do together before anything is under way there, it reserves some of
// them in one piece (mca/tag.h), and never touches that counter again. On an intercommunicator it reserves as
// many on the communicator of the own group that Open MPI keeps in it. So nobody else has these tags.
//
// Streams. The tags are cut into streams, each with a counter of its own and as many tags as the others,
// which it uses in turn. A stream is a set of calls whose order is the same on all processes that draw from
// it:
//  - one for each collective, one for all neighbourhood collectives, and one each for coll_wan's own calls
//    (Service). MPI demands that all processes call collectives on a communicator in the same order.
//  - rooted calls on an intercommunicator: two for each collective, by the group that the root is in. The
//  root
//    and the other group take part; the rest of the root's group does not, and Open MPI may not even tell
//    coll_wan of the call.
//
// Why two calls never share a tag between two processes, if fewer calls of a stream are under way at once
// than it has tags. Calls of different streams have different tags. Of one stream without a root, all
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
// How low. What carries messages may have fewer bits for a tag than an int, and says so by the highest tag
// that it takes (pml_max_tag). A tag as far below 0 looks like one of the application's. pml/ucx has 24 bits,
// pml/cm over libfabric 32 or, where the provider has few, 20. tags_in_stream() leaves a quarter of what
// there is to others.
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
  /// Two for each collective, one for neighbourhoods, three for services.
  static constexpr int kStreams = 2 * kCollectives + 1 + 3;

  /// Tags of each stream where tags down to -max_tag can be told from others, with `left_out` more for each
  /// reservation: a power of 2, 64 to 65,536; 0: there are fewer.
  static int tags_in_stream(int max_tag, int left_out);
  static constexpr int tags(int in_stream) { return kStreams * in_stream; }

  /// `first_across` and `first_inside` are the highest of the tags(in_stream) tags that were reserved on
  /// either communicator.
  TagStreams(int in_stream, int first_across, int first_inside = 0)
      : in_stream_(static_cast<std::uint32_t>(in_stream)),
        first_across_(first_across),
        first_inside_(first_inside) {}

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
  int tag(int first, int stream, std::uint32_t number) const {
    return first - stream * static_cast<int>(in_stream_) - static_cast<int>(number % in_stream_);
  }
  Tags next(int stream);

  std::uint32_t in_stream_;
  int first_across_, first_inside_;
  std::atomic<std::uint32_t> drawn_[kStreams] = {};
  std::mutex mutex_;
  std::map<std::pair<int, Rank>, std::uint32_t> drawn_with_root_;  ///< by stream and root
};

}  // namespace wan
