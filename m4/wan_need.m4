# SPDX-License-Identifier: BSD-3-Clause
# What configure needs and does not find: one sentence for each, all of them at once.

# WAN_NEED(WHAT, DEBIAN-PACKAGE): notes that WHAT is missing and which package brings it.
AC_DEFUN([WAN_NEED],
  [wan_missing="$wan_missing
  $1 is missing; Debian's package $2 brings it."
   wan_missing_packages="$wan_missing_packages $2"])

# WAN_NEED_HEADER(HEADER, WHAT, DEBIAN-PACKAGE): HEADER compiles, as C++, or WHAT is missing.
AC_DEFUN([WAN_NEED_HEADER], [AC_CHECK_HEADER([$1], [], [WAN_NEED([$2 (header $1)], [$3])])])

# WAN_NEED_LINK(WHAT, LIBS, PROLOGUE, BODY, DEBIAN-PACKAGE, [HINT]): a program links with LIBS, or WHAT is missing.
AC_DEFUN([WAN_NEED_LINK],
  [AC_MSG_CHECKING([for $1])
   wan_saved_LIBS=$LIBS
   LIBS="$2 $LIBS"
   AC_LINK_IFELSE([AC_LANG_PROGRAM([$3], [$4])],
     [AC_MSG_RESULT([yes])],
     [AC_MSG_RESULT([no])
      WAN_NEED([$1], [$5])])
   LIBS=$wan_saved_LIBS])

# WAN_REPORT_MISSING: stops when anything is missing.
AC_DEFUN([WAN_REPORT_MISSING],
  [AS_IF([test -n "$wan_missing"],
     [AC_MSG_ERROR([$wan_missing
All at once on Debian: apt-get install$wan_missing_packages])])])
