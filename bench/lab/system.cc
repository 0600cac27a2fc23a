// SPDX-License-Identifier: BSD-3-Clause
#include "bench/lab/system.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

namespace wan::lab {
namespace {

bool is_missing_right(int error) {
  return error == EPERM || error == EACCES || error == ENOSYS || error == ENOSPC || error == EUSERS ||
         error == ENOENT || error == ENODEV || error == EINVAL;
}

[[noreturn]] void exec_tool(std::vector<char*>& arguments, int input) {
  ::dup2(input, STDIN_FILENO);
  ::execvp(arguments[0], arguments.data());
  ::_exit(127);
}

void write_all(int fd, std::string_view text, std::string_view what) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    checked(written < 0 ? -1 : 0, what);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// A file without a name that holds `text`, read from its start.
Fd memory_file(std::string_view text) {
  Fd file(checked(::memfd_create("wan-lab-input", MFD_CLOEXEC), "memfd_create"));
  write_all(file.get(), text, "input of a tool");
  checked(::lseek(file.get(), 0, SEEK_SET) < 0 ? -1 : 0, "lseek");
  return file;
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) checked(errno == EINTR ? 0 : -1, "waitpid");
  return status;
}

}  // namespace

std::string errno_text(std::string_view what) {
  return fmt::format("{}: {}", what, std::strerror(errno));
}

int checked(int result, std::string_view what) {
  if (result < 0) throw LabError(errno_text(what));
  return result;
}

int checked_available(int result, std::string_view what) {
  if (result < 0 && is_missing_right(errno)) throw Unavailable(errno_text(what));
  return checked(result, what);
}

int Fd::release() {
  const int fd = fd_;
  fd_ = -1;
  return fd;
}

void Fd::reset(int fd) {
  if (fd_ >= 0) ::close(fd_);
  fd_ = fd;
}

Fd open_file(const std::string& path, int flags, unsigned mode) {
  return Fd(checked(::open(path.c_str(), flags | O_CLOEXEC, mode), path));
}

void write_file(const std::string& path, std::string_view text, unsigned mode) {
  const Fd file = open_file(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
  write_all(file.get(), text, path);
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw LabError(errno_text(path));
  return {std::istreambuf_iterator<char>(file), {}};
}

Nanoseconds monotonic_now() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return Nanoseconds{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

std::vector<char*> exec_vector(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& text : strings) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

void run_tool(const std::vector<std::string>& arguments, std::string_view input) {
  std::vector<std::string> copy = arguments;
  std::vector<char*> pointers = exec_vector(copy);
  const Fd file = memory_file(input);
  const pid_t child = checked(::fork(), "fork");
  if (child == 0) exec_tool(pointers, file.get());
  const int status = wait_for(child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    throw Unavailable(
        fmt::format("the program '{}' is not installed (Debian package iproute2)", arguments[0]));
  if (status != 0) throw LabError(fmt::format("'{}' failed on:\n{}", fmt::join(arguments, " "), input));
}

}  // namespace wan::lab
