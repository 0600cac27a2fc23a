# SPDX-License-Identifier: BSD-3-Clause
# Collectives of derived datatypes: wan-datatypes times them, table compares.
bench_programs += %D%/wan-datatypes
bench_datatypes_wan_datatypes_CPPFLAGS = $(AM_CPPFLAGS) $(OMPI_CPPFLAGS)
bench_datatypes_wan_datatypes_SOURCES = %D%/datatypes.cc
bench_datatypes_wan_datatypes_LDADD = $(OMPI_LIBS)

system_tests += %D%/datatypes_test.sh
EXTRA_DIST += %D%/README.md %D%/datatypes_test.sh %D%/table
