# SPDX-License-Identifier: BSD-3-Clause
# Task graphs over libwan_multicast (papers/001): wan-taskgraph factorizes matrices, table runs it over emulated sites, timeline draws what
# happened. libtaskgraph.la is what needs no MPI. All of it needs OpenBLAS.
if WITH_OPENBLAS
bench_libraries += %D%/libtaskgraph.la
bench_taskgraph_libtaskgraph_la_SOURCES = \
  %D%/cholesky.cc \
  %D%/lapack.h \
  %D%/qr.cc \
  %D%/runtime.cc \
  %D%/runtime.h \
  %D%/task.h \
  %D%/tiles.cc \
  %D%/tiles.h \
  %D%/transport.h

bench_programs += %D%/wan-taskgraph
bench_taskgraph_wan_taskgraph_CPPFLAGS = $(AM_CPPFLAGS) $(OMPI_CPPFLAGS)
bench_taskgraph_wan_taskgraph_SOURCES = %D%/mpi_transports.cc %D%/mpi_transports.h %D%/taskgraph.cc
bench_taskgraph_wan_taskgraph_LDADD = %D%/libtaskgraph.la libwan_multicast.la bench/common/libbenchmpi.la \
  bench/common/libbenchcommon.la libwancore.la $(OPENBLAS_LIBS) $(OMPI_LIBS) -lpthread

system_tests += %D%/taskgraph_test.sh
endif
EXTRA_DIST += %D%/README.md %D%/spoil.c %D%/table %D%/taskgraph_test.sh %D%/timeline %D%/timeline.svg
