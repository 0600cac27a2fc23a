# SPDX-License-Identifier: BSD-3-Clause
# Applications whose time goes to collectives: plain MPI programs that check their results, and wan-apps-compare, which runs
# them for each peer and reports. libbenchapps.la is what needs no MPI; libapp.la the programs' harness.
bench_libraries += %D%/libbenchapps.la %D%/libapp.la
bench_apps_libbenchapps_la_SOURCES = \
  %D%/app_comparison.cc \
  %D%/app_comparison.h \
  %D%/app_passes.cc \
  %D%/app_passes.h \
  %D%/householder.cc \
  %D%/householder.h \
  %D%/network.cc \
  %D%/network.h \
  %D%/result.cc \
  %D%/result.h \
  %D%/runs.cc \
  %D%/runs.h

bench_apps_libapp_la_CPPFLAGS = $(AM_CPPFLAGS) $(OMPI_CPPFLAGS)
bench_apps_libapp_la_SOURCES = \
  %D%/harness.cc \
  %D%/harness.h \
  %D%/profile.cc \
  %D%/profile.h \
  %D%/sums.cc \
  %D%/sums.h

app_cppflags = $(AM_CPPFLAGS) $(OMPI_CPPFLAGS)
app_ldadd = %D%/libapp.la %D%/libbenchapps.la bench/common/libbenchmpi.la bench/common/libbenchcommon.la

bench_programs += %D%/asp %D%/cg %D%/training %D%/wan-apps-compare
bench_apps_asp_CPPFLAGS = $(app_cppflags)
bench_apps_asp_SOURCES = %D%/asp.cc
bench_apps_asp_LDADD = $(app_ldadd) $(OMPI_LIBS)
bench_apps_cg_CPPFLAGS = $(app_cppflags)
bench_apps_cg_SOURCES = %D%/cg.cc
bench_apps_cg_LDADD = $(app_ldadd) $(OMPI_LIBS)
bench_apps_training_CPPFLAGS = $(app_cppflags)
bench_apps_training_SOURCES = %D%/training.cc
bench_apps_training_LDADD = $(app_ldadd) $(OMPI_LIBS)

if WITH_SCALAPACK
bench_programs += %D%/qr
bench_apps_qr_CPPFLAGS = $(app_cppflags)
bench_apps_qr_SOURCES = %D%/qr.cc %D%/scalapack.h
bench_apps_qr_LDADD = $(app_ldadd) $(SCALAPACK_LIBS) $(OMPI_LIBS)
endif

bench_apps_wan_apps_compare_SOURCES = %D%/compare.cc
bench_apps_wan_apps_compare_LDADD = %D%/libbenchapps.la bench/common/libbenchcommon.la

system_tests += %D%/apps_test.sh
EXTRA_DIST += %D%/README.md %D%/apps_test.sh %D%/spoil.c
