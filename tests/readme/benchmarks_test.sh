#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The commands in the READMEs of bench/ and bench/apps/ do what they are there for: each is run as it stands, with the options
# at its end that make it short. A command that this test does not know is a failure.
# timeout-seconds: 240
. "$top_srcdir/tests/style/tap.sh"
. "$top_builddir/tests/environment"
. "$top_srcdir/tests/readme/commands.sh"
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
lab_answer=$(timeout 60 "$top_builddir/bench/lab/wan-lab" run --topology "$top_srcdir/mca_params/magpie-8x5.toml" -- true 2>&1)
[ $? = 77 ] && no_lab=$lab_answer

# short COMMAND: what makes it short; nothing for a command that is not known.
short() {
  case $1 in
    bench/apps/wan-apps-compare*) echo "--local 3 --passes 1 --repetitions 1 --warm-up 0 --peers coll_wan" ;;
    bench/magpie/wan-magpie*--figure\ 7*) echo "--clusters 2 --processes 4 --repetitions 1 --peers coll_wan --application asp,--nodes,40" ;;
    bench/magpie/wan-magpie*--figure\ 8*) echo "--clusters 2 --processes 4 --repetitions 1 --peers coll_wan --application cg,--points,16" ;;
    bench/magpie/wan-magpie*) echo "--clusters 2 --processes 4 --repetitions 1 --peers coll_wan" ;;
    mpirun*bench/apps/cg*) echo "--repetitions 1" ;;
    mpirun*wan-calibrate*) echo "--repetitions 11 --output $scratch/machine.csv" ;;
  esac
}

# run_short COMMAND: in the build directory, with its output elsewhere.
run_short() {
  local options output
  options=$(short "$1")
  [ -n "$options" ] || { echo "this test does not know: $1"; return 1; }
  case $1 in bench/*wan-*) options="$options --output $scratch" ;; esac
  output=$(cd "$top_builddir" && timeout 100 sh -c "$(sed 's/ --output [^ ]*//' <<<"$1") $options" 2>&1 </dev/null) || { echo "$output"; return 1; }
}

while IFS= read -r command; do
  command=${command%%[[:space:]]#*}
  command=${command%"${command##*[![:space:]]}"}
  case $command in
    make) tap_skip "$command" "tests/run does it" ;;
    *wan-magpie*) if [ -n "${no_lab:-}" ]; then tap_skip "$command" "$no_lab"; else tap_ok "$command" run_short "$command"; fi ;;
    *) tap_ok "$command" run_short "$command" ;;
  esac
done < <(for readme in bench/README.md bench/apps/README.md; do [ -e "$top_srcdir/$readme" ] && commands "$top_srcdir/$readme"; done | awk '!seen[$0]++')
fails() { ! "$@" >/dev/null; }
tap_ok "a command that is not known fails" fails run_short 'bench/apps/lu'
tap_ok "a mistake in a command fails" fails run_short 'bench/apps/wan-apps-compare --settings magpie'
tap_done
