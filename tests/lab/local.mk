# SPDX-License-Identifier: BSD-3-Clause
# The emulated wide area, and schedules over it.
if WITH_TESTS

check_PROGRAMS += %D%/emulator_test
fast_tests += %D%/emulator_test
tests_lab_emulator_test_SOURCES = %D%/emulator_test.cc
tests_lab_emulator_test_LDADD = bench/lab/liblab.la $(LDADD)

endif
