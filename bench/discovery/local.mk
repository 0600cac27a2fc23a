# SPDX-License-Identifier: BSD-3-Clause
# What jobs find out about their network by themselves, over twenty topologies.
EXTRA_DIST += %D%/README.md %D%/kinds %D%/table %D%/topologies %D%/topology.sh
