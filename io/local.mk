# SPDX-License-Identifier: GPL-2.0-or-later
io_link = io/libread.a io/libio.a $(core_link) $(ZLIB_LIBS) $(EXPAT_LIBS) -lpthread

# libio: what slurmctld and opensm may use too (libc, libm)
noinst_LIBRARIES += io/libio.a
io_libio_a_CFLAGS = $(AM_CFLAGS) -pthread
io_libio_a_SOURCES = \
	io/conf/conf.c \
	io/conf/conf.h \
	io/conf/conf_guess.c \
	io/conf/conf_guess.h \
	io/conf/conf_ioset.c \
	io/conf/conf_kinds.c \
	io/conf/conf_lists.c \
	io/conf/conf_option.c \
	io/conf/conf_private.h \
	io/conf/conf_role.c \
	io/conf/conf_table.c \
	io/counters/counters.c \
	io/counters/counters.h \
	io/counters/counters_follow.c \
	io/counters/counters_measure.c \
	io/file.c \
	io/file.h \
	io/file_write.c \
	io/ar_traits.c \
	io/ar_traits.h \
	io/hash.c \
	io/hash.h \
	io/hostlist.c \
	io/hostlist.h \
	io/learn/found_traffic.c \
	io/learn/found_traffic.h \
	io/learn/history.c \
	io/learn/history.h \
	io/learn/history_file.c \
	io/learn/history_private.h \
	io/learn/history_work.c \
	io/learn/job_stem.c \
	io/learn/job_stem.h \
	io/learn/learn_file.c \
	io/learn/learn_file.h \
	io/little.h \
	io/log_once.h \
	io/namemap.c \
	io/namemap.h \
	io/spelling.c \
	io/spelling.h \
	io/nodedesc.c \
	io/nodedesc.h \
	io/option.h \
	io/portkey.h \
	io/rate.c \
	io/rate.h \
	io/readers/noise.c \
	io/readers/noise.h \
	io/record.c \
	io/record.h \
	io/rowfile.c \
	io/rowfile.h \
	io/scan.c \
	io/scan.h \
	io/snapshot/alive.c \
	io/snapshot/alive.h \
	io/snapshot/snapshot.c \
	io/snapshot/snapshot.h \
	io/snapshot/snapshot_decode.c \
	io/snapshot/snapshot_private.h \
	io/snapshot/snapshot_encode.c \
	io/snapshot/snapshot_format.c \
	io/snapshot/snapshot_format.h \
	io/snapshot/snapshot_tables.c \
	io/clock.c \
	io/clock.h \
	io/worker.c \
	io/worker.h

# libread: readers of other programs' files; command line only (zlib, expat)
noinst_LIBRARIES += io/libread.a
io_libread_a_CFLAGS = $(AM_CFLAGS) $(ZLIB_CFLAGS) $(EXPAT_CFLAGS)
io_libread_a_SOURCES = \
	io/counters/count_devices.c \
	io/counters/count_files.c \
	io/counters/count_files.h \
	io/counters/count_perfquery.c \
	io/counters/count_prometheus.c \
	io/counters/count_read.c \
	io/counters/count_tables.c \
	io/readers/gather.c \
	io/readers/gather.h \
	io/readers/csv.c \
	io/readers/csv.h \
	io/readers/formats.c \
	io/readers/formats.h \
	io/readers/lft_row.c \
	io/readers/lft_row.h \
	io/readers/read_db_csv.c \
	io/readers/read_far.c \
	io/readers/read_fdbs.c \
	io/readers/read_ibnetdiscover.c \
	io/readers/read_lfts.c \
	io/readers/read_opa.c \
	io/readers/read_opa_linear.c \
	io/readers/read_opensm_log.c \
	io/readers/read_routes.c \
	io/readers/read_subnet_lst.c \
	io/readers/reader.c \
	io/readers/reader.h \
	io/readers/routes.h \
	io/readers/routes_build.c \
	io/readers/sacct.c \
	io/readers/sacct.h \
	io/readers/text.c \
	io/readers/text.h

# libcollect: the wire; command line only (libibmad)
if HAVE_INFINIBAND
collect_link = io/libcollect.a $(INFINIBAND_LIBS)
noinst_LIBRARIES += io/libcollect.a
io_libcollect_a_CFLAGS = $(AM_CFLAGS) $(INFINIBAND_CFLAGS)
io_libcollect_a_SOURCES = \
	io/wire/adaptive.c \
	io/wire/adaptive.h \
	io/wire/collect.c \
	io/wire/collect.h \
	io/wire/discover.c \
	io/wire/discover.h \
	io/wire/performance.c \
	io/wire/wire.c \
	io/wire/wire.h \
	io/wire/wire_private.h
endif
