// SPDX-License-Identifier: BSD-3-Clause
// From the ranges of a Program to memory. A user buffer is a list of blocks, each `count` elements of a
// datatype; a range addresses their packed form. What a range covers is handed on without a copy where MPI
// can describe it: one contiguous piece, whole elements of one block, or anything of which runs of blocks are
// long enough to be worth a datatype of their own. The rest is packed and unpacked through a staging buffer.
//
// Datatypes may have gaps, any lower bound, any true extent, size 0. Positions may fall anywhere, also inside
// an element or a basic type: a range is found in the datatype's TypeMap, and packed and unpacked where it
// lies, in time proportional to it and without touching a byte beside it. A TypeMap is made once a call, when
// the datatype is first packed. Memory that is not dense is read and written by the processor: buffers in a
// device's memory must be dense.
//
// Threads: const functions may run concurrently on ranges that do not overlap (invariant 7 of the blueprint).
// Tested by: tests/mpi (derived datatypes), tests/unit where no Open MPI is needed.
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "mca/ompi.h"
#include "plan/program.h"
#include "process/spare_memory.h"
#include "run/type_map.h"

namespace wan {

/// `bytes` bytes from `skip` of the packed form of `count` elements of `type` at `address`.
struct Piece {
  char* address = nullptr;
  std::size_t count = 0;
  ompi_datatype_t* type = nullptr;
  std::size_t skip = 0;
  std::size_t bytes = 0;

  /// All of the elements: MPI can send and receive it as it is.
  bool whole() const { return skip == 0 && bytes == count * type->super.size; }
};
using Pieces = std::vector<Piece>;
std::size_t bytes_of(const Pieces& pieces);

/// A datatype that was made for one message. MPI's requests keep what they use.
struct FreeDatatype {
  void operator()(ompi_datatype_t* type) const { ompi_datatype_destroy(&type); }
};
using OwnDatatype = std::unique_ptr<ompi_datatype_t, FreeDatatype>;

/// The memory that a user passed, in packed order.
class UserBuffer {
 public:
  /// Appends `count` elements of `type` at `address`.
  void append(const void* address, std::size_t count, ompi_datatype_t* type);
  /// Appends what `length` bytes of the packed form from `offset` cover.
  void pieces(Count offset, Count length, Pieces& to) const;
  /// The same where it is bytes in one place and the buffer is one block.
  std::optional<Piece> dense_piece(Count offset, Count length) const;
  /// Address of element `index`; the buffer is one block.
  char* element(Count index) const;
  Count bytes() const { return bytes_; }

 private:
  struct Block {
    char* address;
    ompi_datatype_t* type;
    Count begin, end;  ///< in the packed buffer
    ptrdiff_t extent;
    ptrdiff_t first;  ///< from `address` to the first byte of data
    bool dense;       ///< the data lie in memory as in the packed form
  };
  static Piece dense_piece_of(const Block& block, Count begin, Count end);
  static void piece_of(const Block& block, Count begin, Count end, Pieces& to);
  std::vector<Block> blocks_;
  Count bytes_ = 0;
};

/// Input, output and scratch of one call.
class Memory {
 public:
  /// `lengths`: what the Program takes. `element` is the datatype of a reduction; scratch then holds elements
  /// laid out like the user's. nullptr: bytes. Where a user's buffer is shorter, because ranks disagree about
  /// a length, the Program runs on zeros that nobody sees behind it, so that the other ranks are not held up.
  Memory(UserBuffer input, UserBuffer output, const BufferLengths& lengths, ompi_datatype_t* element);
  /// MPI_ERR_TRUNCATE if a user's buffer was too short, else OMPI_SUCCESS.
  int status() const { return padding_.empty() ? OMPI_SUCCESS : MPI_ERR_TRUNCATE; }

  /// What the ranges cover, if it is bytes in one place, as most often; nothing at all is.
  std::optional<Piece> dense_piece(std::span<const Range> ranges) const;
  /// What the ranges cover, in their order; neighbours in memory are joined.
  Pieces pieces(std::span<const Range> ranges) const;
  /// All the pieces in their order as one: as it is, or as an element of a datatype of its own, put into
  /// `type`; nothing if that would take many short runs of blocks.
  std::optional<Piece> as_one(const Pieces& pieces, OwnDatatype& type);
  bool can_be_one(const Pieces& pieces);
  /// Packs the pieces, one after the other, to `to`; unpacks `from` into them.
  void pack(const Pieces& pieces, char* to);
  void unpack(const char* from, const Pieces& pieces);
  /// Packed order of `from` to packed order of `to`, which are as long.
  void copy(const Pieces& from, const Pieces& to);
  /// Of one unit of a range.
  Count unit_bytes() const { return unit_bytes_; }
  /// Address of the first element of a range of elements.
  char* element(const Range& range) const { return buffer(range.buffer).element(range.offset); }

 private:
  const UserBuffer& buffer(Buffer which) const { return buffers_[static_cast<std::size_t>(which)]; }
  void pad(UserBuffer& buffer, Count units);
  const TypeMap& map_of(ompi_datatype_t* type);
  template <class Visit>
  void visit(const Piece& piece, Visit visit);
  std::vector<BlockRun> runs_of(const Pieces& pieces);
  void pack_one(const Piece& piece, char* to);
  void unpack_one(const char* from, const Piece& piece);

  SpareMemory::Piece scratch_;
  std::list<std::vector<char>> padding_;
  UserBuffer buffers_[3];
  Count unit_bytes_;
  std::mutex maps_mutex_;
  std::map<ompi_datatype_t*, const TypeMap> maps_;
};

}  // namespace wan
