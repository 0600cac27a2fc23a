# SPDX-License-Identifier: BSD-3-Clause
# Wrong input and mutants that must be rejected.
system_tests += %D%/component_errors_test.sh %D%/openmpi_source_test.sh
EXTRA_DIST += %D%/component_errors_test.sh %D%/openmpi_source_test.sh
