# SPDX-License-Identifier: BSD-3-Clause
# What wrong beliefs of links cost, and links that change: table, and series with wan-learning-loop.
bench_programs += %D%/wan-learning-loop
bench_learning_wan_learning_loop_CPPFLAGS = $(AM_CPPFLAGS) $(OMPI_CPPFLAGS)
bench_learning_wan_learning_loop_SOURCES = %D%/loop.cc
bench_learning_wan_learning_loop_LDADD = $(OMPI_LIBS)

EXTRA_DIST += %D%/README.md %D%/believe.sh %D%/series %D%/series.svg %D%/table
