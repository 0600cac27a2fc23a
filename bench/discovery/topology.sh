# SPDX-License-Identifier: BSD-3-Clause
# Source it. What the lab needs for the topologies of the file beside it.

topologies=${BASH_SOURCE[0]%/*}/topologies

# The names, in order.
topology_names() { awk -F'|' '!/^#/ { gsub(/ /, "", $1); print $1 }' "$topologies"; }

# column NAME NUMBER: of a topology's line.
column() {
  awk -F'|' -v name="$1" -v number="$2" '
    !/^#/ { entry = $1; gsub(/ /, "", entry); if (entry == name) { gsub(/^ +| +$/, "", $number); print $number } }' "$topologies"
}

# topology NAME FILE: writes the topology file; sets lab_options and sites.
topology() {
  local hosts latencies rates jitter each a b pair=0
  read -ra hosts <<<"$(column "$1" 2)"
  read -ra latencies <<<"$(column "$1" 3)"
  read -ra rates <<<"$(column "$1" 4)"
  jitter=$(column "$1" 5)
  sites=${#hosts[@]}
  each=
  {
    printf '[defaults]\nlatency = "1 ms"\nbandwidth = "12.5 MB/s"\n'
    for ((a = 1; a <= sites; a++)); do
      printf '[site.s%d]\nhosts = ["%c-[1-%d]"]\n' "$a" "$(site_letter "$a")" "${hosts[a - 1]}"
      each+="${each:+,}s$a=${hosts[a - 1]}"
    done
    for ((a = 1; a <= sites; a++)); do
      for ((b = a + 1; b <= sites; b++, pair++)); do
        printf '[[link]]\nfrom = "s%d"\nto = "s%d"\nboth = true\n' "$a" "$b"
        printf 'latency = "%s ms"\nbandwidth = "%s MB/s"\n' "${latencies[pair % ${#latencies[@]}]}" "${rates[pair % ${#rates[@]}]}"
      done
    done
  } >"$2"
  lab_options=(--hosts "$each" --ranks "$each")
  [ -z "$jitter" ] || lab_options+=(--jitter "$jitter %")
}

# a, b, c, ...
site_letter() { printf "\\$(printf %o $((96 + $1)))"; }

# discover TOPOLOGY-FILE CACHE ARGUMENTS...: a job in the lab, without a topology file; prints what it says.
discover() {
  local file=$1 cache=$2
  shift 2
  mkdir -p "$cache"
  timeout 100 "$top_builddir/bench/lab/wan-lab" run --topology "$file" "${lab_options[@]}" -- \
    env -u OMPI_MCA_coll_wan_topology XDG_CACHE_HOME="$cache" "$MPIRUN" "${wan_component_arguments[@]}" \
    --mca coll wan,tuned,basic,libnbc,self --mca coll_wan_verbose 1 "$@" 2>&1
}

# measured CACHE: the topology file that a job has kept.
measured() { find "$1" -name '*.toml' | head -n 1; }
