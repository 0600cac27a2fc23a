# SPDX-License-Identifier: BSD-3-Clause
# What a process learns of the links to other sites from its sockets. Knows no socket, no clock and no Open MPI.
nodist_libwanjob_la_SOURCES += %D%.cc
folder_sources += \
  %D%/latest.h \
  %D%/learnt_link.cc \
  %D%/learnt_link.h \
  %D%/link_estimate.cc \
  %D%/link_estimate.h \
  %D%/pace_control.cc \
  %D%/pace_control.h \
  %D%/proving.cc \
  %D%/proving.h \
  %D%/rounds.h \
  %D%/sight.cc \
  %D%/sight.h \
  %D%/slowness.h \
  %D%/testimony.cc \
  %D%/testimony.h \
  %D%/trials.cc \
  %D%/trials.h
