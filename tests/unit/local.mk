# SPDX-License-Identifier: BSD-3-Clause
# Unit tests: one GoogleTest program for each folder of the core. A folder's program is three lines: unit_tests names it,
# nodist_tests_unit_FOLDER_SOURCES is its one file, FOLDER.cc, and folder_sources lists the tests that this includes, FOLDER_*.cc.
unit_tests =

# base
unit_tests += %D%/base
nodist_tests_unit_base_SOURCES = %D%/base.cc
folder_sources += \
  %D%/base_invariant.cc \
  %D%/base_lines.cc \
  %D%/base_nearest.cc \
  %D%/base_result.cc

# topo
unit_tests += %D%/topo
nodist_tests_unit_topo_SOURCES = %D%/topo.cc
folder_sources += \
  %D%/topo_examples.cc \
  %D%/topo_host_pattern.cc \
  %D%/topo_layout.cc \
  %D%/topo_quantity.cc \
  %D%/topo_site_file.cc \
  %D%/topo_site_file_property.cc \
  %D%/topo_slowest_links.cc \
  %D%/topo_topology.cc

# discover
unit_tests += %D%/discover
nodist_tests_unit_discover_SOURCES = %D%/discover.cc
folder_sources += \
  %D%/discover_collect.cc \
  %D%/discover_own_surroundings.cc \
  %D%/discover_sites.cc \
  %D%/discover_slurm_topology.cc \
  %D%/discover_source.cc \
  %D%/discover_subnet.cc

# cost
unit_tests += %D%/cost
nodist_tests_unit_cost_SOURCES = %D%/cost.cc
folder_sources += \
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
  %D%/cost_spread.cc
tests_unit_cost_SOURCES = \
  tests/support/slow_spread.cc \
  tests/support/slow_spread.h

# plan
unit_tests += %D%/plan
nodist_tests_unit_plan_SOURCES = %D%/plan.cc
folder_sources += \
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
unit_tests += %D%/algo
nodist_tests_unit_algo_SOURCES = %D%/algo.cc
folder_sources += \
  %D%/algo_algorithm.cc \
  %D%/algo_blocks.cc \
  %D%/algo_bundles.cc \
  %D%/algo_carriers.cc \
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
  %D%/algo_wide_tree.cc
tests_unit_algo_SOURCES = \
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
unit_tests += %D%/memory
nodist_tests_unit_memory_SOURCES = %D%/memory.cc
folder_sources += \
  %D%/memory_execution.cc \
  %D%/memory_plans.cc
tests_unit_memory_SOURCES = $(counted_memory)

# check
unit_tests += %D%/check
nodist_tests_unit_check_SOURCES = %D%/check.cc
folder_sources += \
  %D%/check_contract.cc \
  %D%/check_expression.cc \
  %D%/check_simulate.cc \
  %D%/check_stock.cc \
  %D%/check_verify.cc \
  %D%/check_wires.cc
tests_unit_check_SOURCES = \
  tests/support/layouts.h \
  tests/support/program_editor.cc \
  tests/support/program_editor.h

# learn
unit_tests += %D%/learn
nodist_tests_unit_learn_SOURCES = %D%/learn.cc
folder_sources += \
  %D%/learn_learnt_link.cc \
  %D%/learn_link_estimate.cc \
  %D%/learn_pace_control.cc \
  %D%/learn_proving.cc \
  %D%/learn_round_trip.h \
  %D%/learn_rounds.cc \
  %D%/learn_simulated_link.h \
  %D%/learn_testimony.cc \
  %D%/learn_trials.cc

# run
unit_tests += %D%/run
nodist_tests_unit_run_SOURCES = %D%/run.cc
folder_sources += \
  %D%/run_execution.cc \
  %D%/run_pacer.cc \
  %D%/run_threads.cc \
  %D%/run_type_map.cc
tests_unit_run_SOURCES = \
  tests/support/program_editor.cc \
  tests/support/program_editor.h

# multicast
unit_tests += %D%/multicast
nodist_tests_unit_multicast_SOURCES = %D%/multicast.cc
folder_sources += \
  %D%/multicast_destinations.cc \
  %D%/multicast_engine.cc \
  %D%/multicast_forwarding.cc \
  %D%/multicast_inbox.cc \
  %D%/multicast_message.cc \
  %D%/multicast_places.cc \
  %D%/multicast_routing_table.cc \
  %D%/multicast_shape.cc \
  %D%/multicast_strided_map.cc \
  %D%/multicast_tables.h
tests_unit_multicast_SOURCES = \
  tests/support/multicast_network.cc \
  tests/support/multicast_network.h

# api, of which the library shows the C functions only
unit_tests += %D%/api
nodist_tests_unit_api_SOURCES = %D%/api.cc
folder_sources += %D%/api_knowledge.cc
tests_unit_api_SOURCES = \
  coll_wan/api/knowledge.cc \
  coll_wan/api/knowledge.h

# streams
unit_tests += %D%/streams
nodist_tests_unit_streams_SOURCES = %D%/streams.cc
folder_sources += \
  %D%/streams_frame.cc \
  %D%/streams_streams.cc

# probe
unit_tests += %D%/probe
nodist_tests_unit_probe_SOURCES = %D%/probe.cc
folder_sources += \
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
unit_tests += %D%/mca
nodist_tests_unit_mca_SOURCES = %D%/mca.cc
folder_sources += \
  %D%/mca_arguments.cc \
  %D%/mca_layout.cc \
  %D%/mca_layout.def \
  %D%/mca_layout.h
tests_unit_mca_CPPFLAGS = $(AM_CPPFLAGS) $(openmpi_cppflags)
tests_unit_mca_CXXFLAGS = $(AM_CXXFLAGS) $(OMPI_CXXFLAGS)
tests_unit_mca_LDADD = %D%/libmca_layout.a $(LDADD)
tests_unit_libmca_layout_a_SOURCES = %D%/mca_layout_of_c.c
tests_unit_libmca_layout_a_CPPFLAGS = $(openmpi_c_cppflags)

# process
unit_tests += %D%/process
nodist_tests_unit_process_SOURCES = %D%/process.cc
folder_sources += \
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
unit_tests += %D%/tools
nodist_tests_unit_tools_SOURCES = %D%/tools.cc
folder_sources += \
  %D%/tools_count.h \
  %D%/tools_site_sources.cc \
  %D%/tools_time_axis.cc \
  %D%/tools_timeline.cc \
  %D%/tools_topology_document.cc \
  %D%/tools_topology_findings.cc \
  %D%/tools_tree_picture.cc \
  %D%/tools_what_if.cc
tests_unit_tools_SOURCES = tests/support/layouts.h
tests_unit_tools_LDADD = libwantools.la $(LDADD)

# wanctl doctor
unit_tests += %D%/doctor
nodist_tests_unit_doctor_SOURCES = %D%/doctor.cc
folder_sources += \
  %D%/doctor_agent.cc \
  %D%/doctor_facts.h \
  %D%/doctor_judge_hosts.cc \
  %D%/doctor_judge_network.cc \
  %D%/doctor_text.cc
tests_unit_doctor_SOURCES = tests/support/agent_thread.h
tests_unit_doctor_LDADD = libwantools.la $(LDADD)

# wanctl probe
unit_tests += %D%/survey
nodist_tests_unit_survey_SOURCES = %D%/survey.cc
folder_sources += \
  %D%/survey_helper.cc \
  %D%/survey_report.cc
tests_unit_survey_SOURCES = tests/support/agent_thread.h
tests_unit_survey_LDADD = libwantools.la $(LDADD)

# A tarball has them all, also one that is made without tests.
if WITH_TESTS
check_PROGRAMS += $(unit_tests)
check_LIBRARIES += %D%/libmca_layout.a
fast_tests += $(unit_tests)
endif
