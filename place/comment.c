/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * comment.c - our part of a job's AdminComment; see place.h
 *
 *     text of the admin; sfabric:placed, IO alone 55 of 55 GB/s, 70 of 70 steps clear, shares
 *     no switch link with 41 running jobs at its start, traffic=mpi=0.3 score=0.120
 *     own=0.120
 *
 * What a reader wants comes first: slurmctld and squeue cut long comments.
 *
 * Our part begins with "sfabric:" at the start or after a semicolon and ends before the next
 * semicolon.  The rest of the comment belongs to others.  Anyone may read it who may see the
 * job, so it counts other jobs and names none.
 */

#include "place/place_private.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/utf8.h"
#include "place/request/intent.h"

#define PREFIX "sfabric:"
#define REQUEUED PREFIX "requeued"
#define PART_SIZE 1152	/* bytes */
#define TRAFFIC_SIZE 512
#define RANKS_SIZE 96
#define LEARNED_SIZE 80
/* " NAME=" and twelve characters, up to 99999999.999, for the total and each term. */
#define SCORE_SIZE ((SFAB_NTERMS + 1) * (1 + 11 + 1 + 12) + 1)

/* slurmctld sizes the whole comment by SFAB_COMMENT_MORE: "; " and our part. */
_Static_assert(2 + PART_SIZE <= SFAB_COMMENT_MORE, "our part fits");
/* A job that was placed has no hint_text, so 64 bytes hold the words between. */
_Static_assert(64 + SFAB_CERTIFICATE_TEXT + RANKS_SIZE + TRAFFIC_SIZE + SCORE_SIZE +
	       LEARNED_SIZE <= PART_SIZE, "all that is said of a placed job fits");

/*
 * Find the start of our part, or NULL; *@end is the byte after it.  Only at the start of a
 * part: "see sfabric:" within an admin's own sentence is not ours to remove.
 */
static const char *find_part(const char *text, const char **end)
{
	for (const char *part = text, *next;; part = next + 1) {
		part += strspn(part, " ");
		next = part + strcspn(part, ";");
		if (!strncmp(part, PREFIX, strlen(PREFIX))) {
			*end = next;
			return part;
		}
		if (!*next)
			return NULL;
	}
}

/* Append to the text in @buf of @size bytes. */
__attribute__((format(printf, 3, 4))) static void
append_to_part(char *buf, size_t size, const char *fmt, ...)
{
	size_t n = strlen(buf);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf + n, size - n, fmt, ap);
	va_end(ap);
}

/* Append the score, and its terms that show in three digits: the decision log has all. */
static void append_score(const struct sfab_decision *d, char *buf, size_t size)
{
	append_to_part(buf, size, " score=%.3f", d->score.total);
	for (int i = 0; i < SFAB_NTERMS; i++)
		if (d->score.term[i] >= 0.0005)
			append_to_part(buf, size, " %s=%.3f", sfab_term_name((enum sfab_term) i),
				       d->score.term[i]);
}

/* Write "sfabric:WORD ...", printable, without a semicolon. */
static void write_comment_part(const struct sfab_place *p, char *buf, size_t size)
{
	const struct sfab_decision *d = &p->begin_decision;
	char traffic[TRAFFIC_SIZE], certificate[SFAB_CERTIFICATE_TEXT] = "", learned[LEARNED_SIZE];

	snprintf(buf, size, PREFIX "%s%s", d->reason == SFAB_PLACED ? "" : "stock ",
		 sfab_reason_word(d->reason));
	if (p->is_certified)
		sfab_certificate_text(&p->certificate, certificate);
	if (*certificate)
		append_to_part(buf, size, ", %s", certificate);
	if (p->ranks.is_known)
		append_to_part(buf, size, ", ranks by routes: steps %.3f, by name %.3f",
			       p->ranks.found_slowdown, p->ranks.name_slowdown);
	if (*certificate || p->ranks.is_known)
		append_to_part(buf, size, ",");
	if (d->traffic.nparts)
		append_to_part(buf, size, " traffic=%s",
			       sfab_traffic_text(&d->traffic, traffic, sizeof(traffic)));
	if (d->reason == SFAB_PLACED)
		append_score(d, buf, size);
	if (*sfab_intent_origin_text(&d->origin, learned, sizeof(learned)))
		append_to_part(buf, size, ", traffic learned from %s", learned);
	if (d->hint == SFAB_HINT_WRONG)
		append_to_part(buf, size, " hint is wrong: %s", d->hint_text);
	sfab_utf8_clean(buf, size, buf, size);
	for (char *semicolon = buf; (semicolon = strchr(semicolon, ';'));)
		*semicolon = ',';
}

/*
 * Copy @old without our part, the blanks before it and one semicolon: the one that joined them.
 * All others are the admin's, also where nothing is between them.
 */
static void write_rest(const char *old, char *buf, size_t size)
{
	const char *end, *part = find_part(old, &end);
	size_t head;

	if (!part) {
		snprintf(buf, size, "%s", old);
		return;
	}
	head = (size_t) (part - old);
	while (head && old[head - 1] == ' ')
		head--;
	if (head)
		head--;
	else if (*end)
		end += 1 + (end[1] == ' ');
	snprintf(buf, size, "%.*s%s", (int) head, old, end);
}

int sfab_place_comment(const struct sfab_place *p, const char *old, char *buf, size_t size)
{
	const char *end, *old_text = old && *old ? old : "";
	char part[PART_SIZE] = "";
	size_t n;

	/* A job that starts again may carry our part of an earlier run, to be removed. */
	if (!p->may_comment || (!p->gets_comment && !find_part(old_text, &end)))
		return 0;
	if (p->gets_comment)
		write_comment_part(p, part, sizeof(part));
	write_rest(old_text, buf, size);
	n = strlen(buf);
	if (*part)
		snprintf(buf + n, size - n, "%s%s", n ? "; " : "", part);
	return 1;
}

int sfab_place_comment_requeued(const struct sfab_place *p, const char *old, char *buf, size_t size)
{
	const char *end, *old_text = old ? old : "", *part = find_part(old_text, &end);
	size_t n;

	if (!part || !p->generation || !p->generation->conf->admin_comment ||
	    !strncmp(part, REQUEUED, strlen(REQUEUED)))
		return 0;
	write_rest(old_text, buf, size);
	n = strlen(buf);
	snprintf(buf + n, size - n, "%s%s", n ? "; " : "", REQUEUED);
	return 1;
}
