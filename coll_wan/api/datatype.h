// SPDX-License-Identifier: BSD-3-Clause
// The bytes of elements of an MPI datatype, in one piece: where they lie, or packed. Threads: any. Tested by
// tests/mpi/mpi_multicast.cc.
#pragma once

#include <mpi.h>

#include <memory>
#include <span>

#include "base/types.h"

namespace wan::multicast {

/// Of `count` elements at `buffer`.
class Elements {
 public:
  /// error: MPI_SUCCESS, or why they cannot be; the object is then of no use.
  Elements(void* buffer, int count, MPI_Datatype type, int& error);
  Elements(const Elements&) = delete;
  Elements& operator=(const Elements&) = delete;
  ~Elements();

  /// The bytes to send. Copies those of a type whose elements do not lie in one piece.
  std::span<const char> read(int& error);
  /// Where bytes are received; finish() brings the first `bytes` of them where they belong.
  std::span<char> write();
  int finish(Bytes bytes);

 private:
  std::span<char> bytes() {
    return {packed_ ? packed_.get() : static_cast<char*>(buffer_), static_cast<std::size_t>(size_)};
  }

  void* buffer_;
  int count_;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;  ///< a copy of the user's, which may be freed; null: in one piece
  Bytes size_ = 0;
  std::unique_ptr<char[]> packed_;
};

}  // namespace wan::multicast
