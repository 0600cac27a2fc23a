#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The tarball of a commit is the same, bit by bit, whoever makes it, where and when: the one that is made here, and the one that is made of it
# elsewhere, under another umask and time zone, from files that were read in another order.
# timeout-seconds: 240
. "$top_srcdir/tests/style/tap.sh"

scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL SOURCE_DATE_EPOCH

# tarball BUILD NAME [VARIABLES]: makes the tarball in the folder BUILD, and moves it to $scratch/NAME.
tarball() {
  local build=$1 name=$2
  shift 2
  make -s -C "$build" dist "$@" >"$scratch/log" 2>&1 && mv "$build"/coll_wan-*.tar.gz "$scratch/$name" || { tail -n 20 "$scratch/log"; return 1; }
}

# elsewhere: makes the tarball anew from the first.
elsewhere() (
  umask 077
  export TZ=Pacific/Auckland
  mkdir "$scratch/unpacked" "$scratch/build" && tar -C "$scratch/unpacked" --strip-components=1 -xzf "$scratch/first" &&
    cd "$scratch/build" && "$scratch/unpacked/configure" -q --disable-tests --disable-benchmarks >"$scratch/log" 2>&1 && tarball . second ||
    { tail -n 20 "$scratch/log"; return 1; }
)

# differs: prints what of the two tarballs is not the same.
differs() {
  cmp "$scratch/first" "$1" >/dev/null && return
  diff <(tar -tvzf "$scratch/first") <(tar -tvzf "$1") || echo "their contents, or how they are packed"
}

tap_ok "the tarball is made" tarball "$top_builddir" first
tap_ok "and made elsewhere" elsewhere
tap_ok "the two are the same" is_silent differs "$scratch/second"
tap_ok "with another date it is made" tarball "$scratch/build" third SOURCE_DATE_EPOCH=86400
tap_ok "and that is another" complains '^> .*1970-01-0[12] ' differs "$scratch/third"
tap_done
