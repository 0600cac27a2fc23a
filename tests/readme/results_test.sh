#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The results in README.md are those of bench/collectives/README.md: its table is what bench/collectives/overview makes, and it
# and the picture name the commit and the date at which those figures were recorded.
. "$top_srcdir/tests/style/tap.sh"
bench=$top_srcdir/bench/collectives
readme=$top_srcdir/README.md
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

# rows FILE: of the table of results, without the two lines of the head.
rows() { sed -n '/^<!-- results:/,/^$/p' "$1" | grep '^|' | tail -n +3; }
# differences README SOURCE: what to put out of (<) or into (>) the table of README if the benchmark's README is SOURCE.
differences() { diff <(rows "$1") <(WAN_OVERVIEW_SOURCE=$2 "$bench/overview" table) | grep '^[<>]'; }

recorded=$(grep -oE -m1 'commit [0-9a-f]+ on [0-9-]+' "$bench/README.md")
changed() { sed -e "$2" "$1" >"$scratch/changed.md"; }

tap_ok "the figures say when they were recorded" test -n "$recorded"
tap_ok "there are results" complains '^\| bcast \| [0-9.]+ \| [0-9.]+ \|' rows "$readme"
tap_ok "the table of README.md is that of the benchmark" is_silent differences "$readme" "$bench/README.md"
tap_ok "README.md says when they were recorded" complains "$recorded" cat "$readme"
tap_ok "the picture says when they were recorded" complains "$recorded" cat "$bench/overview.svg"
if command -v gnuplot >/dev/null; then
  tap_ok "the picture can be drawn" "$bench/overview" plot "$scratch/drawn.svg"
  tap_ok "and has the benchmark's collectives" complains 'reduce_scatter_block' cat "$scratch/drawn.svg"
else
  tap_skip "the picture can be drawn" "there is no gnuplot"
fi

# Wrong ones are found.
changed "$readme" 's/^| bcast | [0-9.]*/| bcast | 9.9/'
tap_ok "another figure is found" complains '^< .* bcast \| 9\.9 ' differences "$scratch/changed.md" "$bench/README.md"
changed "$bench/README.md" 's/^| scan | [0-9.]*, /| scan | 99.0, /'
tap_ok "a figure that was measured anew is found" complains '^> .* scan \| [0-9.,]+ \| 99\.0' differences "$readme" "$scratch/changed.md"
changed "$readme" '/^| gather /d'
tap_ok "a missing row is found" complains '^> .* gather ' differences "$scratch/changed.md" "$bench/README.md"
tap_done
