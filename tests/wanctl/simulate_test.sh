#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# wanctl simulate: predictions, and what other links would change.
. "$top_srcdir/tests/wanctl/wanctl.sh" || exit 99
cities=$presets/cities.toml

simulate() { wanctl simulate "$@" --topology "$cities"; }
# what_if PATTERN ARGUMENTS...: the line "what if" matches.
what_if() {
  local pattern=$1
  shift
  complains "^what if$pattern" simulate "$@"
}
# It predicts what `plan --simulate` does.
as_planned() {
  local time
  time=$(wanctl plan allreduce --topology "$cities" --count 131072 --simulate | sed -n 's/^simulated: \(.*\) ms$/\1/p')
  [ -n "$time" ] && simulate allreduce --sizes 1MiB | grep -qE "^as it is +$time "
}
# Every collective once.
all_collectives() { [ "$(simulate all | grep -c '^as it is')" = "$(simulate all --json | grep -c '"call"')" ] && [ "$(simulate all | grep -c '^as it is')" = 17 ]; }
# What is not chosen is shown, and the chosen one once.
every_algorithm() {
  simulate bcast --sizes 1MiB --all-algorithms >"$scratch/all" && [ "$(grep -c 'not chosen' "$scratch/all")" = 3 ] &&
    [ "$(grep -c '^as it is' "$scratch/all")" = 4 ]
}
# No prediction beats its bound.
above_bounds() { [ -z "$(simulate all --sizes 8,64KiB | awk '/^as it is/ && $4 < $5')" ]; }
# is_silent_of KEY COLLECTIVE: its JSON does not have the key.
is_silent_of() { simulate "$2" --json >"$scratch/json" && grep -q predicted_ns "$scratch/json" && ! grep -q "\"$1\"" "$scratch/json"; }
# By a factor of one nothing changes.
by_one() { simulate alltoall --sizes 64KiB --latency '*:*=x1' --bandwidth '*:*=x1' | awk '/^as it is/{a = $4} /^what if/{b = $3} END{exit !(a != "" && a == b)}'; }
# A message that costs hosts 100 us on each side takes longer by that.
by_machine() {
  printf 'tcp_send_ns,100000\ntcp_receive_ns,100000\n' >"$scratch/machine.csv"
  simulate barrier --machine "$scratch/machine.csv" >"$scratch/by-machine" && grep -qE '^as it is +112[.][2-9]' "$scratch/by-machine" || { cat "$scratch/by-machine"; return 1; }
}
# What is no such file is named with its line.
by_no_machine() {
  printf 'tcp_send_ns,100000\nspeed,3\n' >"$scratch/no-machine.csv"
  complains 'no-machine.csv.*2.*speed,3' simulate barrier --machine "$scratch/no-machine.csv"
}
ends_with() { ends "$1" "$2" simulate --topology "$cities" "${@:3}"; }

tap_ok "as plan does" as_planned
tap_ok "beside the bound" complains '^as it is +112[.]0[0-9]+ +112[.]000 +1[.]00 +direct +[0-9.]+ +recursive_doubling$' simulate barrier
tap_ok "several lengths" complains '^bcast on 8 ranks of 3 sites, 65536 bytes, root 0$' simulate bcast --sizes 8,64KiB
tap_ok "of reductions, the vector" complains '^allreduce on 8 ranks of 3 sites, 16384 elements of 4 bytes$' simulate allreduce --sizes 64KiB --element-size 4
tap_ok "every collective" all_collectives
tap_ok "every algorithm" every_algorithm
tap_ok "no prediction beats its bound" above_bounds
tap_ok "beside Open MPI's tuned" complains '^as it is .* direct +206[.]0[0-9]+ +recursive_doubling$' simulate barrier
tap_ok "tuned as JSON" complains '"tuned": [{]' simulate barrier --json
tap_ok "tuned over other links" what_if ' .* direct +103[.][0-9]+ +recursive_doubling$' barrier --latency '*:*=x0.5'
tap_ok "no forecast where there is none" is_silent_of tuned exscan
tap_ok "without a file" complains '^as it is +10[.]0' wanctl simulate bcast --sites aab
tap_ok "by what messages cost a host" by_machine
tap_ok "a file that is none of that" by_no_machine
tap_ok "as JSON" complains '"lower_bound_ns": 112000000' simulate barrier --json

tap_ok "half the latency, both directions" what_if ' +84[.]0[0-9]+ +84[.]000 ' barrier --latency paris:tokyo=x0.5
tap_ok "one direction" what_if ' +112[.]0[0-9]+ +112[.]000 ' barrier --latency 'paris>tokyo=x0.5'
tap_ok "another latency for all links" what_if ' +5[.]1[0-9]+ +5[.]000 ' barrier --latency '*:*=5 ms'
tap_ok "the other side of a star" what_if ' +38[.]1[0-9]+ +2[.]000 ' barrier --latency '*:tokyo=1 ms'
tap_ok "changes add up" what_if ' +56[.]0[0-9]+ +56[.]000 ' barrier --latency '*:*=x0.25' --latency '*:*=x2'
tap_ok "a faster link" complains '^what if .* +12[0-9][.]' simulate bcast --sizes 1MiB --bandwidth paris:tokyo=x10
tap_ok "an access link" complains '^what if +9[0-9]{2}[.]' simulate bcast --sizes 1MiB --uplink 'paris=10 Mbit/s'
tap_ok "a factor of one" by_one
tap_ok "another site" what_if ' \(10 ranks of 4 sites\) ' barrier --add-site oslo=2 --latency '*:oslo=20 ms'
tap_ok "one fewer" what_if ' \(7 ranks of 2 sites\) +38[.]1[0-9]+ +38[.]000 ' barrier --without-site tokyo
tap_ok "with numbers of ranks" what_if ' \(11 ranks of 3 sites\) ' barrier --ranks 4,3,2 --without-site new-york --add-site oslo=5
tap_ok "with one number of ranks" what_if ' \(8 ranks of 4 sites\) ' barrier --ranks 2 --add-site oslo

tap_ok "a misspelt collective" ends_with 2 '"bcst": did you mean "bcast"' bcst
tap_ok "no communicator" ends 2 'give either --topology FILE or --sites' simulate bcast
tap_ok "a file that is not there" ends 2 'nowhere.toml: cannot be opened' simulate bcast --topology nowhere.toml
tap_ok "a size that is none" ends_with 2 '--sizes: "big": expected a number of bytes' bcast --sizes 8,big
tap_ok "a size that is no multiple" ends_with 2 '--sizes: "9": expected a multiple of the element.s 8 bytes' allreduce --sizes 9
tap_ok "--sizes and --count" ends_with 2 '--sizes excludes --count' bcast --sizes 8 --count 8
tap_ok "an unknown site" ends_with 2 '--latency: "pari": no such site: did you mean "paris"' bcast --latency pari:tokyo=x2
tap_ok "no value" ends_with 2 '--latency: "paris:tokyo": expected LINK=VALUE' bcast --latency paris:tokyo
tap_ok "no link" ends_with 2 '--latency: "paris=x2": expected LINK=VALUE' bcast --latency paris=x2
tap_ok "a link of one site" ends_with 2 'no link is meant' bcast --latency paris:paris=x2
tap_ok "a value that is none" ends_with 2 '--latency: "soon": expected a time .* or a factor such as "x2"' bcast --latency paris:tokyo=soon
tap_ok "a factor that is none" ends_with 2 '--bandwidth: "x0": expected a factor' bcast --bandwidth paris:tokyo=x0
tap_ok "a factor of nothing" ends_with 2 '--uplink: "x2": there is no value to multiply' bcast --uplink tokyo=x2
tap_ok "a latency that is too long" ends_with 2 'what if: /links/.*/latency_ns = "11[0-9]* s": expected a time' bcast --latency paris:tokyo=x1000000
tap_ok "a site twice" ends_with 2 '--add-site: "paris": there is a site of this name' bcast --add-site paris
tap_ok "a site that is not there" ends_with 2 '--without-site: "oslo": no such site' bcast --without-site oslo
tap_ok "no site left" ends_with 2 '--without-site: "tokyo": it is the last site' bcast --without-site paris --without-site new-york --without-site tokyo
tap_ok "other links of labels" ends 2 '--sites: "ab": to change links, give --topology' simulate bcast --sites ab --latency 'a:b=x2'
tap_ok "too many ranks" ends_with 2 '--ranks: "6000": simulated are at most 4096' bcast --ranks 2000
tap_done
