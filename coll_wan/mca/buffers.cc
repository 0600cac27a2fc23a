// SPDX-License-Identifier: BSD-3-Clause
#include "mca/buffers.h"

#include "base/invariant.h"

namespace wan {
namespace {

ompi_datatype_t* byte_type() {
  return &ompi_mpi_byte.dt;
}

std::size_t size_of(const ompi_datatype_t* type) {
  return type->super.size;
}
ptrdiff_t extent_of(const ompi_datatype_t* type) {
  return type->super.ub - type->super.lb;
}

/// Addresses may be absolute (MPI_BOTTOM), so they are added to as integers.
char* shifted(char* address, ptrdiff_t bytes) {
  return reinterpret_cast<char*>(reinterpret_cast<std::uintptr_t>(address) +
                                 static_cast<std::uintptr_t>(bytes));
}

/// Do `count` elements lie in memory exactly as in their packed form?
bool is_dense(const ompi_datatype_t* type, std::size_t count) {
  if ((type->super.flags & OPAL_DATATYPE_FLAG_CONTIGUOUS) == 0) return false;
  if (count == 1) return true;
  return (type->super.flags & OPAL_DATATYPE_FLAG_NO_GAPS) != 0 &&
         extent_of(type) == static_cast<ptrdiff_t>(size_of(type));
}

using Advance = int32_t (*)(opal_convertor_t*, iovec*, uint32_t*, std::size_t*);

/// Runs a prepared convertor over all of `packed`.
void convert(opal_convertor_t& convertor, char* packed, std::size_t bytes, Advance advance) {
  while (bytes > 0) {
    iovec part{packed, bytes};
    uint32_t parts = 1;
    std::size_t done = bytes;
    advance(&convertor, &part, &parts, &done);
    invariant(done > 0 && done <= bytes, "a datatype has fewer bytes than its size says");
    packed += done;
    bytes -= done;
  }
}

class Convertor {
 public:
  Convertor() { OBJ_CONSTRUCT(&convertor_, opal_convertor_t); }
  ~Convertor() { OBJ_DESTRUCT(&convertor_); }
  Convertor(const Convertor&) = delete;
  Convertor& operator=(const Convertor&) = delete;

  void pack(const Piece& piece, char* to) {
    opal_convertor_copy_and_prepare_for_send(ompi_mpi_local_convertor, &piece.type->super, piece.count,
                                             piece.address, 0, &convertor_);
    convert(convertor_, to, piece.count * size_of(piece.type), opal_convertor_pack);
  }
  void unpack(const char* from, const Piece& piece) {
    opal_convertor_copy_and_prepare_for_recv(ompi_mpi_local_convertor, &piece.type->super, piece.count,
                                             piece.address, 0, &convertor_);
    convert(convertor_, const_cast<char*>(from), piece.count * size_of(piece.type), opal_convertor_unpack);
  }

 private:
  opal_convertor_t convertor_;
};

/// All elements of a piece, whatever it skips, in packed form.
std::vector<char> packed_elements(const Piece& piece) {
  std::vector<char> packed(piece.count * size_of(piece.type));
  Convertor().pack(piece, packed.data());
  return packed;
}

void pack_one(const Piece& piece, char* to) {
  if (piece.type == byte_type()) {
    std::memcpy(to, piece.address, piece.bytes);
  } else if (piece.whole()) {
    Convertor().pack(piece, to);
  } else {
    std::memcpy(to, packed_elements(piece).data() + piece.skip, piece.bytes);
  }
}

/// Writes a part of some elements and leaves the rest of them as it is.
void unpack_part(const char* from, const Piece& piece) {
  std::vector<char> packed = packed_elements(piece);
  std::memcpy(packed.data() + piece.skip, from, piece.bytes);
  Convertor().unpack(packed.data(), piece);
}

/// Lengthens `last` by `next` where the two are neighbours in memory and of one type.
bool join(Piece& last, const Piece& next) {
  if (last.type != next.type || !last.whole() || !next.whole()) return false;
  if (shifted(last.address, static_cast<ptrdiff_t>(last.count) * extent_of(last.type)) != next.address)
    return false;
  last.count += next.count;
  last.bytes += next.bytes;
  return true;
}

void append(Pieces& pieces, const Piece& next) {
  if (pieces.empty() || !join(pieces.back(), next)) pieces.push_back(next);
}

bool same_elements(const Pieces& from, const Pieces& to) {
  return from.size() == 1 && to.size() == 1 && from[0].type == to[0].type && from[0].whole() && to[0].whole();
}

}  // namespace

void pack(const Pieces& pieces, char* to) {
  for (const Piece& piece : pieces) {
    pack_one(piece, to);
    to += piece.bytes;
  }
}

void UserBuffer::append(const void* address, std::size_t count, ompi_datatype_t* type) {
  if (count == 0) return;
  Count end = bytes_ + static_cast<Count>(count * size_of(type));
  blocks_.push_back({static_cast<char*>(const_cast<void*>(address)), type, bytes_, end, extent_of(type),
                     type->super.true_lb, is_dense(type, count)});
  bytes_ = end;
}

char* UserBuffer::element(Count index) const {
  invariant(blocks_.size() == 1, "elements are addressed in a buffer of one block");
  return shifted(blocks_[0].address, static_cast<ptrdiff_t>(index) * blocks_[0].extent);
}

Piece UserBuffer::dense_piece_of(const Block& block, Count begin, Count end) {
  auto bytes = static_cast<std::size_t>(end - begin);
  return {shifted(block.address, block.first + (begin - block.begin)), bytes, byte_type(), 0, bytes};
}

std::optional<Piece> UserBuffer::dense_piece(Count offset, Count length) const {
  if (blocks_.size() != 1 || !blocks_[0].dense) return std::nullopt;
  invariant(offset >= 0 && offset + length <= bytes_, "a range lies outside of the user's buffer");
  return dense_piece_of(blocks_[0], offset, offset + length);
}

void UserBuffer::piece_of(const Block& block, Count begin, Count end, Pieces& to) {
  if (block.dense) return wan::append(to, dense_piece_of(block, begin, end));
  auto bytes = static_cast<std::size_t>(end - begin);
  auto size = static_cast<Count>(size_of(block.type));
  Count first = (begin - block.begin) / size, last = (end - block.begin + size - 1) / size;
  wan::append(to, {shifted(block.address, static_cast<ptrdiff_t>(first) * block.extent),
                   static_cast<std::size_t>(last - first), block.type,
                   static_cast<std::size_t>(begin - block.begin - first * size), bytes});
}

void UserBuffer::pieces(Count offset, Count length, Pieces& to) const {
  Count end = offset + length;
  invariant(offset >= 0 && end <= bytes_, "a range lies outside of the user's buffer");
  auto block =
      std::partition_point(blocks_.begin(), blocks_.end(), [&](const Block& b) { return b.end <= offset; });
  for (; block != blocks_.end() && block->begin < end; ++block)
    if (block->end > block->begin)
      piece_of(*block, std::max(offset, block->begin), std::min(end, block->end), to);
}

Memory::Memory(UserBuffer input, UserBuffer output, Count scratch_length, ompi_datatype_t* element)
    : buffers_{std::move(input), std::move(output), {}},
      unit_bytes_(element == nullptr ? 1 : static_cast<Count>(size_of(element))) {
  ompi_datatype_t* type = element == nullptr ? byte_type() : element;
  ptrdiff_t gap = 0;
  auto length = static_cast<std::size_t>(scratch_length);
  if (length == 0) return;
  auto span = static_cast<std::size_t>(opal_datatype_span(&type->super, length, &gap));
  scratch_ = spare_memory().take(span + 1);
  buffers_[static_cast<std::size_t>(Buffer::scratch)].append(shifted(scratch_.get(), -gap), length, type);
}

std::optional<Piece> Memory::dense_piece(std::span<const Range> ranges) const {
  if (ranges.empty()) return Piece{nullptr, 0, byte_type(), 0, 0};
  if (ranges.size() > 1) return std::nullopt;
  return buffer(ranges[0].buffer).dense_piece(ranges[0].offset * unit_bytes_, ranges[0].length * unit_bytes_);
}

Pieces Memory::pieces(std::span<const Range> ranges) const {
  Pieces found;
  for (const Range& range : ranges)
    buffer(range.buffer).pieces(range.offset * unit_bytes_, range.length * unit_bytes_, found);
  return found;
}

void Memory::unpack(const char* from, const Pieces& pieces) {
  for (const Piece& piece : pieces) {
    if (piece.type == byte_type()) {
      std::memcpy(piece.address, from, piece.bytes);
    } else if (piece.whole()) {
      Convertor().unpack(from, piece);
    } else {
      std::lock_guard lock(shared_elements_);
      unpack_part(from, piece);
    }
    from += piece.bytes;
  }
}

void Memory::copy(const Pieces& from, const Pieces& to) {
  if (same_elements(from, to)) {
    ompi_datatype_copy_content_same_ddt(from[0].type, from[0].count, to[0].address, from[0].address);
  } else if (to.size() == 1 && to[0].type == byte_type()) {
    pack(from, to[0].address);
  } else if (from.size() == 1 && from[0].type == byte_type()) {
    unpack(from[0].address, to);
  } else {
    std::size_t bytes = 0;
    for (const Piece& piece : from) bytes += piece.bytes;
    std::vector<char> packed(bytes);
    pack(from, packed.data());
    unpack(packed.data(), to);
  }
}

}  // namespace wan
