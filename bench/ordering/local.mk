# SPDX-License-Identifier: BSD-3-Clause
# Message ordering (papers/003): message-ordering has the unit model, without MPI; spmv the multiplies. Both need METIS.
EXTRA_DIST += %D%/README.md %D%/table %D%/one-site-24.toml %D%/three-sites-8.toml
bench_libraries += %D%/libordering.la
bench_ordering_libordering_la_SOURCES = \
  %D%/pattern.cc \
  %D%/pattern.h \
  %D%/phases.cc \
  %D%/phases.h

if WITH_METIS
bench_programs += %D%/message-ordering %D%/spmv
bench_ordering_message_ordering_SOURCES = %D%/message_ordering.cc %D%/partition.cc
bench_ordering_message_ordering_LDADD = %D%/libordering.la $(METIS_LIBS)
bench_ordering_spmv_CPPFLAGS = $(AM_CPPFLAGS) $(OMPI_CPPFLAGS)
bench_ordering_spmv_SOURCES = %D%/partition.cc %D%/spmv.cc
bench_ordering_spmv_LDADD = %D%/libordering.la bench/common/libbenchmpi.la bench/common/libbenchcommon.la $(METIS_LIBS) $(OMPI_LIBS)

system_tests += %D%/ordering_test.sh
endif
EXTRA_DIST += %D%/ordering_test.sh
