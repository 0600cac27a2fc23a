# SPDX-License-Identifier: BSD-3-Clause
# Unit tests: one GoogleTest program for each folder of the core. A folder's program is three lines:
# check_PROGRAMS and fast_tests name it, tests_unit_FOLDER_SOURCES lists its files.
if WITH_TESTS

# base
check_PROGRAMS += %D%/base
fast_tests += %D%/base
tests_unit_base_SOURCES = \
  %D%/base_invariant.cc \
  %D%/base_lines.cc \
  %D%/base_nearest.cc \
  %D%/base_result.cc

# topo
check_PROGRAMS += %D%/topo
fast_tests += %D%/topo
tests_unit_topo_SOURCES = \
  %D%/topo_examples.cc \
  %D%/topo_host_pattern.cc \
  %D%/topo_layout.cc \
  %D%/topo_quantity.cc \
  %D%/topo_site_file.cc \
  %D%/topo_site_file_property.cc \
  %D%/topo_slowest_links.cc \
  %D%/topo_topology.cc

# discover
check_PROGRAMS += %D%/discover
fast_tests += %D%/discover
tests_unit_discover_SOURCES = \
  %D%/discover_collect.cc \
  %D%/discover_own_surroundings.cc \
  %D%/discover_sites.cc \
  %D%/discover_slurm_topology.cc \
  %D%/discover_source.cc \
  %D%/discover_subnet.cc

# cost
check_PROGRAMS += %D%/cost
fast_tests += %D%/cost
tests_unit_cost_SOURCES = \
  %D%/cost_bounds.cc \
  %D%/cost_combining.cc \
  %D%/cost_demand.cc \
  %D%/cost_machine_file.cc \
  %D%/cost_model.cc \
  %D%/cost_network.h \
  %D%/cost_quickest_flow.cc \
  %D%/cost_shares.cc \
  %D%/cost_network_view.cc \
  %D%/cost_regions.cc \
  %D%/cost_routes.cc \
  %D%/cost_spread.cc \
  tests/support/slow_spread.cc \
  tests/support/slow_spread.h

# plan
check_PROGRAMS += %D%/plan
fast_tests += %D%/plan
tests_unit_plan_SOURCES = \
  %D%/plan_builder.cc \
  %D%/plan_call.cc \
  %D%/plan_global_call.cc \
  %D%/plan_ranges.h \
  %D%/plan_segmentation.cc \
  %D%/plan_text.cc

# algo
interpreter = \
  tests/support/interpreter.cc \
  tests/support/interpreter.h \
  tests/support/program_editor.cc \
  tests/support/program_editor.h
check_PROGRAMS += %D%/algo
fast_tests += %D%/algo
tests_unit_algo_SOURCES = \
  %D%/algo_algorithm.cc \
  %D%/algo_blocks.cc \
  %D%/algo_bundles.cc \
  %D%/algo_broadcast_tree.cc \
  %D%/algo_choice.cc \
  %D%/algo_contact.cc \
  %D%/algo_group_tree.cc \
  %D%/algo_halves.cc \
  %D%/algo_lanes.cc \
  %D%/algo_neighbor.cc \
  %D%/algo_partial.cc \
  %D%/algo_shards.cc \
  %D%/algo_relaying.cc \
  %D%/algo_send_order.cc \
  %D%/algo_planners.cc \
  %D%/algo_position.cc \
  %D%/algo_survey.cc \
  %D%/algo_trial.cc \
  %D%/algo_threads.cc \
  %D%/algo_tree.cc \
  %D%/algo_tree_load.cc \
  %D%/algo_wide_tree.cc \
  tests/support/layouts.h \
  tests/support/neighborhoods.h \
  tests/support/optimal_broadcast.cc \
  tests/support/optimal_broadcast.h \
  tests/support/pick.h \
  $(interpreter)

# memory: what plans hold, with an allocator that counts
counted_memory = \
  tests/support/counted_memory.cc \
  tests/support/counted_memory.h \
  tests/support/peak_memory.h
check_PROGRAMS += %D%/memory
fast_tests += %D%/memory
tests_unit_memory_SOURCES = %D%/memory_execution.cc %D%/memory_plans.cc $(counted_memory)

# check
check_PROGRAMS += %D%/check
fast_tests += %D%/check
tests_unit_check_SOURCES = \
  %D%/check_contract.cc \
  %D%/check_expression.cc \
  %D%/check_simulate.cc \
  %D%/check_stock.cc \
  %D%/check_verify.cc \
  %D%/check_wires.cc \
  %D%/cost_network.h \
  tests/support/layouts.h \
  tests/support/program_editor.cc \
  tests/support/program_editor.h

# learn
check_PROGRAMS += %D%/learn
fast_tests += %D%/learn
tests_unit_learn_SOURCES = %D%/learn_learnt_link.cc %D%/learn_link_estimate.cc %D%/learn_pace_control.cc %D%/learn_proving.cc %D%/learn_round_trip.h %D%/learn_rounds.cc %D%/learn_simulated_link.h \
	%D%/learn_testimony.cc %D%/learn_trials.cc

# run
check_PROGRAMS += %D%/run
fast_tests += %D%/run
tests_unit_run_SOURCES = \
  %D%/run_execution.cc \
  %D%/run_pacer.cc \
  %D%/run_threads.cc \
  %D%/run_type_map.cc \
  tests/support/program_editor.cc \
  tests/support/program_editor.h

# multicast
check_PROGRAMS += %D%/multicast
fast_tests += %D%/multicast
tests_unit_multicast_SOURCES = \
  %D%/multicast_destinations.cc \
  %D%/multicast_engine.cc \
  %D%/multicast_forwarding.cc \
  %D%/multicast_inbox.cc \
  %D%/multicast_message.cc \
  %D%/multicast_places.cc \
  %D%/multicast_routing_table.cc \
  %D%/multicast_shape.cc \
  %D%/multicast_strided_map.cc \
  %D%/multicast_tables.h \
  tests/support/multicast_network.cc \
  tests/support/multicast_network.h

# api, of which the library shows the C functions only
check_PROGRAMS += %D%/api
fast_tests += %D%/api
tests_unit_api_SOURCES = \
  coll_wan/api/knowledge.cc \
  coll_wan/api/knowledge.h \
  %D%/api_knowledge.cc

# probe
check_PROGRAMS += %D%/probe
fast_tests += %D%/probe
tests_unit_probe_SOURCES = \
  %D%/probe_agent.cc \
  %D%/probe_cache.cc \
  %D%/probe_clusters.cc \
  %D%/probe_errands.cc \
  %D%/probe_links.cc \
  %D%/probe_restate.cc \
  %D%/probe_robust.cc \
  %D%/probe_visit.cc \
  %D%/probe_wire.cc

# mca
check_PROGRAMS += %D%/mca
fast_tests += %D%/mca
tests_unit_mca_SOURCES = \
  %D%/mca_arguments.cc \
  %D%/mca_layout.cc \
  %D%/mca_layout.def \
  %D%/mca_layout.h
tests_unit_mca_CPPFLAGS = $(AM_CPPFLAGS) $(openmpi_cppflags)
tests_unit_mca_CXXFLAGS = $(AM_CXXFLAGS) $(OMPI_CXXFLAGS)
tests_unit_mca_LDADD = %D%/libmca_layout.a $(LDADD)
check_LIBRARIES += %D%/libmca_layout.a
tests_unit_libmca_layout_a_SOURCES = %D%/mca_layout_of_c.c
tests_unit_libmca_layout_a_CPPFLAGS = $(openmpi_c_cppflags)

# process
check_PROGRAMS += %D%/process
fast_tests += %D%/process
tests_unit_process_SOURCES = \
  %D%/process_count_memory.cc \
  %D%/process_event.cc \
  %D%/process_explanation.cc \
  %D%/process_flow_window.cc \
  %D%/process_four_sites.h \
  %D%/process_help_text.cc \
  %D%/process_message_layer.cc \
  %D%/process_parties.cc \
  %D%/process_info_value.cc \
  %D%/process_parameters.cc \
  %D%/process_plan_cache.cc \
  %D%/process_probing.cc \
  %D%/process_record.cc \
  %D%/process_report.cc \
  %D%/process_spare_memory.cc \
  %D%/process_statistics.cc \
  %D%/process_tags.cc \
  %D%/process_tcp_sight.cc \
  %D%/process_topologies.cc \
  %D%/process_troubles.cc

# tools
check_PROGRAMS += %D%/tools
fast_tests += %D%/tools
tests_unit_tools_SOURCES = \
  %D%/tools_count.h \
  %D%/tools_site_sources.cc \
  %D%/tools_time_axis.cc \
  %D%/tools_timeline.cc \
  %D%/tools_topology_document.cc \
  %D%/tools_topology_findings.cc \
  %D%/tools_tree_picture.cc \
  %D%/tools_what_if.cc \
  tests/support/layouts.h
tests_unit_tools_LDADD = libwantools.la $(LDADD)

# wanctl doctor
check_PROGRAMS += %D%/doctor
fast_tests += %D%/doctor
tests_unit_doctor_SOURCES = \
  %D%/doctor_agent.cc \
  %D%/doctor_facts.h \
  %D%/doctor_judge_hosts.cc \
  %D%/doctor_judge_network.cc \
  %D%/doctor_text.cc
tests_unit_doctor_LDADD = libwantools.la $(LDADD)

# wanctl probe
check_PROGRAMS += %D%/survey
fast_tests += %D%/survey
tests_unit_survey_SOURCES = \
  %D%/survey_helper.cc \
  %D%/survey_report.cc
tests_unit_survey_LDADD = libwantools.la $(LDADD)

endif
