# SPDX-License-Identifier: BSD-3-Clause
# Packages. `make deb` makes Debian's source and binary packages in the folder deb/ of the build folder, `make rpm` the RPM packages in rpm/:
# both from the tarball that `make dist` makes, and with its own copy of this folder. DEB_OPTIONS goes to dpkg-buildpackage, RPM_OPTIONS to rpmbuild.
debian_files = \
  %D%/debian/changelog \
  %D%/debian/control \
  %D%/debian/copyright \
  %D%/debian/libwan-multicast-dev.docs \
  %D%/debian/libwan-multicast-dev.install \
  %D%/debian/libwan-multicast0.install \
  %D%/debian/libwan-multicast0.symbols \
  %D%/debian/not-installed \
  %D%/debian/openmpi-coll-wan.docs \
  %D%/debian/openmpi-coll-wan.install \
  %D%/debian/openmpi-coll-wan.manpages \
  %D%/debian/rules \
  %D%/debian/source/format \
  %D%/debian/tests/component \
  %D%/debian/tests/control \
  %D%/debian/tests/multicast \
  %D%/debian/tests/wanctl
EXTRA_DIST += $(debian_files) %D%/coll_wan.spec

# Packages are built as from a shell, and have the date of their own changelog.
no_make = env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u SOURCE_DATE_EPOCH

.PHONY: deb rpm
deb: dist
	rm -rf deb
	mkdir deb
	mv $(distdir).tar.gz deb/coll-wan_$(PACKAGE_VERSION).orig.tar.gz
	cd deb && tar -xzf coll-wan_$(PACKAGE_VERSION).orig.tar.gz && cp -R $(distdir)/%D%/debian $(distdir)
	cd deb/$(distdir) && $(no_make) dpkg-buildpackage --no-sign $(DEB_OPTIONS)
rpm: dist
	rm -rf rpm
	$(no_make) rpmbuild -ta --define "_topdir $(abs_builddir)/rpm" $(RPM_OPTIONS) $(distdir).tar.gz
clean-local:
	rm -rf deb rpm
