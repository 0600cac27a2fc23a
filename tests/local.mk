# SPDX-License-Identifier: BSD-3-Clause
# How tests are run and counted. `make check` runs all, `make check-fast` and `make check-system` the two halves,
# `make check-ompi` those that depend on the version of Open MPI, `make check-sample` some of them; `make build-tests` and `make build-ompi-tests` build the
# programs only. `make build-sanitized` and `make check-sanitized` do so with what a build with --enable-sanitizers is for;
# `make check-tarball` is distcheck with few tests, and `make check-package` runs those few that a package is built with. tests/driver turns each
# program's output into one result a case.
include %D%/style/local.mk
include %D%/unit/local.mk
include %D%/property/local.mk
include %D%/negative/local.mk
include %D%/golden/local.mk
include %D%/wanctl/local.mk
include %D%/fuzz/local.mk
include %D%/mpi/local.mk
include %D%/lab/local.mk
include %D%/readme/local.mk

TESTS = $(fast_tests) $(system_tests)
TEST_EXTENSIONS = .sh .py
LOG_DRIVER = $(top_srcdir)/%D%/driver
SH_LOG_DRIVER = $(LOG_DRIVER)
PY_LOG_DRIVER = $(LOG_DRIVER)
AM_TESTS_ENVIRONMENT = \
	top_srcdir='$(abs_top_srcdir)'; export top_srcdir; \
	top_builddir='$(abs_top_builddir)'; export top_builddir; \
	ASAN_OPTIONS="$${ASAN_OPTIONS:-detect_leaks=1}"; export ASAN_OPTIONS; \
	UBSAN_OPTIONS="$${UBSAN_OPTIONS:-print_stacktrace=1}"; export UBSAN_OPTIONS;

EXTRA_DIST += %D%/aarch64 %D%/chroot %D%/compilers %D%/copy-sources %D%/debian %D%/driver %D%/install-packages %D%/minimal-system %D%/openmpi %D%/packages %D%/release %D%/run %D%/support/steps.sh \
	%D%/threads/run %D%/threads/multicast.cc %D%/threads/stub_mpi/mpi.cc %D%/threads/stub_mpi/mpi.h

.PHONY: build-tests build-ompi-tests build-sanitized check-fast check-ompi check-package check-sample check-sanitized check-system check-tarball list-fast list-ompi \
	list-programs list-sample list-sanitized list-system print-componentdir print-helpdir
# Each test needs its own program only: one that does not build does not keep the others from running.
check_alone = check-TESTS check_PROGRAMS= check_LIBRARIES= check_SCRIPTS= check_DATA= check_LTLIBRARIES=
fast_programs = $(filter-out %.sh,$(fast_tests))
# What only measures, counts and draws is not looked at by sanitizers, nor what would take them too long and runs the code of property/schedules.
core_programs = $(filter-out bench/unit_tests %D%/unit/memory %D%/unit/tools %D%/property/regions,$(fast_programs))
sanitized_tests = $(core_programs) $(filter %D%/mpi/sanitizers_test.sh,$(system_tests))
# What reads files of the tarball, and a few of the programs.
tarball_tests = $(filter %D%/style/% %D%/golden/% %D%/fuzz/% %D%/unit/base %D%/unit/topo %D%/property/schedules,$(fast_tests))
# What needs neither root nor a network, and does not depend on how busy the machine is.
package_tests = $(filter $(patsubst %,%D%/unit/%,base topo plan check run multicast mca) \
	$(patsubst %,%D%/wanctl/%_test.sh,completion manual topology usage),$(fast_tests))
# But for lab_mpirun_test.sh the lab's own tests do not depend on Open MPI, nor does what the benchmarks make of their numbers, what a
# schedule sends over a link, what is learnt from TCP, or what wanctl finds out of hosts.
ompi_tests = %D%/unit/mca %D%/unit/process %D%/style/exports_test.sh bench/lab/tests/lab_mpirun_test.sh \
	$(filter-out bench/% %D%/readme/benchmarks_test.sh %D%/mpi/mpich_test.sh %D%/mpi/valgrind_test.sh \
	$(patsubst %,%D%/lab/%_test.sh,agreement contact discover doctor learning pacing traffic wanctl_probe),$(system_tests))
# Of them what says most in the least time.
sample_tests = $(filter-out %D%/mpi/discover_test.sh $(patsubst %,%D%/lab/%_test.sh,faults probe) %D%/readme/commands_test.sh,$(ompi_tests))
# What measures no times runs two at once: most of it waits.
untimed_tests = $(filter %D%/style/% %D%/negative/% %D%/mpi/% %D%/lab/traffic_test.sh %D%/readme/presets_test.sh,$(system_tests))
# Tests of a list: those that measure no times, then the others, one by one; both also where one fails.
check_in_turn = status=0; \
	$(MAKE) $(AM_MAKEFLAGS) -j2 $(check_alone) TESTS='$(filter $(untimed_tests),$(1))' || status=1; \
	$(MAKE) $(AM_MAKEFLAGS) $(check_alone) TESTS='$(filter-out $(untimed_tests),$(1))' || status=1; \
	exit $$status
build-tests: all
	$(MAKE) $(AM_MAKEFLAGS) $(check_PROGRAMS) $(check_SCRIPTS) $(check_DATA)
build-sanitized: mca_coll_wan.la
	$(MAKE) $(AM_MAKEFLAGS) $(core_programs) $(check_LTLIBRARIES) $(sanitized_mpi_programs)
build-ompi-tests: all
	$(MAKE) $(AM_MAKEFLAGS) %D%/unit/mca %D%/unit/process $(filter-out $(fast_programs),$(check_PROGRAMS)) $(check_SCRIPTS) $(check_DATA)
check-fast:
	$(MAKE) $(AM_MAKEFLAGS) $(check_alone) TESTS='$(fast_tests)'
check-sanitized:
	$(MAKE) $(AM_MAKEFLAGS) $(check_alone) TESTS='$(sanitized_tests)'
check-system:
	@$(call check_in_turn,$(system_tests))
check-tarball:
	$(MAKE) $(AM_MAKEFLAGS) distcheck TESTS='$(tarball_tests)' check_PROGRAMS='$(filter-out %.sh,$(tarball_tests))' \
		check_LIBRARIES= check_LTLIBRARIES=
check-package:
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(package_tests)' check_PROGRAMS='$(filter-out %.sh,$(package_tests))' \
		check_LIBRARIES='$(filter %D%/unit/%,$(check_LIBRARIES))' check_LTLIBRARIES= check_SCRIPTS= check_DATA=
check-ompi:
	@$(call check_in_turn,$(ompi_tests))
check-sample:
	@$(call check_in_turn,$(sample_tests))
list-fast:
	@printf '%s\n' $(fast_tests)
list-ompi:
	@printf '%s\n' $(ompi_tests)
list-programs:
	@printf '%s\n' $(core_programs)
list-sample:
	@printf '%s\n' $(sample_tests)
list-sanitized:
	@printf '%s\n' $(sanitized_tests)
list-system:
	@printf '%s\n' $(system_tests)
print-componentdir:
	@printf '%s\n' '$(componentdir)'
print-helpdir:
	@printf '%s\n' '$(helpdir)'
