#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What a release says of itself is one: the version wherever it stands, what a package is built with, and the exports of libwan_multicast.
. "$top_srcdir/tests/style/tap.sh"
packaging=coll_wan/packaging

# versions ROOT: "VERSION FILE" for each place where the version stands.
versions() {
  (cd "$1" || exit
  sed -n 's/^AC_INIT(\[coll_wan\], \[\(.*\)\])$/\1 configure.ac/p' configure.ac
  sed -n '1s/^coll_wan \([0-9.]*\) .*$/\1 NEWS/p' NEWS
  sed -n "1s/^coll-wan (\(.*\)-[^-]*) .*\$/\1 debian\/changelog/p" "$packaging/debian/changelog"
  sed -n 's/^Version: *\(.*\)$/\1 coll_wan.spec/p' "$packaging/coll_wan.spec"
  sed -n '/^%changelog/,$s/^\* .* - \(.*\)-[0-9]*$/\1 changelog of coll_wan.spec/p' "$packaging/coll_wan.spec" | head -n 1)
}

# check_versions ROOT: a line for each place whose version is not that of configure.ac, and one if a place has none.
check_versions() {
  local right
  right=$(versions "$1" | sed -n 's/ configure.ac$//p')
  versions "$1" | grep -vF "$right " | sed "s/\$/, and not $right/"
  [ "$(versions "$1" | wc -l)" = 5 ] || echo "a version is missing"
}

# What the package is built with, but for what makes packages, is what tests/install-packages installs.
needs() { sed -n '/^Build-Depends:/,/^[A-Z]/s/^ \([a-z0-9+-]*\).*$/\1/p' "$1" | grep -vE '^(debhelper-compat|pkgconf)$'; }
check_needs() {
  local package
  for package in $(needs "$1"); do
    grep -qE "(^| )$package( |\$)" "$top_srcdir/tests/install-packages" || echo "$package is not in tests/install-packages"
  done
}

# The functions of libwan_multicast by its header, and by Debian's list.
functions() { grep -oE '^WAN_PUBLIC int WAN_[A-Za-z_]+\(' "$top_srcdir/coll_wan/api/wan_multicast.h" | sed 's/^.* //; s/($//' | sort -u; }
listed() { sed -n 's/^ \(WAN_[A-Za-z_]*\)@Base .*$/\1/p' "$top_srcdir/$packaging/debian/libwan-multicast0.symbols" | sort; }

# The library's soname is the number in the names of its packages.
soname() { sed -n -E 's/^.*-version-info ([0-9]+):[0-9]+:([0-9]+).*$/\1 \2/p' "$top_srcdir/coll_wan/api/local.mk" | { read -r current age; echo $((current - age)); }; }
in_files() { grep -l "libwan[-_]multicast$(soname)\$" "$top_srcdir/$packaging"/{debian/control,coll_wan.spec} | wc -l; }

wrong=$(mktemp -d) || exit 99
trap 'rm -rf "$wrong"' EXIT
mkdir -p "$wrong/$packaging/debian"
for file in configure.ac NEWS "$packaging/debian/changelog" "$packaging/debian/control" "$packaging/coll_wan.spec"; do
  cp "$top_srcdir/$file" "$wrong/$file" || exit 99
done

tap_ok "there is one version" is_silent check_versions "$top_srcdir"
sed -i '1s/^coll_wan [0-9.]*/coll_wan 9.9.9/' "$wrong/NEWS"
tap_ok "another in NEWS is found" complains '^9\.9\.9 NEWS, and not' check_versions "$wrong"
: >"$wrong/$packaging/debian/changelog"
tap_ok "one that is missing is found" complains '^a version is missing$' check_versions "$wrong"
tap_ok "what packages are built with is known to tests/install-packages" is_silent check_needs "$top_srcdir/$packaging/debian/control"
sed -i 's/^ libpmix-dev,/ libnobody-dev,/' "$wrong/$packaging/debian/control"
tap_ok "another need is found" complains '^libnobody-dev is not in' check_needs "$wrong/$packaging/debian/control"
tap_ok "the list of libwan_multicast's functions is that of its header" cmp <(functions) <(listed)
tap_ok "it has some" complains '^WAN_Imulticast$' listed
tap_ok "its packages are called by its soname" test "$(in_files)" = 2
tap_done
