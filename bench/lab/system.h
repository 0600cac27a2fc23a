// SPDX-License-Identifier: BSD-3-Clause
// Small owners of what the operating system gives, and the two errors of the lab. Tested through
// bench/lab/tests/lab_*_test.sh.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace wan::lab {

/// The lab cannot go on; the text is one sentence for the user.
class LabError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// This system does not let us make a lab (namespaces, TUN devices, tools): exit status 77.
class Unavailable : public LabError {
  using LabError::LabError;
};

/// Exit statuses of wan-lab itself; a command's own status is passed on.
inline constexpr int kExitUnavailable = 77;
inline constexpr int kExitBroken = 99;
inline constexpr int kExitUsage = 2;

/// "what: reason of errno".
std::string errno_text(std::string_view what);
/// Passes a system call's result on; -1 throws LabError(errno_text(what)).
int checked(int result, std::string_view what);
/// The same; throws Unavailable where the reason is a missing right or kernel feature.
int checked_available(int result, std::string_view what);

/// Owns a file descriptor.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(other.release()) {}
  Fd& operator=(Fd&& other) noexcept {
    reset(other.release());
    return *this;
  }
  ~Fd() { reset(); }

  int get() const { return fd_; }
  int release();
  void reset(int fd = -1);

 private:
  int fd_ = -1;
};

/// Opens `path` close-on-exec; throws LabError.
Fd open_file(const std::string& path, int flags, unsigned mode = 0);
/// Writes the whole of `text` to a new or existing file.
void write_file(const std::string& path, std::string_view text, unsigned mode = 0644);
/// The whole file.
std::string read_file(const std::string& path);

/// Nanoseconds of CLOCK_MONOTONIC, the clock that all processes of a lab share.
Nanoseconds monotonic_now();

/// Runs `arguments` (found through PATH) with `input` on its standard input; throws LabError unless it
/// succeeds.
void run_tool(const std::vector<std::string>& arguments, std::string_view input);

/// A null-terminated array over `strings`, for exec; valid as long as they are.
std::vector<char*> exec_vector(std::vector<std::string>& strings);

}  // namespace wan::lab
