// SPDX-License-Identifier: BSD-3-Clause
#include "mca/background.h"

#include <atomic>
#include <thread>

namespace wan {
namespace {

/// Between two looks at what has come; a wide-area latency is a hundred times as long.
constexpr std::chrono::microseconds pause{50};

std::atomic<int> under_way{0};

/// Counts itself.
class UnderWay {
 public:
  UnderWay() { under_way.fetch_add(1); }
  UnderWay(const UnderWay&) = delete;
  UnderWay& operator=(const UnderWay&) = delete;
  ~UnderWay() { under_way.fetch_sub(1); }
};

/// One call; destroys itself when it is over.
class BackgroundCall {
 public:
  BackgroundCall(Task task, Finished over)
      : over_(std::move(over)), operation_(std::move(task), [this](int status) { end(status); }) {}

  void start() { operation_.start(); }

 private:
  ~BackgroundCall() = default;
  void end(int status) {
    over_(status);
    delete this;
  }

  UnderWay under_way_;  // first: goes last
  Finished over_;
  Operation operation_;
};

/// Something to do soon; destroys itself when it is done.
class Soon final : public Sleeper {
 public:
  Soon(ompi_communicator_t* comm, std::function<void()> act) : reference_(comm), act_(std::move(act)) {}

  void woken() override {
    act_();
    delete this;
  }

 private:
  ~Soon() override = default;

  UnderWay under_way_;  // first: goes last
  CommunicatorReference reference_;
  std::function<void()> act_;
};

}  // namespace
}  // namespace wan

extern "C" {
static int wan_finalizing(ompi_communicator_t*, int, void*, void*) {
  wan::await_background(wan::Clock::time_point::max());
  return MPI_SUCCESS;
}
}

namespace wan {

void run_in_background(Task task, Finished over) {
  (new BackgroundCall(std::move(task), std::move(over)))->start();
}

void run_soon(ompi_communicator_t* comm, std::function<void()> act) {
  progress().wake(*new Soon(comm, std::move(act)), 0);
}

void await_background(Clock::time_point deadline) {
  while (under_way.load() > 0 && Clock::now() < deadline) {
    opal_progress();
    std::this_thread::sleep_for(pause);
  }
}

void await_background_at_finalize() {
  ompi::at_finalize(wan_finalizing);
}

}  // namespace wan
