# SPDX-License-Identifier: BSD-3-Clause
# What the tests share that use coll_wan as a user does. Source it. Sets $scratch, in it the program app, and $component:
# a directory with the component and its messages, as a user without root has one.
. "$top_srcdir/tests/style/tap.sh"
. "$top_builddir/tests/environment"

scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
component=$scratch/component
mkdir "$component"
cp "$WAN_COMPONENT_DIR/mca_coll_wan.so" "$top_srcdir/coll_wan/mca/help-coll-wan.txt" "$component" || exit 99
"$MPICC" -o "$scratch/app" "$top_srcdir/tests/readme/app.c" || exit 99
WAN_COMPONENT_DIR=$component
. "$top_builddir/tests/environment"
