#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# wanctl draw: whole pictures of what the plan has. (Whether they are good ones is for people to see.)
. "$top_srcdir/tests/wanctl/wanctl.sh" || exit 99
cities=$presets/cities.toml

# picture NUMBER PATTERN ARGUMENTS...: a whole SVG with as many lines that match.
picture() {
  local number=$1 pattern=$2
  shift 2
  wanctl draw "$@" >"$scratch/a.svg" && [ "$(head -c 4 "$scratch/a.svg")" = '<svg' ] && [ "$(tail -n 1 "$scratch/a.svg")" = '</svg>' ] &&
    [ "$(grep -cE -e "$pattern" "$scratch/a.svg")" = "$number" ] || { cat "$scratch/a.svg"; return 1; }
}
# An arrow for each pair of ranks of two sites of which one sends to the other.
arrows_of_plan() {
  local pairs
  pairs=$(wanctl plan "$@" --topology "$presets/unequal-5.toml" | awk '
    /^rank /{me = $2} / send /{for (i = 1; i < NF; ++i) if ($i == "to") print me, $(i + 1)}' | sort -u | awk '
    function site(rank) { return rank < 7 ? 0 : rank < 12 ? 1 : rank < 15 ? 2 : rank < 17 ? 3 : 4 }
    site($1) != site($2)' | wc -l)
  [ "$pairs" -gt 3 ] && picture "$pairs" "class='wide'" tree "$@" --topology "$presets/unequal-5.toml"
}
to_file() { wanctl draw tree bcast --sites aab --output "$scratch/b.svg" | is_silent cat && [ -s "$scratch/b.svg" ]; }
# drawable PICTURE: rsvg-convert makes a picture of it.
drawable() { wanctl draw "$1" allreduce --topology "$cities" | rsvg-convert -o "$scratch/a.png" && [ -s "$scratch/a.png" ]; }

tap_ok "a circle for each rank" picture 8 '^<circle' tree bcast --topology "$cities"
tap_ok "a box for each host" picture 5 '<title>host ' tree bcast --topology "$cities"
tap_ok "a box for each site" picture 3 "rx='8'" tree bcast --topology "$cities"
tap_ok "no hosts where there are none" picture 0 '<title>host ' tree bcast --sites aab
tap_ok "messages and lengths" picture 1 '<title>0 to 7: 1 messages, 8 bytes</title>' tree bcast --topology "$cities"
tap_ok "the arrows of a broadcast" arrows_of_plan bcast --count 300000
tap_ok "the arrows of an alltoall" arrows_of_plan alltoall --count 2000
tap_ok "one site" picture 1 "rx='8'" tree bcast --sites aaa
tap_ok "one rank" picture 1 '^<circle' tree bcast --sites a
tap_ok "names that are no XML" picture 1 '&lt;a&amp;b&gt;' tree bcast --sites '<a&b>/h,c/h'
tap_ok "into a file" to_file
tap_ok "a timeline" picture 2 '<title>rank ' timeline bcast --sites ab
if command -v rsvg-convert >/dev/null; then
  tap_ok "the tree can be looked at" drawable tree
  tap_ok "the timeline can be looked at" drawable timeline
else
  tap_skip "the tree can be looked at" "there is no rsvg-convert"
fi
tap_ok "a file that cannot be written" ends 2 '--output: "/nowhere/a.svg": cannot be written: No such file' draw tree bcast --sites ab -o /nowhere/a.svg
tap_ok "a misspelt collective" ends 2 'did you mean "bcast"' draw tree bcst --sites ab
tap_ok "a misspelt picture" ends 2 '^wanctl draw: "tre": did you mean "tree"' draw tre bcast --sites ab
tap_done
