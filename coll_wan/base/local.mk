# SPDX-License-Identifier: BSD-3-Clause
# Scalar types, results, invariants.
libwancore_la_SOURCES += \
  %D%/invariant.h \
  %D%/lines.h \
  %D%/nearest.cc \
  %D%/nearest.h \
  %D%/result.cc \
  %D%/result.h \
  %D%/types.h
