# SPDX-License-Identifier: BSD-3-Clause
# Call, Program, Builder, text form.
nodist_libwanjob_la_SOURCES += %D%.cc
folder_sources += \
  %D%/builder.cc \
  %D%/builder.h \
  %D%/call.cc \
  %D%/call.h \
  %D%/collectives.def \
  %D%/global_call.cc \
  %D%/global_call.h \
  %D%/program.cc \
  %D%/program.h \
  %D%/segmentation.cc \
  %D%/segmentation.h \
  %D%/text.cc \
  %D%/text.h
