# SPDX-License-Identifier: BSD-3-Clause
# The component mca_coll_wan.so: the only folder that knows Open MPI.
component_LTLIBRARIES += mca_coll_wan.la
mca_coll_wan_la_SOURCES =
nodist_mca_coll_wan_la_SOURCES = %D%.cc
folder_sources += \
  %D%/arguments.h \
  %D%/background.cc \
  %D%/background.h \
  %D%/buffers.cc \
  %D%/buffers.h \
  %D%/communicator.cc \
  %D%/communicator.h \
  %D%/component.cc \
  %D%/component.h \
  %D%/contact.cc \
  %D%/contact.h \
  %D%/directory.cc \
  %D%/directory.h \
  %D%/edge_survey.cc \
  %D%/edge_survey.h \
  %D%/entry.h \
  %D%/functions.def \
  %D%/info_keys.cc \
  %D%/info_keys.h \
  %D%/inquiry.h \
  %D%/job_report.cc \
  %D%/job_report.h \
  %D%/link_agreement.cc \
  %D%/link_agreement.h \
  %D%/link_watch.cc \
  %D%/link_watch.h \
  %D%/locality.cc \
  %D%/locality.h \
  %D%/module.cc \
  %D%/module.h \
  %D%/neighbor_collectives.def \
  %D%/ompi.h \
  %D%/operation.h \
  %D%/parameters.cc \
  %D%/parameters.h \
  %D%/performance_variables.cc \
  %D%/performance_variables.h \
  %D%/place.cc \
  %D%/place.h \
  %D%/channel.h \
  %D%/pml_in_use.cc \
  %D%/pml_in_use.h \
  %D%/pml_transport.cc \
  %D%/pml_transport.h \
  %D%/progress.cc \
  %D%/progress.h \
  %D%/report.cc \
  %D%/report.h \
  %D%/request.cc \
  %D%/request.h \
  %D%/shim/any/ompi/mpi/fortran/base/fint_2_int.h \
  %D%/shim/c11/stdatomic.h \
  %D%/shim/v5/opal/mca/threads/pthreads/threads_pthreads.h \
  %D%/shim/v5/opal/mca/threads/pthreads/threads_pthreads_mutex.h \
  %D%/shim/v5/opal/mca/threads/pthreads/threads_pthreads_threads.h \
  %D%/shim/v5/opal/mca/threads/pthreads/threads_pthreads_tsd.h \
  %D%/site_probe.cc \
  %D%/site_probe.h \
  %D%/stream_peers.cc \
  %D%/stream_peers.h \
  %D%/tag.h \
  %D%/task.cc \
  %D%/task.h \
  %D%/translate.cc \
  %D%/translate.h \
  %D%/translate_neighbors.cc \
  %D%/translate_neighbors.h
help_DATA += %D%/help-coll-wan.txt
EXTRA_DIST += %D%/help-coll-wan.txt %D%/exports.map
mca_coll_wan_la_DEPENDENCIES = libwanjob.la %D%/exports.map
# Stand-ins for headers that Open MPI does not install come after every system directory: a complete install wins. The one for a header that is
# not C++ comes first.
openmpi_c_cppflags = $(OMPI_CPPFLAGS) $(PMIX_CFLAGS) $(HWLOC_CFLAGS) -idirafter $(top_srcdir)/coll_wan/mca/shim/any
if OMPI_5
openmpi_c_cppflags += -idirafter $(top_srcdir)/coll_wan/mca/shim/v5
endif
openmpi_cppflags = -I$(top_srcdir)/coll_wan/mca/shim/c11 $(openmpi_c_cppflags)
mca_coll_wan_la_CPPFLAGS = $(AM_CPPFLAGS) $(openmpi_cppflags) -DWAN_HELP_DIR='"$(helpdir)"'
mca_coll_wan_la_CXXFLAGS = $(AM_CXXFLAGS) $(OMPI_CXXFLAGS)
mca_coll_wan_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -no-undefined \
	-Wl,--version-script=$(top_srcdir)/%D%/exports.map $(COMPONENT_LDFLAGS)
mca_coll_wan_la_LIBADD = libwanjob.la $(OMPI_COMPONENT_LIBS) $(PMIX_LIBS) $(HWLOC_LIBS)
