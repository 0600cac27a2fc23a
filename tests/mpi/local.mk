# SPDX-License-Identifier: BSD-3-Clause
# Real mpirun runs, every collective and form. The programs are plain MPI programs: they know nothing of coll_wan.
mpitest_cppflags = $(AM_CPPFLAGS) $(OMPI_CPPFLAGS) -I$(top_srcdir)/%D%
mpitest_ldadd = %D%/libmpitest.a $(OMPI_LIBS) -lpthread

check_LIBRARIES += %D%/libmpitest.a
tests_mpi_libmpitest_a_CPPFLAGS = $(mpitest_cppflags)
tests_mpi_libmpitest_a_SOURCES = \
  %D%/call.cc \
  %D%/call.h \
  %D%/case.cc \
  %D%/case.h \
  %D%/clock.h \
  %D%/communicators.cc \
  %D%/communicators.h \
  %D%/exchange.cc \
  %D%/exchange.h \
  %D%/forms.h \
  %D%/image.cc \
  %D%/image.h \
  %D%/intercomm.cc \
  %D%/intercomm.h \
  %D%/memory.h \
  %D%/neighbor.cc \
  %D%/neighbor.h \
  %D%/operators.cc \
  %D%/operators.h \
  %D%/options.h \
  %D%/perform.cc \
  %D%/perform.h \
  %D%/session.cc \
  %D%/session.h \
  %D%/shape.cc \
  %D%/shape.h \
  %D%/stock_defects.cc \
  %D%/stock_defects.h \
  %D%/value.h

check_PROGRAMS += \
  %D%/mpi_collectives \
  %D%/mpi_constructors \
  %D%/mpi_contact \
  %D%/mpi_counts \
  %D%/mpi_dynamic \
  %D%/mpi_elements \
  %D%/mpi_errors \
  %D%/mpi_info \
  %D%/mpi_intercomm \
  %D%/mpi_large \
  %D%/mpi_late \
  %D%/mpi_leaks \
  %D%/mpi_many \
  %D%/mpi_memory \
  %D%/mpi_multicast \
  %D%/mpi_neighbor \
  %D%/mpi_order \
  %D%/mpi_overlap \
  %D%/mpi_peak \
  %D%/mpi_performance \
  %D%/mpi_persistent \
  %D%/mpi_reproducible \
  %D%/mpi_sabotaged \
  %D%/mpi_tags \
  %D%/mpi_threads
if OMPI_6
check_PROGRAMS += %D%/mpi_bigcount
endif
system_tests += %D%/run %D%/abi_test.sh %D%/discover_test.sh %D%/locality_test.sh %D%/mpich_test.sh %D%/multicast_test.sh %D%/pml_test.sh %D%/streams_test.sh %D%/valgrind_test.sh
EXTRA_DIST += %D%/README.md %D%/abi.c %D%/abi_test.sh %D%/discover_test.sh %D%/launch.sh %D%/locality_test.sh %D%/matrix %D%/mpich_test.sh %D%/multicast_test.sh %D%/on_site %D%/planted.cc %D%/pml_test.sh %D%/run %D%/sanitizers_test.sh %D%/streams_test.sh %D%/valgrind_test.sh
# What runs under the sanitizers, and there a second component, with mistakes.
sanitized_mpi_programs = $(addprefix %D%/mpi_,collectives constructors contact counts dynamic elements errors info intercomm late many multicast neighbor \
	overlap performance persistent reproducible threads)
if WITH_SANITIZERS
system_tests += %D%/sanitizers_test.sh
check_LTLIBRARIES = %D%/planted/mca_coll_wan.la
tests_mpi_planted_mca_coll_wan_la_SOURCES = %D%/planted.cc
tests_mpi_planted_mca_coll_wan_la_LDFLAGS = $(mca_coll_wan_la_LDFLAGS) -rpath /nowhere
tests_mpi_planted_mca_coll_wan_la_LIBADD = $(mca_coll_wan_la_OBJECTS) $(mca_coll_wan_la_LIBADD)
endif

tests_mpi_mpi_multicast_SOURCES = %D%/mpi_multicast.cc
tests_mpi_mpi_multicast_CPPFLAGS = $(mpitest_cppflags)
tests_mpi_mpi_multicast_LDADD = libwan_multicast.la $(OMPI_LIBS)

tests_mpi_mpi_bigcount_SOURCES = %D%/mpi_bigcount.cc
tests_mpi_mpi_bigcount_CPPFLAGS = $(mpitest_cppflags)
tests_mpi_mpi_bigcount_LDADD = $(mpitest_ldadd)

tests_mpi_mpi_collectives_SOURCES = %D%/mpi_collectives.cc
tests_mpi_mpi_collectives_CPPFLAGS = $(mpitest_cppflags)
tests_mpi_mpi_collectives_LDADD = $(mpitest_ldadd)

tests_mpi_mpi_constructors_SOURCES = %D%/mpi_constructors.cc
tests_mpi_mpi_constructors_CPPFLAGS = $(mpitest_cppflags)
tests_mpi_mpi_constructors_LDADD = $(mpitest_ldadd)

tests_mpi_mpi_contact_SOURCES = %D%/mpi_contact.cc
tests_mpi_mpi_contact_CPPFLAGS = $(mpitest_cppflags)
tests_mpi_mpi_contact_LDADD = $(mpitest_ldadd)

tests_mpi_mpi_dynamic_SOURCES = %D%/mpi_dynamic.cc
tests_mpi_mpi_dynamic_CPPFLAGS = $(mpitest_cppflags)
tests_mpi_mpi_dynamic_LDADD = $(mpitest_ldadd)

tests_mpi_mpi_elements_SOURCES = %D%/mpi_elements.cc
tests_mpi_mpi_elements_CPPFLAGS = $(mpitest_cppflags)
tests_mpi_mpi_elements_LDADD = $(mpitest_ldadd)

tests_mpi_mpi_errors_SOURCES = %D%/mpi_errors.cc
tests_mpi_mpi_errors_CPPFLAGS = $(mpitest_cppflags)
tests_mpi_mpi_errors_LDADD = $(mpitest_ldadd)

tests_mpi_mpi_info_SOURCES = %D%/mpi_info.cc
tests_mpi_mpi_info_CPPFLAGS = $(mpitest_cppflags)
tests_mpi_mpi_info_LDADD = $(mpitest_ldadd)

tests_mpi_mpi_intercomm_SOURCES = %D%/mpi_intercomm.cc
tests_mpi_mpi_intercomm_CPPFLAGS = $(mpitest_cppflags)
tests_mpi_mpi_intercomm_LDADD = $(mpitest_ldadd)

tests_mpi_mpi_large_SOURCES = %D%/mpi_large.cc
tests_mpi_mpi_large_CPPFLAGS = $(mpitest_cppflags)
tests_mpi_mpi_large_LDADD = $(mpitest_ldadd)

tests_mpi_mpi_late_SOURCES = %D%/mpi_late.cc
tests_mpi_mpi_late_CPPFLAGS = $(mpitest_cppflags)
tests_mpi_mpi_late_LDADD = $(mpitest_ldadd)

tests_mpi_mpi_leaks_SOURCES = %D%/mpi_leaks.cc
tests_mpi_mpi_leaks_CPPFLAGS = $(mpitest_cppflags)
tests_mpi_mpi_leaks_LDADD = $(mpitest_ldadd)

tests_mpi_mpi_neighbor_SOURCES = %D%/mpi_neighbor.cc
tests_mpi_mpi_neighbor_CPPFLAGS = $(mpitest_cppflags)
tests_mpi_mpi_neighbor_LDADD = $(mpitest_ldadd)

tests_mpi_mpi_counts_SOURCES = %D%/mpi_counts.cc
tests_mpi_mpi_counts_CPPFLAGS = $(mpitest_cppflags)
tests_mpi_mpi_counts_LDADD = $(mpitest_ldadd)

tests_mpi_mpi_memory_SOURCES = %D%/mpi_memory.cc
tests_mpi_mpi_memory_CPPFLAGS = $(mpitest_cppflags)
tests_mpi_mpi_memory_LDADD = $(mpitest_ldadd)
tests_mpi_mpi_memory_LDFLAGS = -export-dynamic

tests_mpi_mpi_many_SOURCES = %D%/mpi_many.cc
tests_mpi_mpi_many_CPPFLAGS = $(mpitest_cppflags)
tests_mpi_mpi_many_LDADD = $(mpitest_ldadd)

tests_mpi_mpi_order_SOURCES = %D%/mpi_order.cc
tests_mpi_mpi_order_CPPFLAGS = $(mpitest_cppflags)
tests_mpi_mpi_order_LDADD = $(mpitest_ldadd)

tests_mpi_mpi_overlap_SOURCES = %D%/mpi_overlap.cc
tests_mpi_mpi_overlap_CPPFLAGS = $(mpitest_cppflags)
tests_mpi_mpi_overlap_LDADD = $(mpitest_ldadd)

tests_mpi_mpi_peak_SOURCES = \
  %D%/mpi_peak.cc \
  tests/support/counted_memory.cc \
  tests/support/counted_memory.h \
  tests/support/peak_memory.h
tests_mpi_mpi_peak_CPPFLAGS = $(mpitest_cppflags)
tests_mpi_mpi_peak_LDADD = $(mpitest_ldadd)
tests_mpi_mpi_peak_LDFLAGS = -export-dynamic

tests_mpi_mpi_performance_SOURCES = %D%/mpi_performance.cc tests/support/mpi_t_handle.h
tests_mpi_mpi_performance_CPPFLAGS = $(mpitest_cppflags)
tests_mpi_mpi_performance_LDADD = $(mpitest_ldadd)

tests_mpi_mpi_persistent_SOURCES = %D%/mpi_persistent.cc
tests_mpi_mpi_persistent_CPPFLAGS = $(mpitest_cppflags)
tests_mpi_mpi_persistent_LDADD = $(mpitest_ldadd)

tests_mpi_mpi_tags_SOURCES = %D%/mpi_tags.cc
tests_mpi_mpi_tags_CPPFLAGS = $(mpitest_cppflags)
tests_mpi_mpi_tags_LDADD = $(mpitest_ldadd)

tests_mpi_mpi_threads_SOURCES = %D%/mpi_threads.cc
tests_mpi_mpi_threads_CPPFLAGS = $(mpitest_cppflags)
tests_mpi_mpi_threads_LDADD = $(mpitest_ldadd)

tests_mpi_mpi_reproducible_SOURCES = %D%/mpi_reproducible.cc
tests_mpi_mpi_reproducible_CPPFLAGS = $(mpitest_cppflags)
tests_mpi_mpi_reproducible_LDADD = $(mpitest_ldadd)

tests_mpi_mpi_sabotaged_SOURCES = %D%/mpi_collectives.cc %D%/sabotage.cc
tests_mpi_mpi_sabotaged_CPPFLAGS = $(mpitest_cppflags)
tests_mpi_mpi_sabotaged_LDADD = $(mpitest_ldadd)
