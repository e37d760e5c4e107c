# SPDX-License-Identifier: GPL-2.0-or-later
# libio: what slurmctld and opensm may use too (libc, libm)
noinst_LTLIBRARIES += io/libio.la
io_libio_la_CFLAGS = $(AM_CFLAGS) -pthread
io_libio_la_SOURCES = \
	io/conf.c \
	io/alive.c \
	io/alive.h \
	io/conf.h \
	io/conf_ioset.c \
	io/conf_kinds.c \
	io/conf_lists.c \
	io/conf_role.c \
	io/conf_option.c \
	io/conf_private.h \
	io/conf_table.c \
	io/counters.c \
	io/counters.h \
	io/counters_follow.c \
	io/counters_measure.c \
	io/file.c \
	io/file.h \
	io/hash.c \
	io/hash.h \
	io/hostlist.c \
	io/hostlist.h \
	io/little.h \
	io/namemap.c \
	io/namemap.h \
	io/nodedesc.c \
	io/noise.c \
	io/noise.h \
	io/nodedesc.h \
	io/option.h \
	io/portkey.h \
	io/rate.c \
	io/rate.h \
	io/said.h \
	io/scan.c \
	io/scan.h \
	io/snapshot.c \
	io/snapshot.h \
	io/snapshot_decode.c \
	io/snapshot_decode.h \
	io/snapshot_encode.c \
	io/snapshot_format.c \
	io/snapshot_format.h \
	io/snapshot_iosets.c \
	io/snapshot_tables.c \
	io/thread.c \
	io/thread.h

# libread: readers of other programs' files; command line only (zlib, expat)
noinst_LTLIBRARIES += io/libread.la
io_libread_la_CFLAGS = $(AM_CFLAGS) $(ZLIB_CFLAGS) $(EXPAT_CFLAGS)
io_libread_la_LIBADD = $(ZLIB_LIBS) $(EXPAT_LIBS)
io_libread_la_SOURCES = \
	io/columns.c \
	io/columns.h \
	io/count_perfquery.c \
	io/count_tables.c \
	io/counts.c \
	io/counts.h \
	io/db_csv.c \
	io/db_csv.h \
	io/formats.h \
	io/gather.c \
	io/gather.h \
	io/lft_row.c \
	io/lft_row.h \
	io/read_db_csv.c \
	io/read_far.c \
	io/read_fdbs.c \
	io/read_ibnetdiscover.c \
	io/read_lfts.c \
	io/read_opa.c \
	io/read_opa_linear.c \
	io/read_opensm_log.c \
	io/read_routes.c \
	io/read_subnet_lst.c \
	io/reader.c \
	io/reader.h \
	io/room.h \
	io/routes.h \
	io/routes_build.c \
	io/text.c \
	io/xml.c \
	io/xml.h

# libcollect: the wire; command line only (libibmad)
if HAVE_INFINIBAND
noinst_LTLIBRARIES += io/libcollect.la
io_libcollect_la_CFLAGS = $(AM_CFLAGS) $(INFINIBAND_CFLAGS)
io_libcollect_la_LIBADD = $(INFINIBAND_LIBS)
io_libcollect_la_SOURCES = \
	io/collect.c \
	io/collect.h \
	io/collect_wire.c \
	io/discover.c \
	io/discover.h \
	io/wire.h
endif
