// SPDX-License-Identifier: BSD-3-Clause
#include "bench/lab/job.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>

#include "bench/lab/sandbox.h"
#include "bench/lab/terminal.h"

namespace wan::lab {
namespace {

constexpr Nanoseconds kGrace = 10'000'000'000;
constexpr int kExecFailed = 127;

class Job {
 public:
  Job(std::vector<std::string> command, const HostNamespaces& host, const Fd& parent_alive)
      : signals_(signal_descriptor()), parent_alive_(parent_alive), with_terminal_(has_terminal()) {
    std::vector<char*> arguments = exec_vector(command);
    process_ = checked(::fork(), "fork");
    if (process_ == 0) start(arguments, host);
    ::setpgid(process_, process_);
  }

  int wait_for_end() {
    while (!status_ && !given_up_) wait_for_news();
    return asked_to_end_ ? 128 + *asked_to_end_ : *status_;
  }

 private:
  [[noreturn]] void start(std::vector<char*>& arguments, const HostNamespaces& host) const {
    ::setpgid(0, 0);
    if (with_terminal_) give_terminal_to(::getpgrp());
    unblock_signals();
    host.join();
    ::execvp(arguments[0], arguments.data());
    fmt::print(stderr, "wan-lab: {}\n", errno_text(arguments[0]));
    ::_exit(kExecFailed);
  }

  void wait_for_news() {
    std::array<pollfd, 2> polls{{{signals_.get(), POLLIN, 0}, {parent_alive_.get(), POLLIN, 0}}};
    const int ready = ::poll(polls.data(), polls.size(), milliseconds_left());
    if (polls[0].revents & POLLIN)
      take_signal(read_signal(signals_));
    else if (ready == 0 || polls[1].revents != 0)
      give_up(SIGKILL);
  }

  int milliseconds_left() const {
    if (!deadline_ns_) return -1;
    return static_cast<int>(std::max<Nanoseconds>(0, *deadline_ns_ - monotonic_now()) / 1'000'000);
  }

  void take_signal(int signal) {
    if (signal == SIGCHLD) return reap();
    if (asked_to_end_) return give_up(signal);
    asked_to_end_ = signal;
    deadline_ns_ = monotonic_now() + kGrace;
    ::kill(-process_, signal);
  }

  void give_up(int signal) {
    given_up_ = true;
    if (!asked_to_end_) asked_to_end_ = signal;
  }

  void reap() {
    int status = 0;
    for (pid_t dead; (dead = ::waitpid(-1, &status, WNOHANG)) > 0;)
      if (dead == process_) status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  Fd signals_;
  const Fd& parent_alive_;
  bool with_terminal_;
  pid_t process_ = -1;
  std::optional<int> status_;        ///< of the command, once it has ended
  std::optional<int> asked_to_end_;  ///< the signal that did
  std::optional<Nanoseconds> deadline_ns_;
  bool given_up_ = false;
};

}  // namespace

int run_job(std::vector<std::string> command, const HostNamespaces& host, const Fd& parent_alive) {
  return Job(std::move(command), host, parent_alive).wait_for_end();
}

void become_shell_in(const HostNamespaces& host, const std::vector<std::string>& words) {
  host.join();
  const std::string line = fmt::format("{}", fmt::join(words, " "));
  ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
  throw LabError(errno_text("/bin/sh"));
}

}  // namespace wan::lab
