#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What bash completes after wanctl.
. "$top_srcdir/tests/wanctl/wanctl.sh" || exit 99
. "$top_srcdir/coll_wan/tools/completion/wanctl" || exit 99
touch "$scratch/sites.toml" "$scratch/sites two.toml" "$scratch/other"

# completed WORDS...: what the last word may become, in one line.
completed() {
  COMP_WORDS=("$top_builddir/wanctl" "$@")
  COMP_CWORD=$#
  cd "$scratch" && _wanctl
  printf '%s\n' "${COMPREPLY[@]}" | sort | paste -sd'|'
}
# completes EXPECTED WORDS...
completes() {
  local expected=$1 got
  shift
  got=$(completed "$@")
  [ "$got" = "$expected" ] || { echo "$got"; return 1; }
}
is_declared() { complete -p wanctl | grep -q -- '-F _wanctl'; }
# Each option of --help is completed.
all_options() { diff <(wanctl plan --help | grep -oE '^ +(-[a-z],)?--[a-z-]+' | grep -oE -- '--[a-z-]+' | sort) <(completed plan -- | tr '|' '\n' | sort); }

tap_ok "bash knows of it" is_declared
tap_ok "subcommands" completes 'bench|doctor|draw|lab|plan|probe|simulate|topology' ''
tap_ok "the beginning of one" completes 'plan' pl
tap_ok "subcommands of a subcommand" completes 'check|convert|here|show' topology ''
tap_ok "collectives" completes 'barrier|bcast' plan b
tap_ok "no second one" completes '' plan bcast ''
tap_ok "several where there may be" completes 'bcast' simulate allreduce bc
tap_ok "options" completes '--topology' plan bcast --top
tap_ok "all options" all_options
tap_ok "values of an option" completes 'any|fixed|rank' plan reduce --order ''
tap_ok "after an equals sign" completes 'flat|fnf' plan reduce --tree = f
tap_ok "right after an equals sign" completes 'any|fixed|rank' plan reduce --order =
tap_ok "after the value of an option" completes 'bcast' plan --root 1 bca
tap_ok "after a flag" completes 'bcast' plan --in-place bca
tap_ok "files" completes 'sites two.toml|sites.toml' topology check si
tap_ok "files after an option" completes 'sites two.toml|sites.toml' plan bcast --topology si
tap_ok "files for the lab" completes 'other' lab run --topology ot
tap_ok "nothing for what is free" completes '' plan bcast --count ''
tap_ok "nothing for what is wrong" completes '' plna ''
tap_done
