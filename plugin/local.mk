# SPDX-License-Identifier: GPL-2.0-or-later
# libplace: the placement service; slurmctld's hook and the command line use it
noinst_LTLIBRARIES += plugin/place/libplace.la
plugin_place_libplace_la_CFLAGS = $(AM_CFLAGS) -pthread
plugin_place_libplace_la_SOURCES = \
	plugin/place/place.h \
	plugin/place/reason.c \
	plugin/place/reason.h
