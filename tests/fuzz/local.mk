# SPDX-License-Identifier: BSD-3-Clause
# Parsers against random bytes. `make check` replays each target's corpus; tests/fuzz/run searches for more with clang.
if WITH_TESTS

fuzz_targets = \
  %D%/algo_algorithms \
  %D%/cost_machine_file \
  %D%/discover_pod_labels \
  %D%/discover_slurm_topology \
  %D%/discover_sources \
  %D%/multicast_destinations \
  %D%/multicast_message \
  %D%/probe_wire \
  %D%/process_info_value \
  %D%/process_parameters \
  %D%/process_record \
  %D%/program_text \
  %D%/streams_frame \
  %D%/topo_host_pattern \
  %D%/topo_quantity \
  %D%/topo_site_file
check_PROGRAMS += $(fuzz_targets)
fast_tests += $(fuzz_targets)
tests_fuzz_algo_algorithms_SOURCES = %D%/replay.cc %D%/algo_algorithms.cc
tests_fuzz_cost_machine_file_SOURCES = %D%/replay.cc %D%/cost_machine_file.cc
tests_fuzz_discover_pod_labels_SOURCES = %D%/replay.cc %D%/discover_pod_labels.cc
tests_fuzz_discover_slurm_topology_SOURCES = %D%/replay.cc %D%/discover_slurm_topology.cc
tests_fuzz_discover_sources_SOURCES = %D%/replay.cc %D%/discover_sources.cc
tests_fuzz_multicast_destinations_SOURCES = %D%/replay.cc %D%/multicast_destinations.cc
tests_fuzz_multicast_message_SOURCES = %D%/replay.cc %D%/multicast_message.cc
tests_fuzz_probe_wire_SOURCES = %D%/replay.cc %D%/probe_wire.cc
tests_fuzz_process_info_value_SOURCES = %D%/replay.cc %D%/process_info_value.cc
tests_fuzz_process_parameters_SOURCES = %D%/replay.cc %D%/process_parameters.cc
tests_fuzz_process_record_SOURCES = %D%/replay.cc %D%/process_record.cc
tests_fuzz_program_text_SOURCES = %D%/replay.cc %D%/program_text.cc
tests_fuzz_streams_frame_SOURCES = %D%/replay.cc %D%/streams_frame.cc
tests_fuzz_topo_host_pattern_SOURCES = %D%/replay.cc %D%/topo_host_pattern.cc
tests_fuzz_topo_quantity_SOURCES = %D%/replay.cc %D%/topo_quantity.cc
tests_fuzz_topo_site_file_SOURCES = %D%/replay.cc %D%/topo_site_file.cc

endif

EXTRA_DIST += \
  %D%/corpus \
  %D%/run \
  %D%/algo_algorithms.dict \
  %D%/cost_machine_file.dict \
  %D%/discover_pod_labels.dict \
  %D%/discover_slurm_topology.dict \
  %D%/discover_sources.dict \
  %D%/process_parameters.dict \
  %D%/process_record.dict \
  %D%/program_text.dict \
  %D%/topo_host_pattern.dict \
  %D%/topo_quantity.dict \
  %D%/topo_site_file.dict
