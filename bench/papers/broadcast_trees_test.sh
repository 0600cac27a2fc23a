#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# broadcast-trees as a command: figure 1 has its two winners, the best tree is the best of each row and nothing beats the
# optimum or the bound, the same seed gives the same numbers, a mistake is answered with a sentence.
# timeout-seconds: 60
. "$top_srcdir/tests/style/tap.sh"
study=$top_builddir/bench/papers/broadcast-trees
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

run() { timeout 50 "$study" --graphs 4 --seed "$2" --output "$scratch/$1"; }
# at DELTA RELATION: star and two levels of figure 1.
at() { awk -F, "\$1 == $1 { seen = 1; if (!(\$2 $2 \$3)) exit 1 } END { exit !seen }" "$scratch/a/figure-one.csv"; }
# In every row nothing is below 1, and the best tree is no worse than the others on average.
best_is_best() {
  awk -F, "FNR == 1 { next } { mean[\$1, \$2, \$3] = \$6; if (\$6 < 1) wrong = 1; seen++ }
    \$3 == \"best\" { for (key in mean) { split(key, part, SUBSEP)
      if (part[1] == \$1 && part[2] == \$2 && mean[key] < \$6) wrong = 1 } }
    END { exit wrong || seen < 100 }" "$scratch/a/clusters.csv" "$scratch/a/links.csv" "$scratch/a/large-clusters.csv"
}
same() { for file in clusters links large-clusters figure-one; do cmp "$scratch/$1/$file.csv" "$scratch/$2/$file.csv" || return 1; done; }
differ() { ! cmp -s "$scratch/$1/clusters.csv" "$scratch/$2/clusters.csv"; }
refused() {
  local said
  said=$("$study" --output /dev/null/x 2>&1)
  [ $? = 2 ] && grep -q '^broadcast-trees: /dev/null/x: ' <<<"$said" || { echo "$said"; return 1; }
}

tap_ok "it runs" run a 1
tap_ok "the star wins at 0.45" at 0.450 "<"
tap_ok "both take as long at 0.5" at 0.500 "=="
tap_ok "two levels win at 0.55" at 0.550 ">"
tap_ok "nothing beats the optimum, no tree the best" best_is_best
tap_ok "it runs again" run b 1
tap_ok "with the same numbers" same a b
tap_ok "it runs with another seed" run c 2
tap_ok "with other numbers" differ a c
tap_ok "a folder that cannot be is refused" refused
tap_done
