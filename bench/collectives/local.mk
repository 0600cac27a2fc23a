# SPDX-License-Identifier: BSD-3-Clause
# The benchmark of collectives: wan-bench measures (a plain MPI program), wan-bench-compare runs it for each peer and
# reports; libbench.la is what they and their tests share.
bench_libraries += %D%/libbench.la
bench_collectives_libbench_la_SOURCES =
nodist_bench_collectives_libbench_la_SOURCES = %D%.cc
folder_sources += \
  %D%/cell.cc \
  %D%/cell.h \
  %D%/cell_call.cc \
  %D%/cell_call.h \
  %D%/comparison.cc \
  %D%/comparison.h \
  %D%/error_plot.cc \
  %D%/error_plot.h \
  %D%/guidelines.cc \
  %D%/guidelines.h \
  %D%/plots.cc \
  %D%/plots.h \
  %D%/prediction.cc \
  %D%/prediction.h \
  %D%/settings.cc \
  %D%/settings.h \
  %D%/table.cc \
  %D%/table.h
bench_collectives_libbench_la_LIBADD = libwancore.la

bench_programs += %D%/wan-bench %D%/wan-bench-compare %D%/wan-model-error
bench_collectives_wan_bench_CPPFLAGS = $(AM_CPPFLAGS) $(OMPI_CPPFLAGS)
bench_collectives_wan_bench_LDADD = %D%/libbench.la bench/common/libbenchcommon.la bench/common/libbenchmpi.la $(OMPI_LIBS)
bench_collectives_wan_bench_SOURCES = \
  %D%/operation.cc \
  %D%/operation.h \
  %D%/persistent.h \
  %D%/wan_bench.cc

bench_collectives_wan_bench_compare_LDADD = %D%/libbench.la bench/common/libbenchcommon.la
bench_collectives_wan_bench_compare_SOURCES = %D%/compare.cc
bench_collectives_wan_model_error_CPPFLAGS = $(AM_CPPFLAGS) -DWAN_PRESETS='"$(abs_top_srcdir)/mca_params"'
bench_collectives_wan_model_error_LDADD = %D%/libbench.la bench/common/libbenchcommon.la
bench_collectives_wan_model_error_SOURCES = %D%/model_error.cc

EXTRA_DIST += %D%/README.md %D%/model-error.svg %D%/overview %D%/overview.svg %D%/pauses bench/demo

system_tests += %D%/compare_test.sh
EXTRA_DIST += %D%/compare_test.sh
