// SPDX-License-Identifier: BSD-3-Clause
// Mistakes with memory in a component that is otherwise mca_coll_wan.so, to prove that a job's sanitizers
// find them: when it is loaded it makes the one that the environment variable MPITEST_PLANTED names. Threads:
// one. Tested by: tests/mpi/sanitizers_test.sh, which demands that every one is reported.
#include <cstdlib>
#include <limits>
#include <string>

namespace wan {
namespace {

int* volatile planted = nullptr;

void overflow() {
  planted = new int[4];
  planted[4] = 1;
}

void use_after_free() {
  planted = new int(0);
  delete planted;
  *planted = 1;
}

void leak() {
  planted = new int[1000];
  planted = nullptr;
}

void undefined() {
  volatile int largest = std::numeric_limits<int>::max();
  largest = largest + 1;
}

const bool made = [] {
  const char* chosen = std::getenv("MPITEST_PLANTED");
  const std::string name = chosen == nullptr ? "" : chosen;
  if (name == "overflow") overflow();
  if (name == "use after free") use_after_free();
  if (name == "leak") leak();
  if (name == "undefined") undefined();
  return true;
}();

}  // namespace
}  // namespace wan
