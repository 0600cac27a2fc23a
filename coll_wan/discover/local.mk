# SPDX-License-Identifier: BSD-3-Clause
# Which site each process is at: what the sources of sites say, and what follows from it.
nodist_libwanjob_la_SOURCES += %D%.cc
folder_sources += \
  %D%/block_yaml.cc \
  %D%/block_yaml.h \
  %D%/collect.cc \
  %D%/collect.h \
  %D%/finding.h \
  %D%/host_list.cc \
  %D%/host_list.h \
  %D%/kubernetes.cc \
  %D%/kubernetes.h \
  %D%/own_surroundings.cc \
  %D%/own_surroundings.h \
  %D%/sites.cc \
  %D%/sites.h \
  %D%/slurm.cc \
  %D%/slurm.h \
  %D%/slurm_topology.cc \
  %D%/slurm_topology.h \
  %D%/source.cc \
  %D%/source.h \
  %D%/subnet.cc \
  %D%/subnet.h \
  %D%/surroundings.h
EXTRA_DIST += %D%/sources.def
