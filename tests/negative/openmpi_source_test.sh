#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# configure takes Open MPI's headers from no source tree that they cannot be right in.
. "$top_srcdir/tests/style/tap.sh"
. "$top_builddir/tests/environment"

configure=$(cd "$top_srcdir" && pwd)/configure
scratch=$(mktemp -d) || exit 99
command -v ccache >/dev/null && compiler=(CC='ccache gcc' CXX='ccache g++') || compiler=()
trap 'rm -rf "$scratch"' EXIT

# tree MAJOR MINOR RELEASE [GREEK]: what looks like a source tree of that version, as far as anybody looks.
tree() {
  rm -rf "$scratch/tree"
  mkdir -p "$scratch/tree/ompi/mca/coll"
  printf 'major=%s\nminor=%s\nrelease=%s\ngreek=%s\n' "$1" "$2" "$3" "${4:-}" >"$scratch/tree/VERSION"
  touch "$scratch/tree/ompi/mca/coll/coll.h"
}

# configured: what configure says of that tree, and fails.
configured() {
  mkdir -p "$scratch/build"
  (cd "$scratch/build" && "$configure" -q "${compiler[@]}" --cache-file=cache --with-ompi="${MPICC%/bin/mpicc*}" --with-ompi-source="$scratch/tree" 2>&1) &&
    echo "configure has not failed"
}

tree 3 0 0
tap_ok "another version is refused" complains "is Open MPI 3\.0\.0, but Open MPI .* is installed; say --with-ompi-source=DIR" configured
[[ $("$OMPI_INFO" --parsable | sed -n 's/^ompi:version:full://p') =~ ^([0-9]+)\.([0-9]+)\.([0-9]+)(.*)$ ]]
tree "${BASH_REMATCH[@]:1}"
printf '#!/bin/sh\necho checking for everything\nexit 1\n' >"$scratch/tree/configure"
chmod +x "$scratch/tree/configure"
tap_ok "a configure that fails is shown" complains '^checking for everything$' configured
tap_done
