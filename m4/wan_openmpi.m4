# SPDX-License-Identifier: BSD-3-Clause
# Finds Open MPI through its compiler wrapper, checks what a C++ component needs of it, and where it looks for components.
# Sets and substitutes OMPI_VERSION, OMPI_MAJOR, OMPI_CPPFLAGS, OMPI_LIBS, OMPI_COMPONENT_LIBS, MPIRUN, OMPI_INFO;
# sets ompi_pkglibdir and ompi_pkgdatadir.

AC_DEFUN([WAN_OPENMPI],
  [AC_ARG_WITH([ompi],
     [AS_HELP_STRING([--with-ompi=PREFIX], [build for the Open MPI whose mpicc is PREFIX/bin/mpicc @<:@the mpicc in PATH@:>@])])
   AS_CASE([$with_ompi],
     [no], [AC_MSG_ERROR([coll_wan is a component of Open MPI and cannot be built without it])],
     [''|yes], [ompi_path=$PATH],
     [ompi_path=$with_ompi/bin])
   AC_PATH_PROG([MPICC], [mpicc], [], [$ompi_path])
   AS_IF([test -z "$MPICC"],
     [WAN_NEED([Open MPI with its headers (mpicc in $ompi_path)], [libopenmpi-dev])],
     [WAN_OPENMPI_INSPECT])])

AC_DEFUN([WAN_OPENMPI_TOO_NEW],
  [AC_MSG_ERROR([coll_wan is written for Open MPI 4.1, 5.0 and 6.0, not for $OMPI_VERSION; say --with-ompi=PREFIX for another])])

AC_DEFUN([WAN_OPENMPI_INSPECT],
  [AC_MSG_CHECKING([the version of Open MPI])
   OMPI_VERSION=`$MPICC --showme:version 2>/dev/null | sed -n 's/^.*Open MPI v*\(@<:@0-9@:>@@<:@0-9.@:>@*\).*$/\1/p'`
   AS_IF([test -z "$OMPI_VERSION"],
     [AC_MSG_RESULT([unknown])
      AC_MSG_ERROR([$MPICC is not Open MPI's compiler wrapper; say --with-ompi=PREFIX])])
   AC_MSG_RESULT([$OMPI_VERSION])
   AS_VERSION_COMPARE([$OMPI_VERSION], [4.1],
     [AC_MSG_ERROR([Open MPI $OMPI_VERSION is too old: coll_wan needs 4.1 or later; say --with-ompi=PREFIX for another])])
   AS_VERSION_COMPARE([$OMPI_VERSION], [7], [],
     [WAN_OPENMPI_TOO_NEW],
     [WAN_OPENMPI_TOO_NEW])
   OMPI_MAJOR=${OMPI_VERSION%%.*}

   # Open MPI's headers are system headers: their warnings are not ours to mend.
   OMPI_CPPFLAGS='-DOMPI_SKIP_MPICXX=1'
   for dir in `$MPICC --showme:incdirs`; do
     OMPI_CPPFLAGS="$OMPI_CPPFLAGS -isystem $dir"
   done
   OMPI_LIBS=
   for dir in `$MPICC --showme:libdirs`; do
     OMPI_LIBS="$OMPI_LIBS -L$dir"
   done
   OMPI_COMPONENT_LIBS=$OMPI_LIBS
   for lib in `$MPICC --showme:libs`; do
     OMPI_LIBS="$OMPI_LIBS -l$lib"
     # From 6.0 on libmpi is one of two interfaces to libopen_mpi, and a program may have the other, libmpi_abi.
     test "$OMPI_MAJOR.$lib" = 6.mpi || OMPI_COMPONENT_LIBS="$OMPI_COMPONENT_LIBS -l$lib"
   done
   OMPI_COMPONENT_LIBS="$OMPI_COMPONENT_LIBS -lopen-pal"

   wan_bin=`AS_DIRNAME([$MPICC])`
   AC_PATH_PROG([MPIRUN], [mpirun], [], [$wan_bin$PATH_SEPARATOR$PATH])
   AC_PATH_PROG([OMPI_INFO], [ompi_info], [], [$wan_bin$PATH_SEPARATOR$PATH])
   AS_IF([test -z "$MPIRUN" || test -z "$OMPI_INFO"],
     [WAN_NEED([Open MPI's mpirun or ompi_info], [openmpi-bin])],
     [WAN_OPENMPI_DIRECTORIES
      WAN_OPENMPI_SOURCE])

   wan_saved_CPPFLAGS=$CPPFLAGS
   CPPFLAGS="$CPPFLAGS $OMPI_CPPFLAGS"
   AC_CHECK_HEADER([ompi_config.h], [],
     [WAN_NEED([the part of Open MPI that components are written against (header ompi_config.h; --with-ompi-source=DIR takes it from a source tree of Open MPI $OMPI_VERSION)], [libopenmpi-dev])],
     [AC_INCLUDES_DEFAULT])
   WAN_NEED_LINK([the libraries of Open MPI], [$OMPI_LIBS $OMPI_COMPONENT_LIBS],
     [[#include <mpi.h>
       extern "C" int opal_progress_unregister(int (*)(void));]],
     [[opal_progress_unregister(nullptr); return MPI_Finalize();]], [libopenmpi-dev])
   CPPFLAGS=$wan_saved_CPPFLAGS
   AC_SUBST([OMPI_VERSION])
   AC_SUBST([OMPI_MAJOR])
   AC_SUBST([OMPI_CPPFLAGS])
   AC_SUBST([OMPI_LIBS])
   AC_SUBST([OMPI_COMPONENT_LIBS])])

AC_DEFUN([WAN_OPENMPI_DIRECTORIES],
  [AC_MSG_CHECKING([where Open MPI looks for components])
   ompi_pkglibdir=`$OMPI_INFO --path pkglibdir --parsable | sed -n 's/^path:pkglibdir://p'`
   ompi_libdir=`$OMPI_INFO --path libdir --parsable | sed -n 's/^path:libdir://p'`
   ompi_pkgdatadir=`$OMPI_INFO --path pkgdatadir --parsable | sed -n 's/^path:pkgdatadir://p'`
   AS_IF([test -z "$ompi_pkglibdir" || test -z "$ompi_pkgdatadir"],
     [AC_MSG_ERROR([$OMPI_INFO does not say where components and help texts belong; say --with-component-dir=DIR])])
   AC_MSG_RESULT([$ompi_pkglibdir])
   # A PMIx that came with Open MPI is not the system's.
   PKG_CONFIG_PATH=$ompi_libdir/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
   export PKG_CONFIG_PATH])

# Where `make install` puts the component and its help texts. Call after WAN_OPENMPI.
AC_DEFUN([WAN_INSTALL_DIRECTORIES],
  [AC_ARG_WITH([component-dir],
     [AS_HELP_STRING([--with-component-dir=DIR],
        [install mca_coll_wan.so into DIR @<:@LIBDIR/openmpi when --prefix is given, else the directory that this Open MPI searches@:>@])])
   AC_ARG_WITH([help-dir],
     [AS_HELP_STRING([--with-help-dir=DIR],
        [install the help texts into DIR @<:@DATADIR/openmpi when --prefix is given, else where Open MPI has its own@:>@])])
   AS_IF([test "$prefix" = NONE],
     [componentdir=$ompi_pkglibdir
      helpdir=$ompi_pkgdatadir],
     [componentdir='${libdir}/openmpi'
      helpdir='${datadir}/openmpi'])
   AS_CASE([$with_component_dir], [''|yes|no], [], [componentdir=$with_component_dir])
   AS_CASE([$with_help_dir], [''|yes|no], [], [helpdir=$with_help_dir])
   AC_SUBST([componentdir])
   AC_SUBST([helpdir])])
