#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# wanctl topology: check, show, convert.
. "$top_srcdir/tests/wanctl/wanctl.sh" || exit 99

head='[defaults]
latency = "10 ms"
bandwidth = "1 Gbit/s"
[site.a]
hosts = ["a-[1-4]"]
[site.b]
hosts = ["b-[1-4]"]'
# topology NAME LINES: a file of two sites, and these lines.
topology() { printf '%s\n%b\n' "$head" "$2" >"$scratch/$1.toml"; }
topology good ''
topology both '[site.c]\nhosts = ["a-4"]'
topology fast '[[link]]\nfrom = "a"\nto = "b"\nboth = true\nlatency = "fast"'
topology key '[[link]]\nfrom = "a"\nto = "b"\nlatncy = "5 ms"'
mkdir "$scratch/folder"

# there_and_back PRESET: TOML, JSON, TOML, JSON: the same, and the same plan.
there_and_back() {
  local toml=$presets/$1.toml
  wanctl topology convert "$toml" --output "$scratch/1.json" && wanctl topology convert "$scratch/1.json" --output "$scratch/2.toml" &&
    wanctl topology convert "$scratch/2.toml" >"$scratch/2.json" && cmp "$scratch/1.json" "$scratch/2.json" &&
    wanctl topology show --json "$toml" | cmp - "$scratch/1.json" &&
    cmp <(wanctl plan bcast --count 1000000 --simulate --topology "$toml") <(wanctl plan bcast --count 1000000 --simulate --topology "$scratch/2.toml")
}
# The file that convert writes is shorter than the one that names each link.
is_short() { [ "$(grep -c '^\[\[link' "$scratch/2.toml")" = "$1" ] || { cat "$scratch/2.toml"; return 1; }; }

for preset in cities far-4x4 fat-4x4 magpie-8x5 three-levels unequal-5 uniform-4x4; do
  tap_ok "$preset is correct" ends 0 ': correct, [0-9] sites$' topology check "$presets/$preset.toml"
  tap_ok "$preset as JSON and back" there_and_back "$preset"
done
tap_ok "equal links are not listed" is_short 0
tap_ok "unequal-5 once more" there_and_back unequal-5
tap_ok "two equal directions are one entry" is_short 10

tap_ok "check: what is suspicious" ends 1 'both.toml: suspicious: a-4 belongs to site a \("a-\[1-4\]"\) and to site c \("a-4"\)' topology check "$scratch/both.toml"
tap_ok "check: as JSON" ends 1 '"kind": "common-host"' topology check --json "$scratch/both.toml"
tap_ok "check: no finding as JSON" ends 0 '"findings": \[\]' topology check --json "$scratch/good.toml"
tap_ok "check: a mistake, as coll_wan tells it" ends 2 \
  'fast.toml:12: link.latency = "fast": expected a time in ns, us, ms or s' topology check "$scratch/fast.toml"
tap_ok "check: a misspelt key" ends 2 'key.toml:11: link.latncy.*did you mean "latency"' topology check "$scratch/key.toml"
mistake_as_json() {
  wanctl topology check --json "$scratch/fast.toml" >"$scratch/out" 2>"$scratch/err"
  [ $? = 2 ] && grep -q '"line": 12' "$scratch/out" && grep -q '"remedy": "expected a time' "$scratch/out" && grep -q 'fast.toml:12' "$scratch/err"
}
tap_ok "check: a mistake as JSON, and on standard error" mistake_as_json
tap_ok "check: no such file" ends 2 'nowhere.toml: cannot be opened: No such file' topology check nowhere.toml
tap_ok "check: a folder" ends 2 'folder: cannot be read' topology check "$scratch/folder"
tap_ok "check: no file" ends 2 'file is required' topology check

tap_ok "show: sites" ends 0 '^paris +par-\[01-02\] +4 +1 Gbit/s +1 Gbit/s$' topology show "$presets/cities.toml"
tap_ok "show: links" ends 0 '^paris +tokyo +112 ms +100 Mbit/s +0 %$' topology show "$presets/cities.toml"
tap_ok "show: links that [defaults] describes" ends 0 '^a +b +10 ms +1 Gbit/s +0 %$' topology show "$scratch/good.toml"
tap_ok "show: unknown sites" ends 0 '^\(unknown site\) +\(any\) +112 ms' topology show "$presets/cities.toml"
tap_ok "show: hosts that differ" ends 0 '^nyc-02, tyo-01 +1$' topology show "$presets/cities.toml"
tap_ok "show: as JSON" ends 0 '"bandwidth_bytes_per_s": 12500000' topology show --json "$presets/cities.toml"
tap_ok "show: a mistake" ends 2 'fast.toml:12: link.latency' topology show "$scratch/fast.toml"

# json NAME TEXT
json() { printf '%s' "$2" >"$scratch/$1.json"; }
json open '{"sites": [
 {"name": "a",'
json key '{"sites": [{"name": "a", "hosts": ["a1"], "uplnk_bytes_per_s": 1}]}'
json sign '{"sites": [{"name": "a", "hosts": ["a1"]}, {"name": "b", "hosts": ["b1"]}], "links": [{"from": "a", "to": "b", "latency_ns": -1}]}'
json missing '{"sites": [{"name": "a", "hosts": ["a1"]}, {"name": "b", "hosts": ["b1"]}], "links": [{"from": "a", "to": "b", "latency_ns": 1}]}'
tap_ok "convert: JSON that is none" ends 2 'open.json:2: not valid JSON' topology convert "$scratch/open.json"
tap_ok "convert: an unknown key" ends 2 'key.json: /sites/0/uplnk_bytes_per_s = "1": no such key: did you mean "uplink_bytes_per_s"' topology convert "$scratch/key.json"
tap_ok "convert: a negative number" ends 2 'sign.json: /links/0/latency_ns = "-1": expected a whole number' topology convert "$scratch/sign.json"
tap_ok "convert: what is missing" ends 2 'missing.json: /links/0.*no bandwidth' topology convert "$scratch/missing.json"
tap_ok "convert: TOML that is wrong" ends 2 'fast.toml:12: link.latency' topology convert "$scratch/fast.toml"
tap_ok "convert: nowhere to write to" ends 2 '--output: "/nowhere/a.json": cannot be written: No such file' topology convert "$scratch/good.toml" -o /nowhere/a.json
tap_done
