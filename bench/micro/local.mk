# SPDX-License-Identifier: BSD-3-Clause
# Micro-benchmarks: what coll_wan costs apart from its messages. wan-micro needs Google Benchmark.
if WITH_BENCHMARK
bench_programs += %D%/wan-micro
bench_micro_wan_micro_LDADD = libwancore.la $(BENCHMARK_LIBS)
bench_micro_wan_micro_SOURCES = \
  %D%/count_benchmarks.cc \
  %D%/execution_benchmarks.cc \
  %D%/groups.h \
  %D%/main.cc \
  %D%/plan_benchmarks.cc \
  %D%/topologies.cc \
  %D%/topologies.h \
  %D%/topology_benchmarks.cc
endif

bench_programs += %D%/wan-overhead
bench_micro_wan_overhead_CPPFLAGS = $(AM_CPPFLAGS) $(OMPI_CPPFLAGS)
bench_micro_wan_overhead_LDADD = $(OMPI_LIBS)
bench_micro_wan_overhead_SOURCES = %D%/wan_overhead.cc

EXTRA_DIST += %D%/README.md
