# SPDX-License-Identifier: BSD-3-Clause
# Symbolic verifier and simulator. Includes nothing of algo.
nodist_libwanjob_la_SOURCES += %D%.cc
folder_sources += \
  %D%/contract.cc \
  %D%/contract.h \
  %D%/entries.cc \
  %D%/entries.h \
  %D%/expression.cc \
  %D%/expression.h \
  %D%/hazards.cc \
  %D%/simulate.cc \
  %D%/simulate.h \
  %D%/stock.cc \
  %D%/stock.h \
  %D%/step_table.cc \
  %D%/step_table.h \
  %D%/verify.cc \
  %D%/verify.h \
  %D%/wires.cc \
  %D%/wires.h
