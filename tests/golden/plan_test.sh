#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# wanctl plan: what it prints of a call, and what it says of bad input.
. "$top_srcdir/tests/style/tap.sh"
wanctl=$top_builddir/wanctl
cities=$top_srcdir/mca_params/cities.toml
levels=$top_srcdir/mca_params/three-levels.toml

plan() { timeout 60 "$wanctl" plan "$@"; }

# refuses STATUS PATTERN ARGUMENTS...: ends with this status and a message that matches.
refuses() {
  local status=$1 pattern=$2 output
  shift 2
  output=$(plan "$@" 2>&1)
  [ $? -eq "$status" ] && grep -qE -e "$pattern" <<<"$output" || { printf '%s\n' "$output"; return 1; }
}

# every NAMES...: each of these collectives is planned and found correct.
every() {
  local name
  for name; do plan "$name" --sites a/1,a/1,a/2,b/1,b/2 --count 3 | grep -qx correct || { echo "$name"; return 1; }; done
}

# A picture with a bar for each of the two steps.
draws_timeline() {
  local picture
  picture=$(mktemp) || return 1
  plan bcast --sites ab --timeline "$picture" | grep -q '^simulated: ' && [ "$(grep -c '<title>rank ' "$picture")" -eq 2 ] &&
    [ "$(tail -n 1 "$picture")" = '</svg>' ]
  local status=$?
  rm -f "$picture"
  return $status
}

# crosses BYTES ARGUMENTS...: so many go from the east to the west.
crosses() {
  local bytes=$1
  shift
  [ "$(plan "$@" | awk '$1 ~ /^east-/ && $2 ~ /^west-/ { sum += $4 } END { print sum }')" -eq "$bytes" ]
}

# The receivers of what the program sends.
in_order() { [ "$("$@" | sed -n 's/.* send .* to \([0-9]*\).*/\1/p' | xargs)" = '2 3 1' ]; }

tap_ok "a letter a rank" complains '^site b$' plan bcast --sites aab
tap_ok "the tree" complains '^    1$' plan bcast --sites aab
tap_ok "the program" complains '^  0 send output\[0,8\) to 2$' plan bcast --sites aab
tap_ok "the verdict" complains '^correct$' plan bcast --sites aab
tap_ok "latencies" complains '^inter-site latencies on the longest path: 1$' plan bcast --sites aab
tap_ok "messages and bytes of a pair, and the least" complains '^a +b +1 +8 +1 +8$' plan bcast --sites aab
tap_ok "blocks beyond the limit go directly" complains '^a +b +2 +18 +1 +18$' plan gather --sites aab --root 2 --count 9 --aggregate-limit 8
tap_ok "over streams fewer and longer messages" complains '^a +b +16 +2097152 +1 +2097152$' plan bcast --sites ab --count 2097152 --streams 8
tap_ok "one rank" complains '^rank 1 of 3' plan bcast --sites aab --only 1
tap_ok "and no other" is_silent sh -c "'$wanctl' plan bcast --sites aab --only 1 | grep 'rank 0 of'"
tap_ok "a path a rank" complains '^site paris$' plan bcast --sites paris/h1,paris/h2,tokyo/h1
tap_ok "runs in rank order" complains '^a +b +1 +8 +1 +8$' plan allreduce --sites aba --order rank --count 4
tap_ok "counts" complains '^a +b +1 +3 +1 +3$' plan gatherv --sites aab --root 2 --counts 3,0,5
tap_ok "receivers that have more to do come first" in_order plan alltoallv --sites aaaa --counts 0,9,9,9,0,0,0,0,0,0,0,0,0,0,0,0 --only 0 \
  --post-loads 0,1,3,2
tap_ok "loads of another collective are refused" refuses 2 'only alltoallv and alltoallw' --post-loads 1,2 alltoall --sites ab
tap_ok "too few loads are refused" refuses 2 'expected 4 numbers' --post-loads 1,2 alltoallv --sites aaaa --counts 0,9,9,9,0,0,0,0,0,0,0,0,0,0,0,0
tap_ok "in place" complains '^rank 0 of 3 bytes input 0 output 24' plan allgather --sites aab --in-place
tap_ok "ranks from a topology file's slots" complains '^rank 7 of 8 ' plan barrier --topology "$cities"
tap_ok "ranks of each site" complains '^rank 5 of 6 ' plan barrier --topology "$cities" --ranks 3,2,1
tap_ok "the lower bound" complains '^lower bound: 112[.]000 ms$' plan barrier --topology "$cities"
tap_ok "the time it would take" complains '^simulated: 112[.][0-9]* ms$' plan barrier --topology "$cities" --simulate
tap_ok "against the bound" complains '^ratio: 1[.]00[0-9]$' plan barrier --topology "$cities" --simulate
tap_ok "one latency between regions" complains '^simulated: 80[.][01][0-9]* ms$' plan allreduce --topology "$levels" --count 1 --simulate
tap_ok "1 MiB crosses between regions once" crosses 1048576 bcast --topology "$levels" --count 1048576
tap_ok "and near its bound" complains '^ratio: 1[.]0[0-9]*$' plan bcast --topology "$levels" --count 1048576 --simulate
tap_ok "of labels too" complains '^simulated: 10[.]02[0-9] ms$' plan bcast --sites ab --simulate
tap_ok "what a link would carry" complains '^a +b +1 +8 +82 +0[.]001$' plan bcast --sites ab --simulate
tap_ok "elements have a size" complains '^a +b +1 +32 +106 +0[.]001$' plan allreduce --sites ab --count 8 --element-size 4 --simulate
tap_ok "no simulation unasked" is_silent sh -c "'$wanctl' plan bcast --sites ab | grep simulated"
tap_ok "a picture of it" draws_timeline
tap_ok "segments" complains '^a +b +3 +20 +1 +20$' plan bcast --sites ab --count 20 --segment 8
tap_ok "between two groups" complains '^c +b +1 +8 +1 +8$' plan allreduce --sites abc --split 2 --count 8
tap_ok "nothing inside a group" is_silent sh -c "'$wanctl' plan allreduce --sites abc --split 2 | grep '^a  *b '"
tap_ok "every collective" every allgather allgatherv allreduce alltoall alltoallv alltoallw barrier bcast exscan gather \
  gatherv reduce reduce_scatter reduce_scatter_block scan scatter scatterv

tap_ok "a misspelt collective" refuses 2 'COLLECTIVE: "allgater": did you mean "allgather"' allgater --sites aab
tap_ok "no communicator" refuses 2 'give either --topology FILE or --sites' bcast
tap_ok "two communicators" refuses 2 'give either --topology FILE or --sites' bcast --sites a --topology "$cities"
tap_ok "no collective" refuses 2 'collective' --sites aab
tap_ok "a root that is no rank" refuses 2 '--root: "3": expected 0 to 2' bcast --sites aab --root 3
tap_ok "a count that is none" refuses 2 '--count: "x": expected a number' bcast --sites aab --count x
tap_ok "too few counts" refuses 2 '--counts: "1,2": expected 3 numbers' gatherv --sites aab --counts 1,2
tap_ok "counts where there are none" refuses 2 '--counts: "1,2,3": give --count' gather --sites aab --counts 1,2,3
tap_ok "another order" refuses 2 '--order: "rnk": did you mean "rank"' reduce --sites aab --order rnk
tap_ok "another tree" refuses 2 '--tree: "knomal": did you mean "knomial"' reduce --sites aab --tree knomal
tap_ok "a radix of one" refuses 2 '--radix: "1": expected 2 or more' reduce --sites aab --radix 1
tap_ok "fewer streams than none" refuses 2 '--streams: "-1": expected 0 or more' reduce --sites aab --streams -1
tap_ok "a limit that is none" refuses 2 '--aggregate-limit: "big"' gather --sites aab --aggregate-limit big
tap_ok "in place where there is no such thing" refuses 2 '--in-place' bcast --sites aab --in-place
tap_ok "counts that do not match in place" refuses 2 'equally much' alltoallv --sites ab --counts 1,2,3,4 --in-place
tap_ok "labels that are none" refuses 2 '--sites: "a//1"' bcast --sites a//1
tap_ok "a file that is not there" refuses 2 'nowhere.toml' bcast --topology nowhere.toml
tap_ok "ranks for another number of sites" refuses 2 '--ranks: "1,2": expected one number, or one for each of the file.s 3' bcast --topology "$cities" --ranks 1,2
tap_ok "a group of nobody" refuses 2 '--split: "3": expected 1 to 2' barrier --sites aab --split 3
tap_ok "a root among others of its group" refuses 2 '--split: "2": expected 1 and --root 0' reduce --sites aab --split 2
tap_ok "groups where they are not told apart" refuses 2 '--split: "1": scan on an intercommunicator' scan --sites aab --split 1
tap_ok "in place between groups" refuses 2 'no MPI_IN_PLACE' allgather --sites aab --split 1 --in-place
tap_ok "a vector that one of two groups cannot share" refuses 2 '--count: "3"' reduce_scatter_block --sites aab --split 1 --count 3
tap_ok "groups with vectors of different lengths" refuses 2 'same sum' reduce_scatter --sites aab --split 1 --counts 1,2,3
tap_ok "a rank that is none" refuses 2 '--only: "3": expected 0 to 2' bcast --sites aab --only 3
tap_ok "a segment of no length" refuses 2 '--segment: "0": expected 1 or more' bcast --sites ab --segment 0
tap_ok "a window that is none" refuses 2 '--eager-window: "wide"' bcast --sites ab --eager-window wide
tap_ok "an element of no size" refuses 2 '--element-size: "0": expected 1 or more' reduce --sites ab --element-size 0
tap_ok "a picture that cannot be written" refuses 2 '--timeline: "/nowhere/a.svg": cannot be written' bcast --sites ab --timeline /nowhere/a.svg
tap_done
