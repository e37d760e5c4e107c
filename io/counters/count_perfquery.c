/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * count_perfquery.c - counters as perfquery(8) prints them; see formats.h
 *
 *     # Port extended counters: Lid 2 port 36 (CapMask: 0x1300)
 *     PortSelect:......................36
 *     PortXmitData:....................3000009072
 *
 * Any number of answers in sequence.  XmitWait and discards are taken from the classic 32-bit
 * counters as well; data is taken only from the extended ones, because the classic ones stop at
 * their maximum.
 */

#include "io/readers/formats.h"

#include <string.h>

#include "io/counters/count_files.h"
#include "io/readers/csv.h"

#define NAME_SIZE 48

/* What was read of one answer so far. */
struct perf_answer {
	int is_open, is_extended;
	struct sfab_counter row;
};

/* Add the row of the answer that is open, if there is one. */
static int end_answer(struct sfab_counts *c, struct perf_answer *a,
		      struct sfab_err *err)
{
	if (!a->is_open)
		return 0;
	a->is_open = 0;
	return sfab_counts_add(c, &a->row, err);
}

/* Parse "Lid 2 port 36 ", after the colon of the heading, and begin the row of that port. */
static int start_answer(struct sfab_counts *c, struct perf_answer *a,
			struct sfab_scan *s, struct sfab_err *err)
{
	uint32_t lid, port;
	uint8_t lid_port = 0;

	if (end_answer(c, a, err))
		return -1;
	if (!sfab_scan_take(s, "Lid ") || !sfab_scan_dec(s, SFAB_IB_LID_MAX, &lid) ||
	    !sfab_scan_take(s, " port ") ||
	    !sfab_scan_dec(s, UINT8_MAX, &port))
		return sfab_scan_expect(s, err, "port", "Lid N port N");
	memset(&a->row, 0, sizeof(a->row));
	a->row.guid = sfab_counts_lid_guid(c, lid, &lid_port);
	if (!a->row.guid)
		return sfab_scan_fail(s, err, "LID %u is not of this fabric",
				      (unsigned) lid);
	a->row.port = lid_port ? lid_port : (uint8_t) port;
	a->row.flags = SFAB_COUNTED_NOTHING;
	a->is_open = port != UINT8_MAX;	/* 255: the sum of all ports */
	return 0;
}

static const char *const total_names[SFAB_NTOTALS] = {
	"PortXmitData", "PortRcvData", "PortXmitWait", "PortXmitDiscards", "PortRcvErrors",
};

/* Parse a line "NAME:....N". */
static int parse_counter(struct perf_answer *a, struct sfab_scan *s,
			 struct sfab_err *err)
{
	char name[NAME_SIZE];
	const char *from = s->pos;
	struct sfab_csv_field field;
	uint64_t n;

	if (!sfab_scan_past(s, ":"))
		return sfab_scan_expect(s, err, "line", "NAME:....N");
	sfab_scan_copy(name, sizeof(name), from, s->pos - 1);
	while (s->pos < s->end && (*s->pos == '.' || *s->pos == ' '))
		s->pos++;
	field.begin = s->pos;
	field.end = s->end;
	if (!sfab_csv_field_number(&field, UINT64_MAX, &n))
		return 0;	/* "<not displayed>" */
	for (unsigned k = a->is_extended ? SFAB_XMIT : SFAB_WAIT; k < SFAB_NTOTALS; k++)
		if (strcmp(name, total_names[k]) == 0)
			sfab_counts_set_total(&a->row, k, n);
	return 0;
}

/*
 * Parse a line of an answer, which has a head line and then a counter per line.  Other heads
 * end it.
 */
static int parse_perfquery_line(struct sfab_counts *c, struct perf_answer *a,
				struct sfab_scan *s, struct sfab_err *err)
{
	if (s->pos == s->end)
		return 0;
	if (sfab_scan_take(s, "# Port extended counters: ")) {
		a->is_extended = 1;
		return start_answer(c, a, s, err);
	}
	if (sfab_scan_take(s, "# Port counters: ")) {
		a->is_extended = 0;
		return start_answer(c, a, s, err);
	}
	if (*s->pos == '#')
		return end_answer(c, a, err);	/* details, not needed */
	return a->is_open ? parse_counter(a, s, err) : 0;
}

int sfab_perfquery_count(struct sfab_counts *c, struct sfab_scan *s,
			 struct sfab_err *err)
{
	struct perf_answer a = {0};

	while (sfab_scan_line(s))
		if (parse_perfquery_line(c, &a, s, err))
			return -1;
	if (end_answer(c, &a, err))
		return -1;
	return sfab_scan_finish(s, err);
}
