#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The component exports its component symbol and nothing else, libwan_multicast the functions of its header.
. "$top_srcdir/tests/style/tap.sh"
component=$top_builddir/.libs/mca_coll_wan.so

exports() { nm -D --defined-only "$1" | awk '{print $3}'; }
check_exports() { exports "$1" | grep -vE '^mca_coll_wan_component(_ptr)?$'; }

wrong=$(mktemp -d) || exit 99
trap 'rm -rf "$wrong"' EXIT
echo 'int mca_coll_wan_component; int mca_coll_wan_helper(void) { return 0; }' >"$wrong/wrong.c"
cc -shared -fPIC -o "$wrong/wrong.so" "$wrong/wrong.c" || exit 99

tap_ok "the component symbol is exported" complains '^mca_coll_wan_component$' exports "$component"
tap_ok "nothing else is" is_silent check_exports "$component"
tap_ok "another exported symbol is found" complains '^mca_coll_wan_helper$' check_exports "$wrong/wrong.so"
functions() { grep -oE '^WAN_PUBLIC int WAN_[A-Za-z_]+\(' "$top_srcdir/coll_wan/api/wan_multicast.h" | sed 's/^.* //; s/($//' | sort -u; }
library_exports() { exports "$top_builddir/.libs/libwan_multicast.so" | sort; }
tap_ok "the header's functions are seen at all" complains '^WAN_Imulticast$' functions
tap_ok "libwan_multicast exports the functions of its header" cmp <(functions) <(library_exports)
tap_done
