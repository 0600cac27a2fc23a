# SPDX-License-Identifier: BSD-3-Clause
# wanctl, the command for people, with its manual page and what bash completes. Its main program is alone in main.cc,
# so that tests link the rest.
noinst_LTLIBRARIES += libwantools.la
libwantools_la_SOURCES =
nodist_libwantools_la_SOURCES = %D%.cc
folder_sources += \
  %D%/call_options.cc \
  %D%/call_options.h \
  %D%/commands.cc \
  %D%/commands.h \
  %D%/completion.cc \
  %D%/completion.h \
  %D%/doctor_command.cc \
  %D%/draw_command.cc \
  %D%/forward_command.cc \
  %D%/helpers.cc \
  %D%/helpers.h \
  %D%/here_command.cc \
  %D%/json.h \
  %D%/manual.cc \
  %D%/manual.h \
  %D%/ms_text.h \
  %D%/output.h \
  %D%/plan_command.cc \
  %D%/plan_json.cc \
  %D%/plan_json.h \
  %D%/plan_report.cc \
  %D%/plan_report.h \
  %D%/probe_command.cc \
  %D%/ranks.cc \
  %D%/ranks.h \
  %D%/simulate_command.cc \
  %D%/site_sources.cc \
  %D%/site_sources.h \
  %D%/site_trees.cc \
  %D%/site_trees.h \
  %D%/svg.h \
  %D%/terminal.h \
  %D%/text_table.cc \
  %D%/text_table.h \
  %D%/time_axis.cc \
  %D%/time_axis.h \
  %D%/timeline.cc \
  %D%/timeline.h \
  %D%/topology_command.cc \
  %D%/topology_document.cc \
  %D%/topology_document.h \
  %D%/topology_findings.cc \
  %D%/topology_findings.h \
  %D%/topology_tables.cc \
  %D%/topology_tables.h \
  %D%/tree_picture.cc \
  %D%/tree_picture.h \
  %D%/usage_error.h \
  %D%/what_if.cc \
  %D%/what_if.h
libwantools_la_LIBADD = libwancore.la

bin_PROGRAMS += wanctl
wanctl_SOURCES = %D%/main.cc
wanctl_LDADD = libwantools.la libwancore.la

man1_MANS = wanctl.1
CLEANFILES += wanctl.1
wanctl.1: wanctl$(EXEEXT)
	$(AM_V_GEN)./wanctl$(EXEEXT) --manual >$@.part && mv $@.part $@

bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = %D%/completion/wanctl
