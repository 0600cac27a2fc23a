# SPDX-License-Identifier: BSD-3-Clause
# Lower bounds; what messages cost.
libwancore_la_SOURCES += \
  %D%/bounds.cc \
  %D%/bounds.h \
  %D%/demand.cc \
  %D%/demand.h \
  %D%/machine.cc \
  %D%/machine.h \
  %D%/model.cc \
  %D%/model.h \
  %D%/quickest_flow.cc \
  %D%/quickest_flow.h \
  %D%/site_matrix.h \
  %D%/spread.cc \
  %D%/spread.h
