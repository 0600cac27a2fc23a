# SPDX-License-Identifier: BSD-3-Clause
# Execution over a Transport. Includes nothing of algo.
nodist_libwanjob_la_SOURCES += %D%.cc
folder_sources += \
  %D%/execution.cc \
  %D%/execution.h \
  %D%/pacer.cc \
  %D%/pacer.h \
  %D%/transport.h \
  %D%/type_map.cc \
  %D%/type_map.h
