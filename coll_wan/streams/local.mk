# SPDX-License-Identifier: BSD-3-Clause
# Messages over several TCP connections of two processes. Knows no Open MPI.
nodist_libwanjob_la_SOURCES += %D%.cc
folder_sources += \
  %D%/frame.cc \
  %D%/frame.h \
  %D%/incoming.cc \
  %D%/incoming.h \
  %D%/outgoing.cc \
  %D%/outgoing.h \
  %D%/stream.cc \
  %D%/stream.h \
  %D%/streams.cc \
  %D%/streams.h
