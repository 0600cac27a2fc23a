# SPDX-License-Identifier: BSD-3-Clause
# What the benchmarks share: libbenchcommon.la for the programs that compare and draw, libbenchmpi.la for those that run
# under MPI.
bench_libraries += %D%/libbenchcommon.la %D%/libbenchmpi.la
bench_common_libbenchcommon_la_CPPFLAGS = $(AM_CPPFLAGS) -DWAN_PRESETS='"$(abs_top_srcdir)/mca_params"'
bench_common_libbenchcommon_la_SOURCES = \
  %D%/command.cc \
  %D%/command.h \
  %D%/fields.cc \
  %D%/fields.h \
  %D%/gnuplot.cc \
  %D%/gnuplot.h \
  %D%/passes.cc \
  %D%/passes.h \
  %D%/peer_times.cc \
  %D%/peer_times.h \
  %D%/random.h
bench_common_libbenchcommon_la_LIBADD = libwancore.la

bench_common_libbenchmpi_la_CPPFLAGS = $(AM_CPPFLAGS) $(OMPI_CPPFLAGS)
bench_common_libbenchmpi_la_SOURCES = \
  %D%/contest.h \
  %D%/deliveries.h \
  %D%/mpi_program.h \
  %D%/release.cc \
  %D%/release.h \
  %D%/scheduling.cc \
  %D%/scheduling.h \
  %D%/world.cc \
  %D%/world.h
