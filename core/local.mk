# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LTLIBRARIES += core/libcore.la
core_libcore_la_LIBADD = -lm
core_libcore_la_SOURCES = \
	core/builder.h \
	core/err.c \
	core/err.h \
	core/fabric.h \
	core/ioset.h \
	core/jobs.h \
	core/model.h \
	core/predict.h \
	core/route.h \
	core/score.h \
	core/search.h \
	core/traffic.h
