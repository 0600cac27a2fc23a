# SPDX-License-Identifier: BSD-3-Clause
# Lower bounds.
libwancore_la_SOURCES += \
  %D%/bounds.cc \
  %D%/bounds.h \
  %D%/demand.cc \
  %D%/demand.h \
  %D%/quickest_flow.cc \
  %D%/quickest_flow.h \
  %D%/site_matrix.h
