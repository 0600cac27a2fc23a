# SPDX-License-Identifier: BSD-3-Clause
# Parsers against random bytes. `make check` replays each target's corpus; tests/fuzz/run searches for more with clang.
if WITH_TESTS

check_PROGRAMS += %D%/program_text %D%/topo_host_pattern %D%/topo_quantity %D%/topo_site_file
fast_tests += %D%/program_text %D%/topo_host_pattern %D%/topo_quantity %D%/topo_site_file
tests_fuzz_program_text_SOURCES = %D%/replay.cc %D%/program_text.cc
tests_fuzz_topo_host_pattern_SOURCES = %D%/replay.cc %D%/topo_host_pattern.cc
tests_fuzz_topo_quantity_SOURCES = %D%/replay.cc %D%/topo_quantity.cc
tests_fuzz_topo_site_file_SOURCES = %D%/replay.cc %D%/topo_site_file.cc

endif

EXTRA_DIST += \
  %D%/corpus \
  %D%/program_text.dict \
  %D%/run \
  %D%/topo_host_pattern.dict \
  %D%/topo_quantity.dict \
  %D%/topo_site_file.dict
