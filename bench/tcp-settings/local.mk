# SPDX-License-Identifier: BSD-3-Clause
# What the TCP settings of hosts change: wan-bench over two sites, with one setting at a time.
EXTRA_DIST += %D%/hosts %D%/settings %D%/table
