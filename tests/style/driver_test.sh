#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The test driver counts honestly: what crashes, hangs, stops early or runs nothing is a failure.
. "$top_srcdir/tests/style/tap.sh"

scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

# counts SCRIPT: "passed failed skipped broken" of a test that is this shell script.
counts() {
  printf '#!/bin/bash\n%s\n' "$1" >"$scratch/test"
  chmod +x "$scratch/test"
  WAN_TEST_TIMEOUT=2 "$top_srcdir/tests/driver" --test-name fake --log-file "$scratch/log" --trs-file "$scratch/trs" \
    -- "$scratch/test" >/dev/null
  awk '/^:test-result: /{n[$2]++} END{print n["PASS"]+0, n["FAIL"]+0, n["SKIP"]+0, n["ERROR"]+0}' "$scratch/trs"
}

# expect NAME COUNTS SCRIPT
expect() {
  local got
  got=$(counts "$3")
  tap_ok "$1" test "$got" = "$2"
}

running='echo "[==========] Running 2 tests from 1 test suite."'
first='echo "[ RUN      ] A.one"; echo "[       OK ] A.one (0 ms)"'
second='echo "[ RUN      ] A.two"; echo "output[       OK ] A.two (0 ms)"'
bad='echo "[ RUN      ] A.two"; echo "[  FAILED  ] A.two, where GetParam() = 3 (0 ms)"; echo "[  FAILED  ] A.two"'
skip='echo "[ RUN      ] A.two"; echo "[  SKIPPED ] A.two (0 ms)"'

expect "exit status 0 passes" "1 0 0 0" "exit 0"
expect "exit status 1 fails" "0 1 0 0" "exit 1"
expect "exit status 77 is a skip" "0 0 1 0" "exit 77"
expect "exit status 99 is a broken test" "0 0 0 1" "exit 99"
expect "a crash fails" "0 1 0 0" 'kill -SEGV $$'
expect "a hang fails" "0 1 0 0" "sleep 60"
expect "a script's own limit counts" "0 1 0 0" "# timeout-seconds: 1
sleep 1.7"
expect "GoogleTest: all pass" "2 0 0 0" "$running; $first; $second"
expect "GoogleTest: one fails" "1 1 0 0" "$running; $first; $bad; exit 1"
expect "GoogleTest: a failed case fails whatever the status" "1 1 0 0" "$running; $first; $bad; exit 0"
expect "GoogleTest: one is skipped" "1 0 1 0" "$running; $first; $skip"
expect "GoogleTest: a crash in a case" "1 1 0 0" "$running; $first; echo '[ RUN      ] A.two'; kill -ABRT \$\$"
expect "GoogleTest: an early exit in a case" "1 1 0 0" "$running; $first; echo '[ RUN      ] A.two'; exit 0"
expect "GoogleTest: an early exit between cases" "1 1 0 0" "$running; $first; exit 0"
expect "GoogleTest: a crash at the end" "2 1 0 0" "$running; $first; $second; kill -SEGV \$\$"
expect "GoogleTest: no case" "0 1 0 0" 'echo "[==========] Running 0 tests from 0 test suites."'
expect "TAP: pass, fail and skip" "1 1 1 0" 'echo "ok 1 - a"; echo "not ok 2 - b"; echo "ok 3 - c # SKIP no"; echo 1..3; exit 1'
expect "TAP: a failed case fails whatever the status" "1 1 0 0" 'echo 1..2; echo "ok 1"; echo "not ok 2"'
expect "TAP: fewer cases than announced" "1 1 0 0" 'echo 1..2; echo "ok 1"'
expect "TAP: a crash without a plan" "0 1 0 0" 'echo "ok 1"; kill -SEGV $$'
expect "TAP: bail out" "1 1 0 0" 'echo 1..1; echo "ok 1"; echo "Bail out! no"'
expect "TAP: all skipped" "0 0 1 0" 'echo "1..0 # SKIP no"'
tap_done
