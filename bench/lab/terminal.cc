// SPDX-License-Identifier: BSD-3-Clause
#include "bench/lab/terminal.h"

#include <signal.h>
#include <unistd.h>

namespace wan::lab {

bool has_terminal() {
  return ::tcgetpgrp(STDIN_FILENO) == ::getpgrp();
}

void give_terminal_to(pid_t group) {
  sigset_t background,
      before;  // a group that the terminal does not serve is stopped here unless it blocks this
  ::sigemptyset(&background);
  ::sigaddset(&background, SIGTTOU);
  ::sigprocmask(SIG_BLOCK, &background, &before);
  ::tcsetpgrp(STDIN_FILENO, group);
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace wan::lab
