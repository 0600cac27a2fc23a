#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# coll_wan/in-tree/add puts every source of the component into a source tree of Open MPI, and nothing into what is none.
. "$top_srcdir/tests/style/tap.sh"

scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
tree=$scratch/openmpi
component=$tree/ompi/mca/coll/wan
mkdir -p "$tree/ompi/mca/coll"
touch "$tree/ompi/mca/coll/coll.h" "$tree/autogen.pl"
version() { printf 'major=%s\nminor=%s\nrelease=4\n' "$1" "$2" >"$tree/VERSION"; }
add() { "$top_srcdir/coll_wan/in-tree/add" "${1:-$tree}"; }

# The sources of the folders that the component is made of.
sources() { (cd "$1" && find coll_wan/{base,topo,discover,cost,plan,algo,check,learn,run,probe,process,mca} mca_params/params.def -name '*.cc' -o -name '*.h' -o -name '*.def') | sort; }
listed() { sed -n 's,^\t\(\(coll_wan\|mca_params\)/[^ ]*\).*,\1,p' "$component/sources.am" | sort; }
lacks() { comm -23 <(sources "$top_srcdir") <("$@"); }
sources_after_add() { add && cat "$component/sources.am"; }
times() { find "$component" -type f -printf '%p %T@\n' | sort; }

version 3 1
tap_ok "an older Open MPI is refused" complains 'is Open MPI 3\.1; coll_wan is written for 4\.1, 5\.0 and 6\.0' add
tap_ok "what is no source tree is refused" complains 'is not a source tree of Open MPI' add "$scratch"
version 4 1
mkdir "$component"
tap_ok "somebody else's component is left alone" complains 'is there already' add
rmdir "$component"
tap_ok "the component is added" complains '^Open MPI 4\.1 in .* has the component coll/wan now' add
tap_ok "with every source" is_silent lacks sources "$component"
tap_ok "of which Open MPI's automake knows" is_silent lacks listed
tap_ok "and the linker's version script" cmp "$top_srcdir/coll_wan/mca/exports.map" "$component/coll_wan/mca/exports.map"
sed -i '/plan.program\.h/d' "$component/sources.am"
tap_ok "one of which it does not know is found" complains '^coll_wan/plan/program\.h$' lacks listed
add >/dev/null
before=$(times)
rm "$component/coll_wan/base/types.h"
add >/dev/null
tap_ok "a second time only what has changed" test "$(times | grep -v 'base/types\.h')" = "$(grep -v 'base/types\.h' <<<"$before")"
tap_ok "with every source again" is_silent lacks sources "$component"
version 5 0
tap_ok "5.0 links components with libmpi" complains '^coll_wan_libmpi = .*/lib@OMPI_LIBMPI_NAME@\.la$' sources_after_add
version 6 0
tap_ok "6.0 with libopen_mpi" complains '^coll_wan_libmpi = .*/libopen_mpi\.la$' sources_after_add
tap_done
