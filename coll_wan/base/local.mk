# SPDX-License-Identifier: BSD-3-Clause
# Scalar types, results, invariants.
nodist_libwanjob_la_SOURCES += %D%.cc
folder_sources += \
  %D%/index.h \
  %D%/invariant.h \
  %D%/lines.h \
  %D%/nearest.cc \
  %D%/nearest.h \
  %D%/rate.h \
  %D%/result.cc \
  %D%/result.h \
  %D%/time.h \
  %D%/types.h
