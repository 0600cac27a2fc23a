# SPDX-License-Identifier: BSD-3-Clause
# The emulated wide area: liblab.la, linked by wan-lab and by its tests.
bench_libraries += bench/lab/liblab.la
bench_lab_liblab_la_CPPFLAGS = $(AM_CPPFLAGS) -DWAN_OMPI_MAJOR=$(OMPI_MAJOR)
bench_lab_liblab_la_SOURCES =
nodist_bench_lab_liblab_la_SOURCES = %D%.cc
folder_sources += \
  %D%/control.cc \
  %D%/control.h \
  %D%/counter_file.cc \
  %D%/counter_file.h \
  %D%/counters.h \
  %D%/departures.cc \
  %D%/departures.h \
  %D%/emulator.cc \
  %D%/emulator.h \
  %D%/fabric.cc \
  %D%/fabric.h \
  %D%/frame.cc \
  %D%/frame.h \
  %D%/job.cc \
  %D%/job.h \
  %D%/job_environment.cc \
  %D%/job_environment.h \
  %D%/lab.cc \
  %D%/lab.h \
  %D%/lab_directory.cc \
  %D%/lab_directory.h \
  %D%/link_command.cc \
  %D%/link_command.h \
  %D%/namespaces.cc \
  %D%/namespaces.h \
  %D%/other_traffic.cc \
  %D%/other_traffic.h \
  %D%/packet.cc \
  %D%/packet.h \
  %D%/plan.cc \
  %D%/plan.h \
  %D%/processors.cc \
  %D%/processors.h \
  %D%/profiles.cc \
  %D%/profiles.h \
  %D%/report.cc \
  %D%/report.h \
  %D%/sandbox.cc \
  %D%/sandbox.h \
  %D%/sites.cc \
  %D%/sites.h \
  %D%/system.cc \
  %D%/system.h \
  %D%/tap.cc \
  %D%/tap.h \
  %D%/tcp_streams.cc \
  %D%/tcp_streams.h \
  %D%/terminal.cc \
  %D%/terminal.h \
  %D%/train.cc \
  %D%/train.h
bench_lab_liblab_la_LIBADD = libwancore.la

bench_programs += bench/lab/wan-lab
bench_lab_wan_lab_SOURCES = %D%/main.cc
bench_lab_wan_lab_LDADD = bench/lab/liblab.la libwancore.la
bench_lab_wan_lab_LDFLAGS = $(AM_LDFLAGS) -pthread

EXTRA_DIST += %D%/README.md
