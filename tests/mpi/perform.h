// SPDX-License-Identifier: BSD-3-Clause
// Performing a call in its form: fill, issue, complete, verify; a persistent one is started several times.
// Invariant: `before` runs right before each launch, `after` right after each completion.
// Threads: one for each action; several actions may be performed at once. Tested by: every program that
// performs.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <string>

#include "forms.h"

namespace mpitest {

/// Something that can be issued in any form and verified afterwards.
class Action {
 public:
  virtual ~Action() = default;

  /// Fills the buffers with the formula's values for `salt`.
  virtual void fill(std::uint64_t salt) = 0;

  /// Calls the collective, or its `_init`. Returns MPI's error code.
  virtual int issue(MPI_Request* request) = 0;

  /// Compares the buffers with the formula; an empty text if all is right.
  virtual std::string verify() = 0;
};

/// What else happens around each launch.
struct Around {
  std::function<void()> before = [] {};
  std::function<void()> after = [] {};
};

/// Takes what is wrong.
using Complain = std::function<void(const std::string& what)>;

/// Performs the action and complains of whatever is wrong. `seed` is the salt of the values and decides
/// between waiting and testing.
void perform(const Complain& complain, Action& action, Form form, std::uint64_t seed,
             const Around& around = {});

}  // namespace mpitest
