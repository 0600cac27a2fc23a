#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `make install` puts the component where configure said, below DESTDIR, and Open MPI finds it there; `make uninstall`
# takes everything away again.
# timeout-seconds: 300
. "$top_srcdir/tests/style/tap.sh"
. "$top_builddir/tests/environment"
unset MAKEFLAGS MFLAGS MAKELEVEL

scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
variable() { make -s -C "$top_builddir" print-"$1"; }
installed=$scratch$(variable componentdir)

# Open MPI's own account of the component, looked for in this directory alone.
parameters() {
  OMPI_MCA_mca_base_component_path=$1 timeout 60 "$OMPI_INFO" --param coll wan --level 9 2>/dev/null
}

tap_ok "make install" make -s -C "$top_builddir" install DESTDIR="$scratch"
tap_ok "the component is where it belongs" test -f "$installed/mca_coll_wan.so"
tap_ok "the help texts are where they belong" test -n "$(find "$scratch$(variable helpdir)" -name 'help-*wan*.txt')"
tap_ok "Open MPI finds the component there" complains 'MCA coll wan' parameters "$installed"
tap_ok "and not beside it" is_silent parameters "$(variable helpdir)"
program() { find "$scratch" -type f -path '*/bin/wanctl'; }
tap_ok "wanctl is there, and runs" complains '^wanctl of coll_wan' sh -c "'$(program)' --version"
tap_ok "its manual page is there" test -n "$(find "$scratch" -path '*/man1/wanctl.1')"
tap_ok "what bash completes is there" test -n "$(find "$scratch" -path '*/bash-completion/completions/wanctl')"
tap_ok "the presets are there" test -n "$(find "$scratch" -path '*/share/coll_wan/wan.conf')"
tap_ok "libwan_multicast is there" test -n "$(find "$scratch" -name libwan_multicast.so)"
tap_ok "with its header" test -n "$(find "$scratch" -path '*/include/wan_multicast.h')"
tap_ok "and pkg-config knows it" test -n "$(find "$scratch" -path '*/pkgconfig/wan_multicast.pc')"
tap_ok "make uninstall" make -s -C "$top_builddir" uninstall DESTDIR="$scratch"
tap_ok "nothing is left" is_silent find "$scratch" -type f
tap_done
