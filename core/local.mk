# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LTLIBRARIES += core/libcore.la
core_libcore_la_LIBADD = -lm
core_libcore_la_SOURCES = \
	core/ahead.c \
	core/ahead.h \
	core/alike.c \
	core/best_fit.c \
	core/builder.c \
	core/builder.h \
	core/builder_group.c \
	core/builder_private.h \
	core/counts.c \
	core/demand.c \
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
	core/jobs.c \
	core/jobs.h \
	core/jobs_private.h \
	core/lmc.c \
	core/maxmin.c \
	core/model.c \
	core/model.h \
	core/paths.c \
	core/paths.h \
	core/plain.c \
	core/predict.c \
	core/predict.h \
	core/random.h \
	core/route.c \
	core/route.h \
	core/route_private.h \
	core/score.c \
	core/score.h \
	core/search.c \
	core/search.h \
	core/search_io.c \
	core/search_leaves.c \
	core/search_private.h \
	core/space.c \
	core/traffic.c \
	core/traffic.h \
	core/tree.c \
	core/tree.h \
	core/unreachable.c
