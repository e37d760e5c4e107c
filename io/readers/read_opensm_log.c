/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * read_opensm_log.c - the routing engine that OpenSM really used, from its log; see formats.h
 *
 *     Nov 20 21:56:56 087960 [BF29F6C0] 0x80 -> Entering MASTER state
 *     ... 0x01 -> ucast_mgr_route: ftree: cannot build lid matrices
 *     ... 0x02 -> osm_ucast_mgr_process: updn tables configured on all switches
 *     ... 0x02 -> SUBNET UP
 *
 * The last sweep counts.  Engines that failed were requested before the one that succeeded.  A
 * subnet manager that went to standby does not know the current tables: its log is refused.
 */

#include "io/readers/formats.h"

#include <stdio.h>
#include <string.h>

#include "io/scan.h"

#define ENGINE_SIZE 32
#define ASKED_SIZE 256

/* Gathered line by line; what a later sweep says replaces the earlier. */
struct log_facts {
	char failed_engines[ASKED_SIZE];	/* "ftree,", in this sweep */
	char asked_engines[ASKED_SIZE];		/* "ftree,updn", in the last */
	char engine[ENGINE_SIZE];		/* of the last, "": none yet */
	uint64_t sm_guid;
	unsigned standby_line;			/* line; 0: master, or unknown */
};

/* Take "NAME" up to @stop.  A text longer than any engine's name is none. */
static int take_engine_name(struct sfab_scan *s, const char *stop,
			    char name[ENGINE_SIZE])
{
	const char *from = s->pos;

	if (!sfab_scan_past(s, stop) ||
	    (size_t) (s->pos - from) - strlen(stop) >= ENGINE_SIZE)
		return 0;
	sfab_scan_copy(name, ENGINE_SIZE, from, s->pos - strlen(stop));
	return *name && !strpbrk(name, ", \t") && sfab_plane_engines_are_names(name);
}

/*
 * Parse the message after " -> ".  Engines that failed count as asked for once another one has
 * configured the tables.
 */
static void parse_message(struct log_facts *f, struct sfab_scan *s)
{
	char engine[ENGINE_SIZE];

	if (sfab_scan_take(s, "osm_ucast_mgr_process: ")) {
		if (take_engine_name(s, " tables configured", engine)) {
			strcpy(f->engine, engine);
			f->asked_engines[0] = '\0';
			if (f->failed_engines[0])
				snprintf(f->asked_engines, sizeof(f->asked_engines), "%.*s%s",
					 ASKED_SIZE - ENGINE_SIZE, f->failed_engines,
					 engine);
			f->failed_engines[0] = '\0';
		}
	} else if (sfab_scan_take(s, "ucast_mgr_route: ")) {
		if (take_engine_name(s, ": cannot ", engine)) {
			size_t len = strlen(f->failed_engines);

			/* No list is that long; engines that do not fit are left out. */
			if (len + strlen(engine) + 2 + ENGINE_SIZE < ASKED_SIZE)
				snprintf(f->failed_engines + len, ASKED_SIZE - len,
					 "%s,", engine);
		}
	} else if (sfab_scan_take(s, "Entering ")) {
		f->standby_line = sfab_scan_take(s, "STANDBY") ||
			     sfab_scan_take(s, "NOT-ACTIVE") ? s->line : 0;
	} else if (sfab_scan_take(s, "osm_opensm_bind: ") &&
		   sfab_scan_past(s, " on port 0x")) {
		sfab_scan_hex(s, UINT64_MAX, &f->sm_guid);
	}
}

int sfab_opensm_log_read(const struct sfab_reader_ctx *ctx, struct sfab_scan *s,
			 struct sfab_err *err)
{
	struct log_facts f = {.engine = ""};

	while (sfab_scan_line(s))
		if (sfab_scan_past(s, "] 0x") && sfab_scan_past(s, " -> "))
			parse_message(&f, s);
	if (f.standby_line)
		return sfab_fail(err, SFAB_EFORMAT, "%s:%u: this subnet manager "
				 "is standby (expected the log of the master)",
				 ctx->file, f.standby_line);
	if (!f.engine[0])
		return sfab_scan_fail(s, err, "no routing engine in this log "
				      "(expected \"ENGINE tables configured "
				      "on\"; log_flags 0x03 has it)");
	sfab_builder_set_engine(ctx->builder, ctx->plane, f.engine);
	if (f.asked_engines[0])
		sfab_builder_set_engines_asked(ctx->builder, ctx->plane, f.asked_engines);
	if (f.sm_guid)
		sfab_builder_set_sm(ctx->builder, ctx->plane, f.sm_guid);
	return 0;
}

/* Look for a time and "[THREAD] 0xLEVEL -> ", since a rotated log may begin with any message. */
int sfab_opensm_log_detect(struct sfab_scan *s)
{
	uint64_t level;

	while (sfab_scan_line(s))
		if (sfab_scan_past(s, " [") && sfab_scan_past(s, "] 0x") &&
		    sfab_scan_hex(s, UINT8_MAX, &level) &&
		    sfab_scan_take(s, " -> "))
			return 1;
	return 0;
}
