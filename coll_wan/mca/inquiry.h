// SPDX-License-Identifier: BSD-3-Clause
// What a call has to ask other ranks before it can be planned: the counts of an alltoallv or alltoallw over
// several sites (algo/services/survey.h), what receivers have to do afterwards (process/receiver_loads.h). A
// Program that brings this rank's entry of some counts to others, and theirs to it. Tested by: tests/mpi,
// tests/lab.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "mca/buffers.h"

namespace wan {

class Inquiry {
 public:
  using Learn = std::function<void(std::span<const Count> heard)>;

  /// program: its input is `told`, its output what learn() is given, both whole Counts.
  Inquiry(std::shared_ptr<const Program> program, std::vector<Count> told, Learn learn)
      : program_(std::move(program)),
        told_(std::move(told)),
        heard_(static_cast<std::size_t>(program_->lengths().output) / sizeof(Count)),
        learn_(std::move(learn)) {}

  std::shared_ptr<const Program> program() const { return program_; }
  /// Where these are; they stay there when this is moved.
  UserBuffer told() const { return memory(told_); }
  UserBuffer heard() const { return memory(heard_); }
  /// Once everything has been heard.
  void finish() const { learn_(heard_); }

 private:
  static UserBuffer memory(const std::vector<Count>& counts) {
    UserBuffer buffer;
    buffer.append(counts.data(), counts.size() * sizeof(Count), &ompi_mpi_byte.dt);
    return buffer;
  }

  std::shared_ptr<const Program> program_;
  std::vector<Count> told_, heard_;
  Learn learn_;
};

}  // namespace wan
