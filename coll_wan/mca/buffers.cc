// SPDX-License-Identifier: BSD-3-Clause
#include "mca/buffers.h"

#include <array>
#include <cstring>

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

/// Keeps a convertor for the time of a block.
class Convertor {
 public:
  Convertor() { OBJ_CONSTRUCT(&convertor_, opal_convertor_t); }
  ~Convertor() { OBJ_DESTRUCT(&convertor_); }
  Convertor(const Convertor&) = delete;
  Convertor& operator=(const Convertor&) = delete;
  opal_convertor_t* get() { return &convertor_; }

 private:
  opal_convertor_t convertor_;
};

/// The blocks of one element, as Open MPI's convertor finds them from address 0.
TypeMap type_map_of(ompi_datatype_t* type) {
  Convertor convertor;
  opal_convertor_copy_and_prepare_for_send(ompi_mpi_local_convertor, &type->super, 1, nullptr, 0,
                                           convertor.get());
  TypeMap map;
  std::array<iovec, 256> blocks;
  while (map.size() < static_cast<Count>(size_of(type))) {
    auto number = static_cast<uint32_t>(blocks.size());
    std::size_t length = size_of(type);
    opal_convertor_raw(convertor.get(), blocks.data(), &number, &length);
    invariant(number > 0 && length > 0, "a datatype has fewer bytes than its size says");
    for (uint32_t i = 0; i < number; ++i)
      map.append(reinterpret_cast<std::ptrdiff_t>(blocks[i].iov_base), static_cast<Count>(blocks[i].iov_len));
  }
  map.finish();
  return map;
}

/// Appends a run to a datatype.
void add(ompi_datatype_t* type, const BlockRun& run) {
  const auto length = static_cast<std::size_t>(run.length);
  if (run.count == 1) {
    ompi_datatype_add(type, byte_type(), length, run.offset, 1);
    return;
  }
  ompi_datatype_t* block = ompi_datatype_create(1);
  ompi_datatype_add(block, byte_type(), length, 0, 1);
  ompi_datatype_add(type, block, static_cast<std::size_t>(run.count), run.offset, run.stride);
  ompi_datatype_destroy(&block);
}

/// `bytes` of a piece from its packed byte `from`.
Piece part_of(const Piece& piece, std::size_t from, std::size_t bytes) {
  if (piece.type == byte_type())
    return {shifted(piece.address, static_cast<ptrdiff_t>(from)), bytes, byte_type(), 0, bytes};
  return {piece.address, piece.count, piece.type, piece.skip + from, bytes};
}

/// Goes through pieces in packed order.
class PieceReader {
 public:
  explicit PieceReader(const Pieces& pieces) : pieces_(pieces) {}
  bool at_end() const { return index_ == pieces_.size(); }
  bool is_bytes() const { return pieces_[index_].type == byte_type(); }
  /// Of the current piece.
  std::size_t left() const { return pieces_[index_].bytes - done_; }
  Piece take(std::size_t bytes) {
    const Piece part = part_of(pieces_[index_], done_, bytes);
    done_ += bytes;
    if (left() == 0) {
      ++index_;
      done_ = 0;
    }
    return part;
  }

 private:
  const Pieces& pieces_;
  std::size_t index_ = 0, done_ = 0;
};

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

/// Are they elements of a datatype that the user has described?
bool is_one(const Pieces& pieces) {
  return pieces.size() == 1 && pieces[0].whole();
}

}  // namespace

std::size_t bytes_of(const Pieces& pieces) {
  std::size_t bytes = 0;
  for (const Piece& piece : pieces) bytes += piece.bytes;
  return bytes;
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

Memory::Memory(UserBuffer input, UserBuffer output, const BufferLengths& lengths, ompi_datatype_t* element)
    : buffers_{std::move(input), std::move(output), {}},
      unit_bytes_(element == nullptr ? 1 : static_cast<Count>(size_of(element))) {
  pad(buffers_[static_cast<std::size_t>(Buffer::input)], lengths.input);
  pad(buffers_[static_cast<std::size_t>(Buffer::output)], lengths.output);
  ompi_datatype_t* type = element == nullptr ? byte_type() : element;
  ptrdiff_t gap = 0;
  auto length = static_cast<std::size_t>(lengths.scratch);
  if (length == 0) return;
  auto span = static_cast<std::size_t>(opal_datatype_span(&type->super, length, &gap));
  scratch_ = spare_memory().take(span + 1);
  buffers_[static_cast<std::size_t>(Buffer::scratch)].append(shifted(scratch_.get(), -gap), length, type);
}

void Memory::pad(UserBuffer& buffer, Count units) {
  const Count missing = units * unit_bytes_ - buffer.bytes();
  if (missing <= 0) return;
  const std::vector<char>& zeros = padding_.emplace_back(static_cast<std::size_t>(missing), char{0});
  buffer.append(zeros.data(), zeros.size(), byte_type());
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

const TypeMap& Memory::map_of(ompi_datatype_t* type) {
  std::lock_guard lock(maps_mutex_);
  const auto known = maps_.find(type);
  return known != maps_.end() ? known->second : maps_.emplace(type, type_map_of(type)).first->second;
}

/// Calls visit(run, address of its element) for what the piece covers, in packed order.
template <class Visit>
void Memory::visit(const Piece& piece, Visit visit) {
  const TypeMap& map = map_of(piece.type);
  auto begin = static_cast<Count>(piece.skip);
  const Count end = begin + static_cast<Count>(piece.bytes);
  while (begin < end) {
    const Count element = begin / map.size(), first = element * map.size();
    const Count until = std::min(end, first + map.size());
    char* address = shifted(piece.address, static_cast<ptrdiff_t>(element) * extent_of(piece.type));
    map.visit(begin - first, until - first, [&](const BlockRun& run) { visit(run, address); });
    begin = until;
  }
}

/// With absolute offsets; empty if they are so short that they are packed as quickly as described.
std::vector<BlockRun> Memory::runs_of(const Pieces& pieces) {
  constexpr std::size_t kLeast = 2048;  // bytes of a run, on average
  const std::size_t most = bytes_of(pieces) / kLeast;
  std::vector<BlockRun> runs;
  const auto add = [&](BlockRun run, const char* address) {
    if (runs.size() > most) return;
    run.offset += reinterpret_cast<std::ptrdiff_t>(address);
    runs.push_back(run);
  };
  for (const Piece& piece : pieces) {
    if (piece.type == byte_type()) {
      add({0, static_cast<Count>(piece.bytes), 1, 0}, piece.address);
    } else if (runs.size() <= most) {
      visit(piece, add);
    }
  }
  if (runs.size() > most) runs.clear();
  return runs;
}

bool Memory::can_be_one(const Pieces& pieces) {
  return is_one(pieces) || !runs_of(pieces).empty();
}

std::optional<Piece> Memory::as_one(const Pieces& pieces, OwnDatatype& type) {
  if (is_one(pieces)) return pieces[0];
  const std::vector<BlockRun> runs = runs_of(pieces);
  if (runs.empty()) return std::nullopt;
  type.reset(ompi_datatype_create(static_cast<int32_t>(2 * runs.size() + 1)));
  for (BlockRun run : runs) {
    run.offset -= runs[0].offset;
    add(type.get(), run);
  }
  ompi_datatype_t* made = type.get();
  ompi_datatype_commit(&made);
  return Piece{reinterpret_cast<char*>(runs[0].offset), 1, made, 0, bytes_of(pieces)};
}

void Memory::pack_one(const Piece& piece, char* to) {
  if (piece.type == byte_type()) {
    std::memcpy(to, piece.address, piece.bytes);
    return;
  }
  visit(piece, [&](const BlockRun& run, const char* address) { to += gather(run, address, to); });
}

void Memory::unpack_one(const char* from, const Piece& piece) {
  if (piece.type == byte_type()) {
    std::memcpy(piece.address, from, piece.bytes);
    return;
  }
  visit(piece, [&](const BlockRun& run, char* address) { from += scatter(run, from, address); });
}

void Memory::pack(const Pieces& pieces, char* to) {
  for (const Piece& piece : pieces) {
    pack_one(piece, to);
    to += piece.bytes;
  }
}

void Memory::unpack(const char* from, const Pieces& pieces) {
  for (const Piece& piece : pieces) {
    unpack_one(from, piece);
    from += piece.bytes;
  }
}

void Memory::copy(const Pieces& from, const Pieces& to) {
  if (same_elements(from, to)) {
    ompi_datatype_copy_content_same_ddt(from[0].type, from[0].count, to[0].address, from[0].address);
    return;
  }
  constexpr std::size_t kAtOnce = 64 << 10;  // bytes, where neither side is in one place
  std::vector<char> packed;
  PieceReader source(from), target(to);
  while (!source.at_end()) {
    const std::size_t common = std::min(source.left(), target.left());
    if (target.is_bytes()) {
      pack_one(source.take(common), target.take(common).address);
    } else if (source.is_bytes()) {
      unpack_one(source.take(common).address, target.take(common));
    } else {
      const std::size_t bytes = std::min(common, kAtOnce);
      packed.resize(std::max(packed.size(), bytes));
      pack_one(source.take(bytes), packed.data());
      unpack_one(packed.data(), target.take(bytes));
    }
  }
}

}  // namespace wan
