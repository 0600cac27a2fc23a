# SPDX-License-Identifier: BSD-3-Clause
# libwan_multicast: the C functions of wan_multicast.h over any MPI.
lib_LTLIBRARIES += libwan_multicast.la
include_HEADERS += %D%/wan_multicast.h
libwan_multicast_la_SOURCES =
nodist_libwan_multicast_la_SOURCES = %D%.cc
folder_sources += \
  %D%/datatype.cc \
  %D%/datatype.h \
  %D%/domain.cc \
  %D%/domain.h \
  %D%/knowledge.cc \
  %D%/knowledge.h \
  %D%/lost_processes.cc \
  %D%/lost_processes.h \
  %D%/mpi_carrier.cc \
  %D%/mpi_carrier.h \
  %D%/mpi_versions.h \
  %D%/multicast.cc \
  %D%/wan_multicast.h
libwan_multicast_la_CPPFLAGS = $(AM_CPPFLAGS) $(OMPI_CPPFLAGS)
libwan_multicast_la_DEPENDENCIES = libwancore.la %D%/exports.map
libwan_multicast_la_LDFLAGS = $(AM_LDFLAGS) -no-undefined -version-info 0:0:0 \
	-Wl,--version-script=$(top_srcdir)/%D%/exports.map
pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = %D%/wan_multicast.pc
EXTRA_DIST += %D%/exports.map
libwan_multicast_la_LIBADD = libwancore.la $(OMPI_LIBS) -lpthread
