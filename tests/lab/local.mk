# SPDX-License-Identifier: BSD-3-Clause
# coll_wan over the emulated wide area. Tests of the emulator itself are in bench/lab/tests.
if WITH_TESTS

# What crosses the emulated wide area, with the component.
check_PROGRAMS += %D%/traffic
tests_lab_traffic_CPPFLAGS = $(AM_CPPFLAGS) $(OMPI_CPPFLAGS)
tests_lab_traffic_SOURCES = %D%/traffic.cc bench/collectives/operation.cc tests/support/mpi_t_handle.h
tests_lab_traffic_LDADD = bench/collectives/libbench.la bench/common/libbenchcommon.la bench/common/libbenchmpi.la libwancore.la $(OMPI_LIBS)
system_tests += %D%/traffic_test.sh

# What happens when something breaks in the middle of a collective.
check_PROGRAMS += %D%/faults
tests_lab_faults_CPPFLAGS = $(mpitest_cppflags) -I$(top_srcdir)/tests/mpi
tests_lab_faults_SOURCES = %D%/faults.cc
tests_lab_faults_LDADD = $(mpitest_ldadd)
system_tests += %D%/faults_test.sh

# What the first collective takes, and whether links are overfilled, with the component.
check_PROGRAMS += %D%/at_once
tests_lab_at_once_CPPFLAGS = $(AM_CPPFLAGS) $(OMPI_CPPFLAGS)
tests_lab_at_once_SOURCES = %D%/at_once.cc
tests_lab_at_once_LDADD = $(OMPI_LIBS) -lpthread
system_tests += %D%/agreement_test.sh %D%/contact_test.sh %D%/discover_test.sh %D%/doctor_test.sh %D%/learning_test.sh %D%/pacing_test.sh

# Whether a job without a topology file finds sites and links by itself.
check_PROGRAMS += %D%/compare_topologies
tests_lab_compare_topologies_SOURCES = %D%/compare_topologies.cc
tests_lab_compare_topologies_LDADD = libwancore.la
system_tests += %D%/probe_test.sh %D%/wanctl_probe_test.sh

endif
EXTRA_DIST += %D%/README.md %D%/agreement_test.sh %D%/contact_test.sh %D%/discover_test.sh %D%/doctor_test.sh %D%/faults_test.sh %D%/learning_test.sh %D%/pacing_test.sh %D%/probe_test.sh %D%/traffic_test.sh %D%/wanctl_probe_test.sh %D%/first_call.c
