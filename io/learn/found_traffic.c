/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * found_traffic.c - traffic.snap as an object and as bytes; see found_traffic.h
 *
 * Jobs are sorted by id, so a job is found by a binary search and two equal ids show when a
 * file is read.  Nothing in a file is believed: each number is checked against its range before
 * anything is done with it.
 */

#include "io/learn/found_traffic.h"

#include <stdlib.h>

#include "core/ascending.h"
#include "io/learn/learn_file.h"
#include "io/record.h"

#define FIELD(type, member) SFAB_FIELD(SFAB_F_##type, sfab_found_job, member)

/* Row: what it begins with, then parts at the last sample, and mean shares. */
static const struct sfab_field job_fields[] = {
	FIELD(U32, id), FIELD(LOW8, flags), FIELD(LOW8, latest.nparts), SFAB_FIELD_ZERO(2),
	FIELD(U32, samples), FIELD(U32, exact), FIELD(U64, start_s), FIELD(U64, time_s),
	FIELD(F64, residual), FIELD(F64, confidence),
	SFAB_FIELD_END
};
enum {
	AT_NOW = 48,
	AT_MEAN = AT_NOW + LEARN_PARTS,
	FOUND_ROW = AT_MEAN + 8 * SFAB_TRAFFIC_PARTS,
};

#define BELIEVED_MIN 0.005	/* a weight that is not worth a part of its own */

/* Own bytes: the part of the bytes that is where the tables say. */
static const struct sfab_rowfile found_format = {
	.magic = SFAB_FOUND_MAGIC, .what = "found traffic",
	.version = SFAB_FOUND_VERSION, .max_rows = SFAB_FOUND_JOBS_MAX, .max_names = LEARN_SETS,
	.header = LEARN_HEADER, .extra = 8, .row = FOUND_ROW,
};

struct sfab_found *sfab_found_create(uint32_t n)
{
	struct sfab_found *f = calloc(1, sizeof(*f) + n * sizeof(f->job[0]));

	if (!f)
		return NULL;
	f->n = n;
	f->followed = -1;
	return f;
}

struct sfab_found *sfab_found_share(struct sfab_found *f)
{
	if (f)
		f->sharers++;
	return f;
}

void sfab_found_destroy(struct sfab_found *f)
{
	if (f && !f->sharers--)
		free(f);
}

const struct sfab_found_job *sfab_found_job(const struct sfab_found *f, uint32_t id)
{
	/* The id is what a job begins with. */
	return f ? bsearch(&id, f->job, f->n, sizeof(*f->job), sfab_ascending_u32) : NULL;
}

int sfab_found_strays(const struct sfab_found *f, uint64_t fingerprint, uint32_t percent)
{
	return f && f->fingerprint == fingerprint && f->followed >= 0 &&
	       100 * f->followed < percent;
}

/*
 * Check both ages: a file that nobody writes any more is old, and so is a job that the last
 * samples lack.
 */
int sfab_found_is_usable(const struct sfab_found *f, const struct sfab_found_job *j,
			 uint64_t now_s)
{
	return now_s <= f->time_ms / 1000 + SFAB_FOUND_OLD_S &&
	       now_s <= j->time_s + SFAB_FOUND_OLD_S &&
	       (j->confidence > 0 || j->flags & SFAB_FOUND_ALIKE);
}

/* Add @part of the weights of @from.  A part for which there is no space is left out. */
static void add_parts(struct sfab_traffic *t, const struct sfab_traffic *from, double part)
{
	for (uint32_t i = 0; i < from->nparts; i++) {
		double more = part * from->part[i].share;
		struct sfab_traffic_part *p = more < BELIEVED_MIN ? NULL :
					      sfab_traffic_find_or_add(t, &from->part[i]);

		if (p)
			p->share += more;
	}
}

void sfab_found_believe(const struct sfab_found_job *j, const struct sfab_traffic *found,
			struct sfab_traffic *t)
{
	double sure = j->flags & SFAB_FOUND_ALIKE ? 1 : j->confidence;
	struct sfab_traffic mixed = { 0 };

	add_parts(&mixed, found, sure);
	add_parts(&mixed, t, 1 - sure);
	*t = mixed;
}

/* -- bytes ------------------------------------------------------------------ */

static int is_share(double x)		/* NaN fails */
{
	return x >= 0 && x <= 1;
}

/* Read the mean shares.  Their sum may be a little above 1, since each is rounded. */
static int get_mean(const uint8_t *bytes, struct sfab_found_job *j)
{
	double sum = 0;

	j->mean = j->latest;
	for (uint32_t i = 0; i < SFAB_TRAFFIC_PARTS; i++) {
		double x = sfab_little_get_f64(bytes + 8 * i);

		if (!is_share(x) || (i >= j->latest.nparts && sfab_little_get64(bytes + 8 * i)))
			return -1;
		if (i < j->latest.nparts)
			j->mean.part[i].share = x;
		sum += x;
	}
	return sum <= 1 + 1e-9 ? 0 : -1;	/* rounding of a sum of 1 */
}

/* Read row @i.  Samples that were exact are some of all samples, so there cannot be more. */
static int get_found(const uint8_t *bytes, const struct learn_sets *sets, uint32_t i,
		     struct sfab_found_job *j, struct sfab_err *err)
{
	const struct sfab_rowfile *f = &found_format;
	int gap = sfab_record_get(job_fields, bytes, j);
	struct learn_part part[SFAB_TRAFFIC_PARTS];
	uint32_t nparts = j->latest.nparts;

	if (nparts > SFAB_TRAFFIC_PARTS || j->flags & ~SFAB_FOUND_FLAGS ||
	    gap < 0 || j->exact > j->samples)
		return sfab_fail(err, SFAB_EFORMAT, "%s: row %u: %u parts, flags 0x%x "
				 "(expected at most %u, 0x%x)", f->what, i, nparts,
				 j->flags, SFAB_TRAFFIC_PARTS, SFAB_FOUND_FLAGS);
	if (!is_share(j->residual) || !is_share(j->confidence))
		return sfab_fail(err, SFAB_EFORMAT, "%s: row %u: residual %g, confidence "
				 "%g (expected 0 to 1)", f->what, i, j->residual,
				 j->confidence);
	if (sfab_learn_get_parts(bytes + AT_NOW, sets, part, nparts, f, i, err) < 0)
		return -1;
	sfab_learn_traffic(sets, part, nparts, 0, &j->latest);
	if (get_mean(bytes + AT_MEAN, j) < 0)
		return sfab_fail(err, SFAB_EFORMAT, "%s: row %u: mean shares are no "
				 "shares", f->what, i);
	return 0;
}

/* Collect the names of IO sets first: the rows refer to them by number. */
int sfab_found_encode(const void *object, uint8_t **buf, size_t *size,
		      struct sfab_err *err)
{
	const struct sfab_found *f = object;
	struct learn_sets sets = { 0 };

	*buf = NULL;
	for (uint32_t i = 0; i < f->n; i++)
		if (sfab_learn_sets_add(&sets, &f->job[i].latest, err) < 0)
			return -1;
	if (f->n > SFAB_FOUND_JOBS_MAX)
		return sfab_fail(err, SFAB_ELIMIT, "%u jobs (expected at most %u)", f->n,
				 SFAB_FOUND_JOBS_MAX);
	*buf = sfab_rowfile_begin(&found_format, sets.name[0], sets.n, f->n, size);
	if (!*buf)
		return sfab_no_memory(err);
	sfab_little_put64(*buf + LEARN_AT_FIRST, f->time_ms);
	sfab_little_put64(*buf + LEARN_AT_SECOND, f->fingerprint);
	sfab_little_put_f64(*buf + LEARN_HEADER, f->followed);
	for (uint32_t i = 0; i < f->n; i++) {
		uint8_t *row = *buf + sfab_rowfile_row(&found_format, sets.n, i);
		const struct sfab_found_job *j = &f->job[i];

		sfab_record_put(job_fields, j, row);
		/* Parts are written once: the mean has only shares of its own. */
		for (uint32_t k = 0; k < j->latest.nparts; k++) {
			struct learn_part part = sfab_learn_make_part(&sets, &j->latest.part[k]);

			sfab_learn_put_parts(row + AT_NOW + k * LEARN_PART, &part, 1);
			sfab_little_put_f64(row + AT_MEAN + 8 * k, j->mean.part[k].share);
		}
	}
	sfab_rowfile_seal(LEARN_HEADER, *buf, *size);
	return 0;
}

/* Read all rows.  Ids must ascend, so that no job is there twice and a search can find each. */
static int get_found_rows(struct sfab_found *f, const uint8_t *buf,
			  const struct learn_sets *s, struct sfab_err *err)
{
	f->time_ms = sfab_little_get64(buf + LEARN_AT_FIRST);
	f->fingerprint = sfab_little_get64(buf + LEARN_AT_SECOND);
	f->followed = sfab_little_get_f64(buf + LEARN_HEADER);
	if (!(f->followed <= 1))	/* NaN, too */
		return sfab_fail(err, SFAB_EFORMAT, "%s: %g of the bytes are where the "
				 "tables say (expected at most 1)", found_format.what,
				 f->followed);
	for (uint32_t i = 0; i < f->n; i++) {
		if (get_found(buf + sfab_rowfile_row(&found_format, s->n, i), s, i,
			      &f->job[i], err) < 0)
			return -1;
		if (i && f->job[i - 1].id >= f->job[i].id)
			return sfab_fail(err, SFAB_EFORMAT, "%s: row %u: job %u twice or "
					 "out of order", found_format.what, i,
					 f->job[i].id);
	}
	return 0;
}

void *sfab_found_decode(const uint8_t *buf, size_t size, struct sfab_err *err)
{
	struct sfab_found *f;
	struct learn_sets s;

	if (sfab_learn_open(&found_format, buf, size, &s, err) < 0)
		return NULL;
	f = sfab_found_create(sfab_little_get32(buf + SFAB_ROWS_AT_N));
	if (!f)
		sfab_no_memory(err);
	if (f && get_found_rows(f, buf, &s, err) == 0)
		return f;
	sfab_found_destroy(f);
	return NULL;
}

int sfab_found_save(const struct sfab_found *f, const char *path, unsigned mode,
		    struct sfab_err *err)
{
	return sfab_file_encode(path, mode, sfab_found_encode, f, err);
}

static uint64_t found_size(const uint8_t *head, size_t n, struct sfab_err *err)
{
	return sfab_rowfile_size(&found_format, head, n, err);
}

struct sfab_found *sfab_found_load(const char *path, const struct sfab_trust *trust,
				   struct sfab_err *err)
{
	return sfab_file_decode(path, trust, found_size, sfab_found_decode, err);
}
