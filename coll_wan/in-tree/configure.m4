# -*- shell-script -*-
# SPDX-License-Identifier: BSD-3-Clause
# Open MPI's configure: builds coll/wan where the C++ compiler knows C++20 and the C compiler can link its objects.
# --without-wan leaves it out; --with-wan stops where it cannot be built.

# MCA_ompi_coll_wan_CONFIG([ACTION-IF-IT-CAN-BE-BUILT], [ACTION-IF-NOT])
AC_DEFUN([MCA_ompi_coll_wan_CONFIG],[
    AC_CONFIG_FILES([ompi/mca/coll/wan/Makefile])
    OPAL_VAR_SCOPE_PUSH([coll_wan_answer coll_wan_saved_CXXFLAGS coll_wan_saved_CPPFLAGS coll_wan_saved_LDFLAGS coll_wan_lib])

    AC_ARG_WITH([wan],
        [AS_HELP_STRING([--with-wan],
            [build coll/wan, collectives over several sites, and stop if that cannot be (default: build it if the C++ compiler knows C++20)])])

    coll_wan_LIBS=
    coll_wan_EXPORTS=
    coll_wan_CXXFLAGS="-std=c++20 -fvisibility=hidden -fvisibility-inlines-hidden"
    AS_CASE([$host_cpu], [x86_64], [coll_wan_CXXFLAGS="$coll_wan_CXXFLAGS -mcx16"])
    # The C compiler's flags say how Open MPI is optimized.
    AS_CASE([" $CXXFLAGS"], [*" -O"*], [], [coll_wan_CXXFLAGS="$coll_wan_CXXFLAGS -O2"])

    # --enable-mca-no-build has set DISABLE_coll or DISABLE_coll_wan, and Open MPI leaves the component out whatever is said here.
    AS_IF([test "$with_wan" = "no"], [coll_wan_answer="no (not wanted)"],
          [test "$DISABLE_coll" = "1" || test "$DISABLE_coll_wan" = "1"], [coll_wan_answer="no (left out by --enable-mca-no-build)"],
          [test "x$CXX" = "x" || test "$CXX" = "no"], [coll_wan_answer="no (there is no C++ compiler)"],
          [MCA_COLL_WAN_TRY_COMPILER])

    OPAL_SUMMARY_ADD([[Miscellaneous]], [[Collectives over several sites]], [], [$coll_wan_answer])
    AS_IF([test "$coll_wan_answer" = "yes"],
          [$1],
          [AS_IF([test -n "$with_wan" && test "$with_wan" != "no"],
                 [AC_MSG_ERROR([coll/wan was asked for and cannot be built: $coll_wan_answer])])
           $2])
    OPAL_VAR_SCOPE_POP

    AC_SUBST([coll_wan_CXXFLAGS])
    AC_SUBST([coll_wan_LIBS])
    AC_SUBST([coll_wan_EXPORTS])
])

# Sets coll_wan_answer, and coll_wan_LIBS to what the C compiler needs to link C++ objects.
AC_DEFUN([MCA_COLL_WAN_TRY_COMPILER],[
    coll_wan_saved_CXXFLAGS=$CXXFLAGS
    coll_wan_saved_CPPFLAGS=$CPPFLAGS
    CXXFLAGS="$CXXFLAGS $coll_wan_CXXFLAGS"
    CPPFLAGS="$CPPFLAGS -I$srcdir/ompi/mca/coll/wan/third-party"
    AC_LANG_PUSH([C++])
    AC_MSG_CHECKING([if $CXX knows C++20])
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[
#include <compare>
#include <concepts>
#include <source_location>
#include <span>
struct Pair { int a = 0; int b = 0; auto operator<=>(const Pair&) const = default; };
template <std::integral T> T twice(T x) { return 2 * x; }
#define TOML_HEADER_ONLY 1
#define FMT_HEADER_ONLY 1
#include <fmt/format.h>
#include <tl/expected.hpp>
#include <toml++/toml.h>]],
        [[Pair p{.a = 1, .b = 2}; std::span<const int> s(&p.a, 1); return twice(s[0]) + (int)std::source_location::current().line();]])],
        [AC_MSG_RESULT([yes])
         coll_wan_answer=yes],
        [AC_MSG_RESULT([no])
         coll_wan_answer="no ($CXX does not know C++20)"])
    AC_LANG_POP([C++])
    CPPFLAGS=$coll_wan_saved_CPPFLAGS
    AS_IF([test "$coll_wan_answer" = yes], [MCA_COLL_WAN_TRY_LINKING])
    AS_IF([test "$coll_wan_answer" = yes], [MCA_COLL_WAN_TRY_EXPORTS])
    CXXFLAGS=$coll_wan_saved_CXXFLAGS
])

# libmpi is linked by the C compiler, which does not add what C++ objects need.
AC_DEFUN([MCA_COLL_WAN_TRY_LINKING],[
    AC_MSG_CHECKING([what $CC needs to link C++])
    cat >conftest_wan.cc <<'WAN_EOF'
#include <stdexcept>
#include <string>
int main(int argc, char**) { try { throw std::runtime_error(std::to_string(argc)); } catch (std::exception&) { return 0; } }
WAN_EOF
    coll_wan_answer="no ($CC cannot link what $CXX compiles)"
    for coll_wan_lib in "-lstdc++" "-lc++"; do
        AS_IF([$CXX $CXXFLAGS $CPPFLAGS -c conftest_wan.cc -o conftest_wan.o >&AS_MESSAGE_LOG_FD 2>&1 &&
               $CC $CFLAGS $LDFLAGS conftest_wan.o -o conftest_wan $LIBS $coll_wan_lib >&AS_MESSAGE_LOG_FD 2>&1],
              [coll_wan_LIBS=$coll_wan_lib
               coll_wan_answer=yes
               break])
    done
    rm -f conftest_wan.cc conftest_wan.o conftest_wan
    AC_MSG_RESULT([${coll_wan_LIBS:-unknown}])
])

# Sets coll_wan_EXPORTS to what keeps the component's other symbols inside it. Instances of templates of the C++ library are visible whatever
# the compiler is told, and only a version script hides those. What libtool does instead where the linker has none is nearly as good.
AC_DEFUN([MCA_COLL_WAN_TRY_EXPORTS],[
    AC_MSG_CHECKING([if the linker takes coll/wan's version script])
    coll_wan_saved_LDFLAGS=$LDFLAGS
    LDFLAGS="$LDFLAGS -shared -fPIC -Wl,--version-script=$srcdir/ompi/mca/coll/wan/coll_wan/mca/exports.map"
    AC_LINK_IFELSE([AC_LANG_SOURCE([[int mca_coll_wan_component = 1;]])],
        [AC_MSG_RESULT([yes])
         coll_wan_EXPORTS='-Wl,--version-script=$(srcdir)/coll_wan/mca/exports.map'],
        [AC_MSG_RESULT([no])
         coll_wan_EXPORTS='-export-symbols-regex ^mca_coll_wan_component'])
    LDFLAGS=$coll_wan_saved_LDFLAGS
])
