# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LTLIBRARIES += core/libcore.la
core_libcore_la_LIBADD = -lm
core_libcore_la_SOURCES = \
	core/ahead.c \
	core/ahead.h \
	core/ahead_draw.c \
	core/backfill.c \
	core/backfill.h \
	core/ahead_private.h \
	core/alike.c \
	core/best_fit.c \
	core/best_fit.h \
	core/builder.c \
	core/builder.h \
	core/builder_group.c \
	core/builder_names.c \
	core/builder_private.h \
	core/classes.c \
	core/classes.h \
	core/counts.c \
	core/demand.c \
	core/demand_io.c \
	core/demand_private.h \
	core/err.c \
	core/err.h \
	core/fabric.c \
	core/fabric.h \
	core/fabric_private.h \
	core/flows.c \
	core/freeze.c \
	core/greedy.c \
	core/greedy.h \
	core/index.c \
	core/ioset.c \
	core/ioset.h \
	core/iovec.c \
	core/iovec.h \
	core/iovec_cover.c \
	core/iovec_cover.h \
	core/iovec_keep.c \
	core/iovec_private.h \
	core/iovec_sum.c \
	core/jobs.c core/jobs_felt.c \
	core/jobs.h \
	core/jobs_demand.c \
	core/jobs_private.h \
	core/jobs_served.c \
	core/lmc.c \
	core/load.c \
	core/maxmin.c \
	core/measured.c \
	core/measured.h \
	core/merge.c \
	core/merge.h \
	core/model.c \
	core/model.h \
	core/paths.c \
	core/paths.h \
	core/plain.c \
	core/predict.c \
	core/predict.h \
	core/random.h \
	core/pairs.c \
	core/pairs.h \
	core/route.c \
	core/route.h \
	core/route_private.h \
	core/score.c \
	core/score.h \
	core/search.c \
	core/search.h \
	core/search_io.c \
	core/search_io_items.c \
	core/search_io_private.h \
	core/search_leaves.c \
	core/search_private.h \
	core/search_swaps.c \
	core/served.c \
	core/served.h \
	core/space.c \
	core/steps.c \
	core/steps.h \
	core/steps_bound.c \
	core/steps_pattern.c \
	core/steps_private.h \
	core/throughput.c \
	core/throughput.h \
	core/traffic.c \
	core/traffic.h \
	core/tree.c \
	core/tree.h \
	core/unreachable.c \
	core/utf8.c \
	core/utf8.h

# the audit is for the command only: what goes into slurmctld has no use for it
noinst_LTLIBRARIES += core/libaudit.la
core_libaudit_la_LIBADD = core/libcore.la -lm
core_libaudit_la_SOURCES = \
	core/io_moves.c \
	core/io_moves.h \
	core/audit.c \
	core/audit.h \
	core/audit_hosts.c \
	core/audit_io.c \
	core/audit_links.c \
	core/audit_private.h \
	core/audit_rates.c \
	core/audit_routes.c \
	core/audit_spines.c \
	core/audit_topology.c
