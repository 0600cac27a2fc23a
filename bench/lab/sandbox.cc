// SPDX-License-Identifier: BSD-3-Clause
#include "bench/lab/sandbox.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>

#include "bench/lab/terminal.h"

namespace wan::lab {
namespace {

sigset_t lab_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) ::sigaddset(&set, signal);
  return set;
}

/// Makes the caller's user and group the root of its new user namespace.
void become_root(uid_t user, gid_t group) {
  write_file("/proc/self/setgroups", "deny");
  write_file("/proc/self/uid_map", fmt::format("0 {} 1", user));
  write_file("/proc/self/gid_map", fmt::format("0 {} 1", group));
}

pid_t clone_into_namespaces(Privilege privilege) {
  unsigned long flags = CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWUTS | SIGCHLD;
  if (privilege == Privilege::kUserNamespace) flags |= CLONE_NEWUSER;
  const long child = ::syscall(SYS_clone, flags, nullptr, nullptr, nullptr, nullptr);
  return static_cast<pid_t>(
      checked_available(static_cast<int>(child), "this system does not allow namespaces to be made"));
}

int exit_status(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Waits for `child`, passing signals on to it.
int supervise(pid_t child) {
  const Fd signals = signal_descriptor();
  for (;;) {
    const int signal = read_signal(signals);
    int status = 0;
    if (signal != SIGCHLD)
      ::kill(child, signal);
    else if (::waitpid(child, &status, WNOHANG) == child)
      return exit_status(status);
  }
}

/// True if a mount that we can see would pass our mounts on to other namespaces.
bool some_mount_is_shared() {
  return read_file("/proc/self/mountinfo").find(" shared:") != std::string::npos;
}

void make_mounts_private() {
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0) return;
  const bool in_chroot = errno == EINVAL;  // its root is no mount point
  if (!in_chroot) checked_available(-1, "cannot make mounts private");
  if (some_mount_is_shared()) throw Unavailable("inside a chroot the lab needs mounts that are not shared");
}

void mount_memory(const std::string& path, const char* mode) {
  checked_available(::mount("wan-lab", path.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, mode), path);
}

}  // namespace

void block_signals() {
  const sigset_t set = lab_signals();
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
}

void unblock_signals() {
  const sigset_t set = lab_signals();
  ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
}

Fd signal_descriptor() {
  const sigset_t set = lab_signals();
  return Fd(checked(::signalfd(-1, &set, SFD_CLOEXEC), "signalfd"));
}

int read_signal(const Fd& signals) {
  signalfd_siginfo info{};
  while (::read(signals.get(), &info, sizeof info) != sizeof info)
    checked(errno == EINTR ? 0 : -1, "signalfd");
  return static_cast<int>(info.ssi_signo);
}

int run_in_sandbox(Privilege privilege, const std::function<int(const Fd& parent_alive)>& body) {
  std::array<int, 2> ends{};
  checked(::pipe2(ends.data(), O_CLOEXEC), "pipe");
  Fd inner_end(ends[0]), outer_end(ends[1]);
  const uid_t user = ::geteuid();
  const gid_t group = ::getegid();
  const bool terminal = has_terminal();
  const pid_t child = clone_into_namespaces(privilege);
  if (child != 0) {
    const int status = supervise(child);
    if (terminal) give_terminal_to(::getpgrp());
    return status;
  }
  outer_end.reset();
  ::setpgid(0, 0);  // of the outer process and us only one gets ctrl-C, to be passed on once
  if (terminal) give_terminal_to(::getpgrp());
  if (privilege == Privilege::kUserNamespace) become_root(user, group);
  const int status = body(inner_end);
  std::fflush(nullptr);
  ::_exit(status);
}

void mount_private_files(const std::string& directory) {
  make_mounts_private();
  checked_available(::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr),
                    "cannot mount /proc");
  mount_memory("/dev/shm", "mode=1777");
  mount_memory(directory, "mode=0755");
}

void mount_file_over(const std::string& source, const std::string& target) {
  checked_available(::mount(source.c_str(), target.c_str(), nullptr, MS_BIND, nullptr),
                    fmt::format("cannot put a file in the place of {}, which must exist", target));
}

}  // namespace wan::lab
