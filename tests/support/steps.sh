# SPDX-License-Identifier: BSD-3-Clause
# Counts the steps of a long test, each of which prints one line. Source it: the folder "$store/log" is for what steps print.
passed=0 failed=0

# step NAME SECONDS COMMAND...: what the command prints goes to a file, whose end is shown if it fails. `limit` bounds what it runs in a system.
step() {
  local name=$1 limit=$2 log="$store/log/${1//[ ,]/-}" start=$SECONDS
  shift 2
  if "$@" >"$log" 2>&1 </dev/null; then
    passed=$((passed + 1))
    echo "PASS: $name ($((SECONDS - start)) s)"
  else
    failed=$((failed + 1))
    echo "FAIL: $name ($((SECONDS - start)) s); all of it: $log"
    tail -n 25 "$log" | sed 's/^/  /'
    return 1
  fi
}

finish() {
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
  exit
}
