# SPDX-License-Identifier: BSD-3-Clause
# Neighbourhood collectives: wan-neighbors times them, table compares how their messages go.
bench_programs += %D%/wan-neighbors
bench_neighbors_wan_neighbors_CPPFLAGS = $(AM_CPPFLAGS) $(OMPI_CPPFLAGS)
bench_neighbors_wan_neighbors_SOURCES = %D%/neighbors.cc
bench_neighbors_wan_neighbors_LDADD = bench/common/libbenchmpi.la bench/common/libbenchcommon.la $(OMPI_LIBS)

system_tests += %D%/neighbors_test.sh
EXTRA_DIST += %D%/README.md %D%/neighbors_test.sh %D%/slow-4x4.toml %D%/table
