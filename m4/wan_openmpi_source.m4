# SPDX-License-Identifier: BSD-3-Clause
# An installation of Open MPI may lack the headers that components are written against. They are in its source tree, but for those that
# its configure makes, such as opal_config.h: it is run once more, in ./openmpi-headers, with the options that the installation was
# configured with (ompi_info tells them).

# WAN_OPENMPI_SOURCE: takes the headers from the tree that --with-ompi-source names, if it does. Adds to OMPI_CPPFLAGS.
# Needs OMPI_INFO and OMPI_CPPFLAGS.
AC_DEFUN([WAN_OPENMPI_SOURCE],
  [AC_ARG_WITH([ompi-source],
     [AS_HELP_STRING([--with-ompi-source=DIR],
        [take the headers for components from the source tree DIR of the same Open MPI @<:@they are installed@:>@])])
   AS_CASE([$with_ompi_source],
     [''|no], [],
     [WAN_OPENMPI_SOURCE_CHECK
      WAN_OPENMPI_SOURCE_CONFIGURE
      WAN_OPENMPI_SOURCE_COMPARE
      WAN_OPENMPI_SOURCE_FLAGS])])

# Is it a source tree, of this version, and has nobody configured it in place?
AC_DEFUN([WAN_OPENMPI_SOURCE_CHECK],
  [AC_MSG_CHECKING([the version of the source tree])
   wan_source=`cd "$with_ompi_source" 2>/dev/null && pwd`
   AS_IF([test -z "$wan_source" || test ! -f "$wan_source/VERSION" || test ! -f "$wan_source/ompi/mca/coll/coll.h"],
     [AC_MSG_RESULT([unknown])
      AC_MSG_ERROR([$with_ompi_source is not a source tree of Open MPI: it has no VERSION or no ompi/mca/coll/coll.h])])
   wan_source_version=`sed -n 's/^major=\(@<:@0-9@:>@*\)$/\1/p;s/^minor=\(@<:@0-9@:>@*\)$/.\1/p;s/^release=\(@<:@0-9@:>@*\)$/.\1/p;s/^greek=\(@<:@a-z0-9@:>@*\)$/\1/p' "$wan_source/VERSION" | tr -d '\n'`
   wan_installed_version=`$OMPI_INFO --parsable | sed -n 's/^ompi:version:full://p'`
   AC_MSG_RESULT([$wan_source_version])
   AS_IF([test "$wan_source_version" != "$wan_installed_version"],
     [AC_MSG_ERROR([$wan_source is Open MPI $wan_source_version, but Open MPI $wan_installed_version is installed; say --with-ompi-source=DIR for a source tree of that version])])
   AS_IF([test ! -x "$wan_source/configure"],
     [AC_MSG_ERROR([$wan_source has no configure; run ./autogen.pl in it first, or take a release])])
   AS_IF([test -e "$wan_source/config.status"],
     [AC_MSG_ERROR([$wan_source is configured in place already, which keeps others from using it; run make distclean in it])])])

# What other software it could use, and languages, change no header that a component of coll sees; the options need what may not be here.
AC_DEFUN([WAN_OPENMPI_SOURCE_CONFIGURE],
  [# The tree's configure may be older than an option that says nothing of headers.
   wan_options=`$OMPI_INFO --config --parsable | sed -n "s/ '--runstatedir=@<:@^'@:>@*'//;s/^config:cli: *//p"`
   wan_compiler=`$OMPI_INFO --config --parsable | sed -n 's/^compiler:c:command://p'`
   wan_left_out="--disable-mpi-fortran --disable-mpi-java --disable-oshmem --disable-io-romio --disable-sphinx \
     --without-ucx --without-ofi --without-libfabric --without-verbs --without-psm --without-psm2 --without-portals4 --without-mxm \
     --without-hcoll --without-ucc --without-knem --without-xpmem --without-ugni --without-usnic --without-cray-xpmem --without-lustre \
     --without-slurm --without-tm --without-lsf --without-alps --without-prrte"
   AC_MSG_CHECKING([how it was configured])
   AC_MSG_RESULT([$wan_options])
   wan_headers=`pwd`/openmpi-headers
   AS_IF([test "`cat openmpi-headers/configured 2>/dev/null`" = "$wan_source $wan_options"],
     [AC_MSG_NOTICE([openmpi-headers is configured so already])],
     [AC_MSG_NOTICE([configuring $wan_source in openmpi-headers; this takes minutes])
      rm -rf openmpi-headers
      AS_MKDIR_P([openmpi-headers])
      AS_IF([(cd openmpi-headers &&
          eval "set dummy $wan_options $wan_left_out" && shift &&
          env -u CFLAGS -u CPPFLAGS -u CXXFLAGS -u LDFLAGS -u LIBS -u CC -u CXX CC="$wan_compiler" "$wan_source/configure" "$[]@" >log 2>&1)],
        [echo "$wan_source $wan_options" >openmpi-headers/configured],
        [tail -n 20 openmpi-headers/log >&2
         AC_MSG_ERROR([Open MPI's configure failed with the options of the installation: see openmpi-headers/log; what these options need must be here too])])])])

# The library and the headers must be of one kind.
AC_DEFUN([WAN_OPENMPI_SOURCE_COMPARE],
  [AC_MSG_CHECKING([whether what follows from that is what is installed])
   wan_differs=
   for wan_pair in option:debug=OPAL_ENABLE_DEBUG option:mem-debug=OPAL_ENABLE_MEM_DEBUG \
       options:heterogeneous=OPAL_ENABLE_HETEROGENEOUS_SUPPORT options:mpi-max-object-name=OPAL_MAX_OBJECT_NAME; do
     wan_installed=`$OMPI_INFO --config --parsable | sed -n "s/^${wan_pair%=*}:yes\$/1/p;s/^${wan_pair%=*}:no\$/0/p;s/^${wan_pair%=*}:\(@<:@0-9@:>@*\)\$/\1/p"`
     wan_made=`sed -n "s/^#define ${wan_pair#*=} \(@<:@0-9@:>@*\)\$/\1/p" openmpi-headers/opal/include/opal_config.h`
     test "$wan_installed" = "$wan_made" || wan_differs="$wan_differs ${wan_pair#*:}"
   done
   AS_IF([test -n "$wan_differs"],
     [AC_MSG_RESULT([no])
      AC_MSG_ERROR([the headers that Open MPI's configure made here do not belong to the installation; different:$wan_differs])])
   AC_MSG_RESULT([yes])])

# The folders that Open MPI's own files are compiled with.
AC_DEFUN([WAN_OPENMPI_SOURCE_FLAGS],
  [for dir in opal/include ompi/include orte/include `sed -n 's/^CPPFLAGS = //p' openmpi-headers/ompi/Makefile`; do
     AS_CASE([$dir],
       [-I/usr/*|-iquote/usr/*], [],
       [opal/*|ompi/*|orte/*], [OMPI_CPPFLAGS="$OMPI_CPPFLAGS -isystem $wan_headers/$dir"],
       [-I*|-iquote*],
       [dir=`AS_ECHO(["$dir"]) | sed 's/^-I//;s/^-iquote//'";s,\\$(top_srcdir),$wan_source,;s,\\$(top_builddir),$wan_headers,"`
        OMPI_CPPFLAGS="$OMPI_CPPFLAGS -isystem $dir"])
   done])
