# SPDX-License-Identifier: BSD-3-Clause
# Properties of schedules, over random topologies and calls.
if WITH_TESTS

random_call = \
  tests/support/promise.cc \
  tests/support/promise.h \
  tests/support/property_main.cc \
  tests/support/random_call.cc \
  tests/support/random_call.h

check_PROGRAMS += %D%/schedules
fast_tests += %D%/schedules
tests_property_schedules_SOURCES = %D%/schedules.cc $(random_call)

endif
