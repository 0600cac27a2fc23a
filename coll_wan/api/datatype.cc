// SPDX-License-Identifier: BSD-3-Clause
#include "api/datatype.h"

#include <algorithm>
#include <limits>

#include "api/mpi_versions.h"

namespace wan::multicast {
namespace {

/// One after the other, without gaps. Of derived types nobody asks: their elements may lie in another order.
bool is_in_one_piece(MPI_Datatype type, Bytes size) {
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  MPI_Aint low = 0, extent = 0;
  return MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) == MPI_SUCCESS &&
         combiner == MPI_COMBINER_NAMED && MPI_Type_get_extent(type, &low, &extent) == MPI_SUCCESS &&
         low == 0 && extent == size;
}

}  // namespace

Elements::Elements(void* buffer, int count, MPI_Datatype type, int& error) : buffer_(buffer), count_(count) {
  MPI_Count size = 0;
  error = type == MPI_DATATYPE_NULL ? MPI_ERR_TYPE : count < 0 ? MPI_ERR_COUNT : get_size(type, size);
  if (error != MPI_SUCCESS) return;
  size_ = static_cast<Bytes>(size) * count;
  if (is_in_one_piece(type, size)) {
    if (buffer == nullptr && size_ > 0) error = MPI_ERR_BUFFER;
    return;
  }
  if (size_ > std::numeric_limits<int>::max()) {
    error = MPI_ERR_COUNT;
    return;
  }
  error = MPI_Type_dup(type, &type_);
  packed_ = std::make_unique_for_overwrite<char[]>(static_cast<std::size_t>(size_));
}

Elements::~Elements() {
  if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
}

/// MPI's packed form on hosts of one kind is that of the bytes one after the other.
std::span<const char> Elements::read(int& error) {
  if (packed_) {
    int position = 0;
    error =
        MPI_Pack(buffer_, count_, type_, packed_.get(), static_cast<int>(size_), &position, MPI_COMM_SELF);
  }
  return bytes();
}

std::span<char> Elements::write() {
  return bytes();
}

int Elements::finish(Bytes bytes) {
  if (!packed_) return MPI_SUCCESS;
  int position = 0, element = 0;
  MPI_Type_size(type_, &element);
  const Bytes whole = element == 0 ? 0 : std::min(bytes, size_) / element;
  return MPI_Unpack(packed_.get(), static_cast<int>(size_), &position, buffer_, static_cast<int>(whole),
                    type_, MPI_COMM_SELF);
}

}  // namespace wan::multicast
