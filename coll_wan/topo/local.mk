# SPDX-License-Identifier: BSD-3-Clause
libwancore_la_SOURCES += \
  %D%/layout.cc \
  %D%/layout.h \
  %D%/link.h \
  %D%/topology.cc \
  %D%/topology.h
