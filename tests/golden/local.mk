# SPDX-License-Identifier: BSD-3-Clause
# Text dumps compared with files.
if WITH_TESTS

check_PROGRAMS += %D%/golden_schedules
fast_tests += %D%/golden_schedules
tests_golden_golden_schedules_SOURCES = \
  %D%/golden_schedules.cc \
  tests/support/free_machine.h \
  tests/support/layouts.h \
  tests/support/promise.cc \
  tests/support/promise.h \
  tests/support/stated_traffic.cc \
  tests/support/stated_traffic.h

endif

fast_tests += %D%/plan_test.sh
EXTRA_DIST += %D%/schedules %D%/plan_test.sh
