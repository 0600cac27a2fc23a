# SPDX-License-Identifier: BSD-3-Clause
# Symbolic verifier. Includes nothing of algo.
libwancore_la_SOURCES += \
  %D%/contract.cc \
  %D%/contract.h \
  %D%/entries.cc \
  %D%/entries.h \
  %D%/expression.cc \
  %D%/expression.h \
  %D%/hazards.cc \
  %D%/verify.cc \
  %D%/verify.h
