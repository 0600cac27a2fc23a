// SPDX-License-Identifier: BSD-3-Clause
// Times of point-to-point messages between two processes, in the manner of LogGP (Alexandrov et al., 1995):
// what the sender's and the receiver's processor spend on a message, and how long it takes in all. Collective
// over a communicator of two; both measure, the results are those of rank 0 (sender, receiver: of whichever
// it is). Plain MPI, blocking progress by this thread alone.
#pragma once

#include <mpi.h>

#include <vector>

#include "cost/machine.h"

namespace wan::bench {

class Probe {
 public:
  /// `pair`: two processes. Messages up to `longest` bytes, `repetitions` of each measurement.
  Probe(MPI_Comm pair, Bytes longest, int repetitions);

  /// The median time of MPI_Send on rank 0, for a message whose receive is posted and whose predecessors have
  /// gone.
  Nanoseconds send_ns(Bytes bytes);
  /// The median time of MPI_Wait on rank 0, for a message that came to its host a while ago.
  Nanoseconds receive_ns(Bytes bytes);
  /// Half the median time of a message there and one back.
  Nanoseconds one_way_ns(Bytes bytes);
  /// Bytes a second of many messages in a row.
  BytesPerSecond stream(Bytes bytes);

 private:
  void ready();
  void pause() const;

  MPI_Comm pair_;
  int me_ = 0;
  int repetitions_;
  std::vector<char> buffer_;
};

/// The median time that a process spends to find that nothing has come.
Nanoseconds poll_ns(int repetitions);
/// The time of memcpy, of MPI_Reduce_local on doubles, for each byte of segments of this length out of the
/// cache.
PicosecondsPerByte copy_ps_per_byte(Bytes segment);
PicosecondsPerByte reduce_ps_per_byte(Bytes segment);

}  // namespace wan::bench
