# SPDX-License-Identifier: BSD-3-Clause
# Trees, one file for each collective, the choice among them.
libwancore_la_SOURCES += \
  %D%/plan.h
