# SPDX-License-Identifier: BSD-3-Clause
# wanctl, the command for people. Its main program is alone in main.cc, so that tests link the rest.
noinst_LTLIBRARIES += libwantools.la
libwantools_la_SOURCES = \
  %D%/call_options.cc \
  %D%/call_options.h \
  %D%/commands.cc \
  %D%/commands.h \
  %D%/doctor_command.cc \
  %D%/forward_command.cc \
  %D%/plan_command.cc \
  %D%/plan_report.cc \
  %D%/plan_report.h \
  %D%/ranks.cc \
  %D%/ranks.h \
  %D%/time_axis.cc \
  %D%/time_axis.h \
  %D%/timeline.cc \
  %D%/timeline.h \
  %D%/topology_command.cc \
  %D%/usage_error.h
libwantools_la_LIBADD = libwancore.la

bin_PROGRAMS += wanctl
wanctl_SOURCES = %D%/main.cc
wanctl_LDADD = libwantools.la libwandoctor.la libwancore.la -lpthread
