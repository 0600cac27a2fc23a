# SPDX-License-Identifier: BSD-3-Clause
# Tests of the emulated wide area itself. Tests of coll_wan on it are in tests/lab.
lab_scripts = \
  %D%/lab_counters_test.sh \
  %D%/lab_link_test.sh \
  %D%/lab_loss_test.sh \
  %D%/lab_mpirun_test.sh \
  %D%/lab_profiles_test.sh \
  %D%/lab_rate_test.sh \
  %D%/lab_rtt_test.sh \
  %D%/lab_takedown_test.sh \
  %D%/lab_terminal_test.sh \
  %D%/lab_usage_test.sh \
  %D%/lab_user_namespace_test.sh

if WITH_TESTS

check_PROGRAMS += %D%/emulator_test
fast_tests += %D%/emulator_test
bench_lab_tests_emulator_test_SOURCES = %D%/emulator_test.cc
bench_lab_tests_emulator_test_LDADD = bench/lab/liblab.la $(LDADD)

check_PROGRAMS += %D%/train_test
fast_tests += %D%/train_test
bench_lab_tests_train_test_SOURCES = %D%/train_test.cc
bench_lab_tests_train_test_LDADD = bench/lab/liblab.la $(LDADD)

check_PROGRAMS += %D%/lab_probe
bench_lab_tests_lab_probe_SOURCES = %D%/lab_probe.cc
bench_lab_tests_lab_probe_LDADD = bench/lab/liblab.la libwancore.la

system_tests += $(lab_scripts)

endif
EXTRA_DIST += $(lab_scripts) %D%/lab.sh %D%/lab_inside.sh %D%/lab_barrier.c %D%/slow_fork.c
