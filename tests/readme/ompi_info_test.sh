#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `ompi_info --param coll wan --level 9` shows every parameter of mca_params/params.def with its default, type, range and help.
. "$top_srcdir/tests/readme/app.sh" || exit 99
parameter_table=$top_builddir/tests/readme/parameter_table

OMPI_MCA_mca_base_component_path=$component:SYSTEM_DEFAULT timeout 60 "$OMPI_INFO" --param coll wan --level 9 |
  sed 's/^.*MCA coll wan: *//' | tr -s '\n ' '  ' >"$scratch/shown"

# shows TEXT: ompi_info's answer, with all white space as single blanks, has this text.
shows() { grep -qF -e "$1" "$scratch/shown" || { echo "not shown: $1"; cat "$scratch/shown"; return 1; }; }

# of NAME FIELD: what ompi_info says between the parameter's name and the next one's.
entry() { grep -oE "parameter \"coll_wan_$1\" \(.*" "$scratch/shown" | sed 's/\(.\) parameter "coll_wan_.*/\1/'; }
has_no() { ! shows "$1" >/dev/null; }

while IFS='|' read -r _ name default range meaning _; do
  name=$(tr -d ' `' <<<"$name") default=$(xargs <<<"$default") range=$(xargs <<<"$range")
  meaning=$(sed 's/^ *//; s/ *$//' <<<"$meaning")
  case $range in
    text) type=string default='' said=$meaning ;;
    list) type=string default='' said="$meaning (known: allgather:auto|" ;;
    "list of: "*) type=string default='' said="$meaning ($range)" ;;
    [0-9]*" to "* | -[0-9]*" to "*) type=int said="$meaning (range: $range)" ;;
    *) type=string said="$meaning (one of: $range)" ;;
  esac
  tap_ok "$name is shown with its default" shows "parameter \"coll_wan_$name\" (current value: \"$default\""
  tap_ok "$name is shown as $type" complains "type: $type\)" entry "$name"
  tap_ok "$name is shown with help and range" shows "type: $type) $said"
done < <("$parameter_table")
tap_ok "nothing is shown that is not there" has_no 'parameter "coll_wan_size"'
tap_done
