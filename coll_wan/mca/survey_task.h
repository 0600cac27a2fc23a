// SPDX-License-Identifier: BSD-3-Clause
// What precedes an alltoallv or alltoallw over several sites: the ranks of a site tell those above them in its tree their
// counts (algo/survey.h); the Program of the call itself follows from the answers. Tested by: tests/mpi, tests/lab.
#pragma once

#include <memory>
#include <vector>

#include "algo/survey.h"
#include "mca/buffers.h"
#include "mca/communicator.h"

namespace wan {

class SurveyTask {
 public:
  /// `comm` must outlive it.
  SurveyTask(Communicator& comm, Call call)
      : comm_(comm),
        call_(std::move(call)),
        survey_(comm.survey()),
        told_(survey_entry(call_)),
        heard_(told_.size() * survey_->ranks.size()) {}

  std::shared_ptr<const Program> program() const { return {survey_, &survey_->program}; }
  UserBuffer told() const { return memory(told_); }
  UserBuffer heard() const { return memory(heard_); }

  /// The plan of the call, once everything has been heard.
  std::shared_ptr<const Program> plan() const {
    Call call = call_;
    call.members = members_of(survey_->ranks, heard_);
    return comm_.plan_for(call);
  }

 private:
  static UserBuffer memory(const std::vector<Count>& counts) {
    UserBuffer buffer;
    buffer.append(counts.data(), counts.size() * sizeof(Count), &ompi_mpi_byte.dt);
    return buffer;
  }

  Communicator& comm_;
  Call call_;
  std::shared_ptr<const Survey> survey_;
  std::vector<Count> told_, heard_;
};

}  // namespace wan
