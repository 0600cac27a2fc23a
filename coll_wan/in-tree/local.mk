# SPDX-License-Identifier: BSD-3-Clause
# coll_wan as a component in Open MPI's own source tree.
EXTRA_DIST += %D%/Makefile.am %D%/add %D%/configure.m4 %D%/owner.txt
