# SPDX-License-Identifier: BSD-3-Clause
# Properties of schedules, over random topologies and calls.
if WITH_TESTS

random_call = \
  tests/support/free_machine.h \
  tests/support/layouts.h \
  tests/support/pick.h \
  tests/support/promise.cc \
  tests/support/promise.h \
  tests/support/property_main.cc \
  tests/support/property_main.h \
  tests/support/random_call.cc \
  tests/support/random_call.h \
  tests/support/stated_traffic.cc \
  tests/support/stated_traffic.h

check_PROGRAMS += %D%/schedules
fast_tests += %D%/schedules
tests_property_schedules_SOURCES = %D%/schedules.cc $(random_call)

check_PROGRAMS += %D%/mutants
fast_tests += %D%/mutants
tests_property_mutants_SOURCES = %D%/mutants.cc $(random_call) $(interpreter)

check_PROGRAMS += %D%/executions
fast_tests += %D%/executions
tests_property_executions_SOURCES = %D%/executions.cc $(random_call)

check_PROGRAMS += %D%/simulations
fast_tests += %D%/simulations
tests_property_simulations_SOURCES = %D%/simulations.cc $(random_call)

check_PROGRAMS += %D%/regions
fast_tests += %D%/regions
tests_property_regions_SOURCES = %D%/regions.cc $(random_call)

check_PROGRAMS += %D%/multicasts
fast_tests += %D%/multicasts
tests_property_multicasts_SOURCES = \
  %D%/multicasts.cc \
  tests/support/property_main.cc \
  tests/support/property_main.h

check_PROGRAMS += %D%/engines
fast_tests += %D%/engines
tests_property_engines_SOURCES = \
  %D%/engines.cc \
  tests/support/multicast_network.cc \
  tests/support/multicast_network.h \
  tests/support/property_main.cc \
  tests/support/property_main.h

check_PROGRAMS += %D%/probes
fast_tests += %D%/probes
tests_property_probes_SOURCES = \
  %D%/probes.cc \
  tests/support/property_main.cc \
  tests/support/property_main.h \
  tests/support/simulated_wan.cc \
  tests/support/simulated_wan.h

endif
