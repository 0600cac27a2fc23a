# SPDX-License-Identifier: BSD-3-Clause
# wan-calibrate measures what topo/machine.h must know.
bench_programs += %D%/wan-calibrate
bench_calibrate_wan_calibrate_CPPFLAGS = $(AM_CPPFLAGS) $(OMPI_CPPFLAGS)
bench_calibrate_wan_calibrate_LDADD = bench/common/libbenchcommon.la bench/common/libbenchmpi.la $(OMPI_LIBS)
bench_calibrate_wan_calibrate_SOURCES = \
  coll_wan/process/flow_window.cc \
  coll_wan/process/flow_window.h \
  %D%/calibrate.cc \
  %D%/line.cc \
  %D%/line.h \
  %D%/probe.cc \
  %D%/probe.h
