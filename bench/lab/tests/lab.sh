# SPDX-License-Identifier: BSD-3-Clause
# What the lab's tests share. Source it.
. "$top_srcdir/tests/style/tap.sh"
wan_lab=$top_builddir/bench/lab/wan-lab
export lab_probe=$top_builddir/bench/lab/tests/lab_probe
export lab_shell=$top_srcdir/bench/lab/tests/lab_inside.sh

scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

# Two sites, a with two hosts and b with one; $1 and $2: latency and rate of a -> b, $3 and $4 of b -> a, $5: more lines.
two_sites() {
  cat >"$scratch/sites.toml" <<END
[defaults]
latency = "1 ms"
bandwidth = "100 MB/s"
[site.a]
hosts = ["a-[1-2]"]
[site.b]
hosts = ["b-1"]
[site.c]
hosts = ["c-1"]
[[link]]
from = "a"
to = "b"
latency = "$1"
bandwidth = "$2"
[[link]]
from = "b"
to = "a"
latency = "$3"
bandwidth = "$4"
${5:-}
END
}

# three_sites LATENCY RATE: s1, s2 and s3, a host each, all links alike.
three_sites() {
  cat >"$scratch/sites.toml" <<END
[defaults]
latency = "$1"
bandwidth = "$2"
$(for site in 1 2 3; do echo "[site.s$site]"; echo "hosts = [\"s$site-1\"]"; done)
END
}

# lab OPTIONS... -- COMMAND...: runs a command over the sites of the last topology.
lab() { timeout 100 "$wan_lab" run --topology "$scratch/sites.toml" "$@"; }

# blast PACKETS BYTES RATE OPTIONS...: so many datagrams from a to b, at RATE bytes a second: how many arrive, and the counters of that link.
blast() {
  local packets=$1 bytes=$2 rate=$3
  shift 3
  lab --ranks 1 "$@" -- bash -c '
    . "$lab_shell"
    in_background b-1 received receive --idle-ms 500 7000 '"$packets"'
    "$lab_probe" blast b-1 7000 --rate '"$rate $packets $bytes"'
    wait; echo $(result received) $("$lab_probe" counters | grep "^a b ")'
}

# between LOW VALUE HIGH
between() {
  awk -v low="$1" -v value="$2" -v high="$3" 'BEGIN { exit !(value != "" && low <= value && value <= high) }' ||
    { echo "$2 is not between $1 and $3"; return 1; }
}

# field NAME LINE: the word that follows NAME.
field() { awk -v name="$1" '{ for (i = 1; i < NF; i++) if ($i == name) { print $(i + 1); exit } }' <<<"$2"; }

# measures LOW HIGH FIELD COMMAND...: succeeds if FIELD of what the command prints is between LOW and HIGH. On a busy machine
# the probe or the emulator may have been kept waiting, so a second and a third measurement are allowed; a link that is wrong
# fails all of them.
measures() {
  local low=$1 high=$2 name=$3 value try
  shift 3
  for try in 1 2 3; do
    value=$(field "$name" "$("$@" 2>/dev/null)")
    between "$low" "$value" "$high" && return
  done
  return 1
}

# Can there be a lab?
has_lab() {
  two_sites "1 ms" "1 MB/s" "1 ms" "1 MB/s"
  lab -- true >/dev/null 2>&1
  [ $? -ne 77 ]
}

# Ends the test with status 77 where there can be no lab.
need_lab() {
  two_sites "1 ms" "1 MB/s" "1 ms" "1 MB/s"
  local said status
  said=$(lab "$@" -- true 2>&1)
  status=$?
  [ $status -eq 77 ] && { echo "$said"; exit 77; }
  [ $status -eq 0 ] || { echo "$said"; exit 99; }
}
