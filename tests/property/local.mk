# SPDX-License-Identifier: BSD-3-Clause
# Properties of schedules, over random topologies and calls.
if WITH_TESTS

check_PROGRAMS += %D%/schedules
fast_tests += %D%/schedules
tests_property_schedules_SOURCES = %D%/schedules.cc

endif
