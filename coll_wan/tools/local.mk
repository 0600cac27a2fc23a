# SPDX-License-Identifier: BSD-3-Clause
# Command-line programs over the core.
bin_PROGRAMS += wan-plan
wan_plan_SOURCES = \
  %D%/plan_report.cc \
  %D%/plan_report.h \
  %D%/ranks.cc \
  %D%/ranks.h \
  %D%/time_axis.cc \
  %D%/time_axis.h \
  %D%/timeline.cc \
  %D%/timeline.h \
  %D%/usage_error.h \
  %D%/wan_plan.cc
wan_plan_LDADD = libwancore.la
