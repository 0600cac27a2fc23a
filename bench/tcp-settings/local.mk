# SPDX-License-Identifier: BSD-3-Clause
# What the TCP settings of hosts change: wan-bench over two sites, with one setting at a time.
system_tests += %D%/settings_test.sh
EXTRA_DIST += %D%/README.md %D%/hosts %D%/settings %D%/settings_test.sh %D%/table
