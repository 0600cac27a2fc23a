# SPDX-License-Identifier: BSD-3-Clause
# The emulated wide area, and schedules over it.
if WITH_TESTS

check_PROGRAMS += %D%/emulator_test
fast_tests += %D%/emulator_test
tests_lab_emulator_test_SOURCES = %D%/emulator_test.cc
tests_lab_emulator_test_LDADD = bench/lab/liblab.la $(LDADD)

check_PROGRAMS += %D%/lab_probe
tests_lab_lab_probe_SOURCES = %D%/lab_probe.cc
tests_lab_lab_probe_LDADD = bench/lab/liblab.la libwancore.la

lab_scripts = \
  %D%/lab_counters_test.sh \
  %D%/lab_link_test.sh \
  %D%/lab_loss_test.sh \
  %D%/lab_mpirun_test.sh \
  %D%/lab_rate_test.sh \
  %D%/lab_rtt_test.sh \
  %D%/lab_takedown_test.sh \
  %D%/lab_terminal_test.sh \
  %D%/lab_usage_test.sh \
  %D%/lab_user_namespace_test.sh
system_tests += $(lab_scripts)

# What crosses the emulated wide area, with the component.
check_PROGRAMS += %D%/traffic
tests_lab_traffic_CPPFLAGS = $(AM_CPPFLAGS) $(OMPI_CPPFLAGS)
tests_lab_traffic_SOURCES = %D%/traffic.cc bench/collectives/operation.cc
tests_lab_traffic_LDADD = bench/collectives/libbench.la bench/common/libbenchcommon.la bench/common/libbenchmpi.la libwancore.la $(OMPI_LIBS)
system_tests += %D%/traffic_test.sh

# What happens when something breaks in the middle of a collective.
check_PROGRAMS += %D%/faults
tests_lab_faults_CPPFLAGS = $(mpitest_cppflags) -I$(top_srcdir)/tests/mpi
tests_lab_faults_SOURCES = %D%/faults.cc
tests_lab_faults_LDADD = $(mpitest_ldadd)
system_tests += %D%/faults_test.sh

# What the first collective takes, and whether links are overfilled, with the component.
system_tests += %D%/contact_test.sh %D%/pacing_test.sh

endif
EXTRA_DIST += %D%/README.md %D%/contact_test.sh %D%/faults_test.sh %D%/pacing_test.sh %D%/traffic_test.sh $(lab_scripts) %D%/lab.sh %D%/lab_inside.sh %D%/lab_barrier.c \
             %D%/lab_first.c %D%/slow_fork.c
