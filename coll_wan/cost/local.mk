# SPDX-License-Identifier: BSD-3-Clause
# Lower bounds; what messages cost.
nodist_libwanjob_la_SOURCES += %D%.cc
folder_sources += \
  %D%/bounds.cc \
  %D%/bounds.h \
  %D%/combining.cc \
  %D%/combining.h \
  %D%/demand.cc \
  %D%/demand.h \
  %D%/direct.cc \
  %D%/direct.h \
  %D%/machine.cc \
  %D%/machine.h \
  %D%/machine_file.cc \
  %D%/machine_file.h \
  %D%/model.cc \
  %D%/model.h \
  %D%/network_view.h \
  %D%/passage.h \
  %D%/quickest_flow.cc \
  %D%/quickest_flow.h \
  %D%/regions.cc \
  %D%/regions.h \
  %D%/routes.cc \
  %D%/routes.h \
  %D%/shares.h \
  %D%/shares_among_all.cc \
  %D%/shares_from_one.cc \
  %D%/site_matrix.h \
  %D%/spread.cc \
  %D%/spread.h
