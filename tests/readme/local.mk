# SPDX-License-Identifier: BSD-3-Clause
# README.md and docs/ say what is so: its parameters, its commands, its files.
check_PROGRAMS += %D%/parameter_table
tests_readme_parameter_table_SOURCES = %D%/parameter_table.cc
tests_readme_parameter_table_LDADD = libwancore.la
fast_tests += %D%/parameters_test.sh %D%/results_test.sh
system_tests += %D%/benchmarks_test.sh %D%/ompi_info_test.sh %D%/presets_test.sh %D%/commands_test.sh
EXTRA_DIST += %D%/app.c %D%/app.sh %D%/benchmarks_test.sh %D%/commands.sh %D%/commands_test.sh %D%/ompi_info_test.sh %D%/parameter_values.c %D%/parameters_test.sh %D%/presets_test.sh %D%/results_test.sh
