#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Without root's rights the lab lies in a user namespace: same sites, same times, nothing left.
# timeout-seconds: 120
. "$top_srcdir/bench/lab/tests/lab.sh" || exit 99
need_lab --user-namespace
prlimit --pid $$ --rtprio=20:20 2>/dev/null  # as limits.conf gives it to a user; only root may do so here

two_sites "5 ms" "10 MB/s" "20 ms" "10 MB/s"
one_way() {
  lab --ranks 1 --user-namespace -- bash -c '
    . "$lab_shell"
    in_background b-1 reflect reflect 7000
    "$lab_probe" one-way b-1 7000 21'
}
tap_ok "5 ms there" measures 5000 5500 forward_us one_way
tap_ok "20 ms back" measures 20000 20500 backward_us one_way
inside=$(lab --ranks 1 --user-namespace -- readlink /proc/self/ns/user)
tap_ok "it is another user namespace" test "$inside" != "$(readlink /proc/self/ns/user)"
tap_ok "the mount table outside is as before" is_silent grep wan-lab /proc/self/mountinfo
tap_done
