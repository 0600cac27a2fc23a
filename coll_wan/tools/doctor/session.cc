// SPDX-License-Identifier: BSD-3-Clause
#include "tools/doctor/session.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <thread>

namespace wan::tools::doctor {
namespace {

using namespace std::chrono_literals;

constexpr auto kOrderTime = 10s;
constexpr auto kEndTime = 2s;
constexpr int kInput = 0, kOutput = 1, kComplaints = 2;

/// A pipe: its end to read, its end to write.
std::pair<Socket, Socket> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw SessionError(fmt::format("pipe: {}", std::strerror(errno)));
  return {Socket(ends[0]), Socket(ends[1])};
}

/// With these descriptors as its input, output and complaints.
pid_t start(const std::string& line, const Socket& in, const Socket& out, const Socket& complaints) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in.fd(), kInput);
  ::posix_spawn_file_actions_adddup2(&actions, out.fd(), kOutput);
  ::posix_spawn_file_actions_adddup2(&actions, complaints.fd(), kComplaints);
  std::array<const char*, 4> arguments{"sh", "-c", line.c_str(), nullptr};
  pid_t process = -1;
  const int error = ::posix_spawn(&process, "/bin/sh", &actions, nullptr,
                                  const_cast<char* const*>(arguments.data()), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw SessionError(fmt::format("/bin/sh: {}", std::strerror(error)));
  return process;
}

bool has_ended(pid_t process) {
  return ::waitpid(process, nullptr, WNOHANG) != 0;
}

}  // namespace

Session::Session(const std::string& launcher, const std::string& host, const std::string& command)
    : host_(host), complaints_(::memfd_create("complaints", MFD_CLOEXEC)), channel_(-1, -1) {
  ::signal(SIGPIPE, SIG_IGN);
  auto [agent_reads, we_write] = make_pipe();
  auto [we_read, agent_writes] = make_pipe();
  process_ =
      start(fmt::format("exec {} {} {}", launcher, host, command), agent_reads, agent_writes, complaints_);
  to_ = std::move(we_write);
  from_ = std::move(we_read);
  channel_ = LineChannel(from_.fd(), to_.fd());
}

Session::~Session() {
  to_ = Socket();
  const Deadline deadline = after(kEndTime);
  while (!has_ended(process_)) {
    if (std::chrono::steady_clock::now() > deadline) ::kill(process_, SIGKILL);
    std::this_thread::sleep_for(5ms);
  }
}

void Session::order(const SortedJson& order) {
  if (!channel_.write(order.dump(-1, ' ', false, SortedJson::error_handler_t::replace), after(kOrderTime)))
    fail("its agent takes no orders");
}

SortedJson Session::answer(std::chrono::seconds patience) {
  const Deadline deadline = after(patience);
  while (const auto line = channel_.line(deadline)) {
    if (!line->starts_with("{")) continue;  // what the shell of the host says to whoever logs in
    SortedJson answer = SortedJson::parse(*line, nullptr, false);
    if (answer.is_discarded()) fail("its agent answers what is no JSON");
    if (answer.contains("error")) fail(answer["error"].dump());
    return answer;
  }
  fail(channel_.has_ended() ? "its agent has ended" : fmt::format("no answer within {} s", patience.count()));
}

void Session::fail(const std::string& what) {
  const std::string words = last_words();
  throw SessionError(words.empty() ? what + "." : fmt::format("{}: {}", what, words));
}

/// The last line that is not empty.
std::string Session::last_words() const {
  std::array<char, 4096> end{};
  const off_t length = ::lseek(complaints_.fd(), 0, SEEK_END);
  const off_t from = std::max<off_t>(0, length - static_cast<off_t>(end.size()));
  const ssize_t got = ::pread(complaints_.fd(), end.data(), end.size(), from);
  std::string text(end.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
  text.erase(text.find_last_not_of(" \r\n") + 1);
  return text.substr(text.find_last_of('\n') + 1);
}

}  // namespace wan::tools::doctor
