# SPDX-License-Identifier: BSD-3-Clause
if WITH_TESTS
# Tests of what in bench/ needs no MPI: one GoogleTest program, its files beside what they test.
check_PROGRAMS += %D%/unit_tests
fast_tests += %D%/unit_tests
bench_unit_tests_SOURCES = \
  %D%/calibrate/line.cc \
  %D%/calibrate/line.h \
  %D%/papers/cluster_bound.cc \
  %D%/papers/cluster_bound.h \
  %D%/apps/apps_test.cc \
  %D%/collectives/cell_test.cc \
  %D%/collectives/cell_call_test.cc \
  %D%/papers/cluster_bound_test.cc \
  %D%/collectives/comparison_test.cc \
  %D%/collectives/guidelines_test.cc \
  %D%/calibrate/line_test.cc \
  %D%/magpie/figure_test.cc \
  %D%/ordering/phases_test.cc \
  %D%/collectives/prediction_test.cc \
  tests/support/optimal_broadcast.cc \
  tests/support/optimal_broadcast.h
bench_unit_tests_LDADD = \
  bench/magpie/libmagpie.la \
  bench/ordering/libordering.la \
  bench/collectives/libbench.la \
  bench/apps/libbenchapps.la \
  bench/common/libbenchcommon.la \
  $(LDADD)
if WITH_OPENBLAS
bench_unit_tests_SOURCES += \
  %D%/taskgraph/graphs_test.cc \
  %D%/taskgraph/runtime_test.cc
bench_unit_tests_LDADD += bench/taskgraph/libtaskgraph.la $(OPENBLAS_LIBS)
endif
endif
