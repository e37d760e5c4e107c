# SPDX-License-Identifier: GPL-2.0-or-later
# libplace: the placement service; slurmctld's hook and the command line use it
place_link = place/libplace.a $(lua_link)
noinst_LIBRARIES += place/libplace.a
place_libplace_a_CFLAGS = $(AM_CFLAGS) -pthread
place_libplace_a_SOURCES = \
	place/ask.c \
	place/certify.c \
	place/comment.c \
	place/decision.h \
	place/events.c \
	place/log/logline.c \
	place/log/logline.h \
	place/log/logring.c \
	place/log/logring.h \
	place/log/say_log.c \
	place/log/say_log.h \
	place/nodes.c \
	place/nodes.h \
	place/place.c \
	place/place.h \
	place/place_private.h \
	place/plugin_mark.h \
	place/ranks.c \
	place/running.c \
	place/running.h \
	place/site_rules.c \
	place/slurm_versions.h \
	place/stock_choice.c \
	place/request/decision_cache.c \
	place/request/decision_cache.h \
	place/request/intent.c \
	place/request/intent.h \
	place/request/need.c \
	place/request/need.h \
	place/request/scratch.c \
	place/request/scratch.h \
	place/request/script_cache.c \
	place/request/script_cache.h \
	place/request/reason.c \
	place/request/reason.h \
	place/request/request.c \
	place/request/request.h \
	place/request/watchdog.c \
	place/request/watchdog.h \
	place/state/conffile.c \
	place/state/conffile.h \
	place/state/event_queue.c \
	place/state/event_queue.h \
	place/state/feedback.c \
	place/state/feedback.h \
	place/state/generation.c \
	place/state/generation.h \
	place/state/governor.c \
	place/state/governor.h \
	place/state/handoff.h \
	place/state/jobload.c \
	place/state/jobload.h \
	place/state/loader.c \
	place/state/loader.h \
	place/state/replica.c \
	place/state/replica.h \
	place/state/site_view.c \
	place/state/site_view.h \
	place/state/snapfiles.c \
	place/state/snapfiles.h \
	place/state/reporting.c \
	place/state/reporting.h \
	place/state/watch.c \
	place/state/watch.h
