# SPDX-License-Identifier: BSD-3-Clause
# Command-line programs over the core.
