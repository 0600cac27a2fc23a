# SPDX-License-Identifier: BSD-3-Clause
# The component mca_coll_wan.so: the only folder that knows Open MPI.
# The stand-ins for headers that Open MPI does not install come after every system directory: a complete install wins.
mca_coll_wan_la_CPPFLAGS = $(AM_CPPFLAGS) $(OMPI_CPPFLAGS) $(PMIX_CFLAGS) $(HWLOC_CFLAGS) \
	-DWAN_HELP_DIR='"$(helpdir)"' -idirafter $(top_srcdir)/coll_wan/mca/shim/any
if OMPI_5
mca_coll_wan_la_CPPFLAGS += -idirafter $(top_srcdir)/coll_wan/mca/shim/v5
endif
mca_coll_wan_la_CXXFLAGS = $(AM_CXXFLAGS) $(OMPI_CXXFLAGS)
# Nothing undefined and everything bound at once: the wrong Open MPI refuses the component, and the job goes on without it.
mca_coll_wan_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -no-undefined \
	-export-symbols-regex '^mca_coll_wan_component' -Wl,-z,defs -Wl,-z,now
mca_coll_wan_la_LIBADD = libwancore.la $(OMPI_LIBS) -lopen-pal $(PMIX_LIBS) $(HWLOC_LIBS)
