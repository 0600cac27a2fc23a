# SPDX-License-Identifier: BSD-3-Clause
# The benchmark of collectives: wan-bench measures (a plain MPI program), wan-bench-compare runs it for each peer and reports.
noinst_PROGRAMS += wan-bench

wan_bench_CPPFLAGS = $(AM_CPPFLAGS) $(OMPI_CPPFLAGS)
wan_bench_LDADD = libwancore.la $(OMPI_LIBS)
wan_bench_SOURCES = \
  %D%/cell.cc \
  %D%/cell.h \
  %D%/operation.cc \
  %D%/operation.h \
  %D%/persistent.h \
  %D%/release.cc \
  %D%/release.h \
  %D%/wan_bench.cc
