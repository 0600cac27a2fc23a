# SPDX-License-Identifier: BSD-3-Clause
# For scripts that run inside a lab. Source it.

# in_background HOST NAME ARGUMENTS...: starts the probe in a host and waits until it is ready; its output goes to $TMPDIR/NAME.
in_background() {
  local host=$1 output=$TMPDIR/$2
  shift 2
  "$WAN_LAB_AGENT" "$host" "$lab_probe" "$@" >"$output" &
  until grep -qs ready "$output"; do
    kill -0 $! || { echo "the probe in $host did not start" >&2; exit 1; }
    sleep 0.02
  done
}

# result NAME: what a probe in the background measured.
result() { tail -n 1 "$TMPDIR/$1"; }
