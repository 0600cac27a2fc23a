# SPDX-License-Identifier: BSD-3-Clause
# wanctl probe, without its command line. helper runs on each host and keeps measurements; survey asks the helpers,
# report makes a topology file of what they say.
nodist_libwantools_la_SOURCES += %D%.cc
folder_sources += \
  %D%/helper.cc \
  %D%/helper.h \
  %D%/measurements.cc \
  %D%/measurements.h \
  %D%/report.cc \
  %D%/report.h \
  %D%/survey.cc \
  %D%/survey.h \
  %D%/wire_json.h
