# SPDX-License-Identifier: BSD-3-Clause
# MagPIe's figures (bench/README.md): wan-magpie measures and draws them.
bench_libraries += %D%/libmagpie.la
bench_magpie_libmagpie_la_SOURCES = %D%/figure.cc %D%/figure.h %D%/figure_plot.cc

bench_programs += %D%/wan-magpie
bench_magpie_wan_magpie_SOURCES = %D%/magpie.cc
bench_magpie_wan_magpie_LDADD = \
  %D%/libmagpie.la \
  bench/collectives/libbench.la \
  bench/apps/libbenchapps.la \
  bench/common/libbenchcommon.la

EXTRA_DIST += bench/README.md %D%/figure-3.svg %D%/figure-4.svg %D%/figure-5.svg %D%/figure-6.svg %D%/figure-7.svg %D%/figure-8.svg
