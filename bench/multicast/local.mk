# SPDX-License-Identifier: BSD-3-Clause
# Multicasts to random sets (papers/001, figures 4 and 5): wan-multicast times them, table runs it over emulated sites, simulate in SimGrid, figures draws.
bench_programs += %D%/wan-multicast
bench_multicast_wan_multicast_CPPFLAGS = $(AM_CPPFLAGS) $(OMPI_CPPFLAGS)
bench_multicast_wan_multicast_SOURCES = %D%/multicast.cc
bench_multicast_wan_multicast_LDADD = libwan_multicast.la bench/common/libbenchmpi.la bench/common/libbenchcommon.la libwancore.la $(OMPI_LIBS)

system_tests += %D%/multicast_test.sh
EXTRA_DIST += %D%/README.md %D%/figure-five.svg %D%/figure-four.svg %D%/figures %D%/multicast_test.sh %D%/one-site.toml %D%/simulate %D%/simulated.cc %D%/simulated.h %D%/table
