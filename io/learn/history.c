/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history.c - keys of jobs, and the means of what they sent; see history.h
 *
 * A key is a hash of the facts that its kind is about.  Rows are sorted by kind and key, so a
 * search needs no names, and a history that hides names works as well.
 *
 * The file has five parts: keys, what a row says, how a run is added, how rows are forgotten or
 * lose their names, and which fabric the rows are about.  history_work.c has the means.
 */

#include "io/learn/history_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/ascending.h"
#include "core/resize.h"
#include "io/hash.h"
#include "io/learn/job_stem.h"

#define TEXT_USED SFAB_STEM_MAX	/* bytes of a text that enter its key */
#define HALF_LIFE_S (30u * 86400u)
#define FORGOTTEN 256u		/* rows at once: to find them takes a pass over all */

/* What a key needs to be trusted. */
#define RUNS_MIN 3u		/* fewest runs that sent the usual traffic */
#define WEIGHT_MIN 0.75		/* least weight left of these runs */
#define USUAL_MIN 0.6		/* least weight of these runs, as a part of that of all runs */
#define SPREAD_MIN 0.05		/* a spread that is never too large */
#define SPREAD_PART 0.5		/* largest spread, as a part of the traffic */
#define SEVERAL_MIN 3u		/* fewest names in a key without one, or users in one without one */

static const char kind_name[SFAB_HISTORY_KINDS][20] = {
	[SFAB_BY_NAME_NODES] = "user+name+nodes",
	[SFAB_BY_NAME] = "user+name",
	[SFAB_BY_USER_ACCOUNT] = "user+account",
	[SFAB_BY_ACCOUNT] = "account",
	[SFAB_BY_PARTITION] = "partition",
};

const char *sfab_history_kind_name(enum sfab_history_kind kind)
{
	return kind < SFAB_HISTORY_KINDS ? kind_name[kind] : "?";
}

struct sfab_history *sfab_history_create(uint64_t salt)
{
	struct sfab_history *h = calloc(1, sizeof(*h));

	if (h)
		h->salt = salt;
	return h;
}

struct sfab_history *sfab_history_share(struct sfab_history *h)
{
	if (h)
		h->sharers++;
	return h;
}

void sfab_history_destroy(struct sfab_history *h)
{
	if (!h || h->sharers--)
		return;
	for (uint32_t i = 0; i < h->n; i++)
		free(h->row[i]);
	free(h->row);
	free(h);
}

uint32_t sfab_history_count(const struct sfab_history *h)
{
	return h->n;
}

/* -- keys ------------------------------------------------------------------- */

/* The facts of a job that a kind is about. */
struct history_key {
	uint8_t kind;
	uint32_t user, nodes;
	const char *text;	/* a fact of the job, or the stem */
	size_t size;		/* bytes of the text that count */
	char stem[SFAB_STEM_MAX];
};

/* Return the text among the facts that a kind is about. */
static const char *kind_text(const struct sfab_history_facts *job, uint8_t kind)
{
	return kind <= SFAB_BY_NAME ? job->name :
	       kind == SFAB_BY_PARTITION ? job->partition : job->account;
}

/*
 * Make the key of a job.  0: it has none of this kind.  Kinds are ordered from the most special
 * one on, so a comparison tells which facts a kind has.
 */
static int make_job_key(const struct sfab_history_facts *job, uint8_t kind, struct history_key *k)
{
	int named = kind <= SFAB_BY_NAME;

	k->kind = kind;
	k->user = k->nodes = 0;
	k->text = named ? k->stem : kind_text(job, kind);
	k->size = named ? sfab_job_stem(job->name, k->stem) :
		  k->text ? strnlen(k->text, TEXT_USED) : 0;
	if (kind <= SFAB_BY_USER_ACCOUNT)
		k->user = job->user;
	if (kind == SFAB_BY_NAME_NODES)
		k->nodes = job->nodes;
	return k->size > 0 && (kind != SFAB_BY_NAME_NODES || k->nodes);
}

/*
 * Hash a key with the salt, so that two sites' hashes of the same name differ.  The kind is
 * hashed too: the account of a user is another key than the account.
 */
static uint64_t hash_key(const struct sfab_history *h, const struct history_key *k)
{
	uint8_t bytes[8 + 1 + 4 + 4 + TEXT_USED];

	sfab_little_put64(bytes, h->salt);
	bytes[8] = k->kind;
	sfab_little_put32(bytes + 9, k->user);
	sfab_little_put32(bytes + 13, k->nodes);
	memcpy(bytes + 17, k->text, k->size);
	return sfab_hash64(bytes, 17 + k->size);
}

int sfab_history_row_cmp(const struct history_row *a, const struct history_row *b)
{
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return a->key < b->key ? -1 : a->key > b->key;
}

/* Find the first row that is not before @r. */
static uint32_t find_place(const struct sfab_history *h, const struct history_row *r)
{
	uint32_t low = 0, high = h->n;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (sfab_history_row_cmp(h->row[mid], r) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static struct history_row *find_row(const struct sfab_history *h, const struct history_key *k)
{
	struct history_row wanted = { .kind = k->kind, .key = hash_key(h, k) };
	uint32_t i = find_place(h, &wanted);

	return i < h->n && sfab_history_row_cmp(h->row[i], &wanted) == 0 ? h->row[i] : NULL;
}

/* -- what a row says -------------------------------------------------------- */

/* Return the part of a weight that is left after some time: all of it, if a clock was set back. */
static double weight_left(uint64_t last_s, uint64_t now_s)
{
	double age = now_s > last_s ? (double) (now_s - last_s) : 0;

	return exp2(-age / HALF_LIFE_S);
}

/*
 * Fill in @out from a row.  All weights of a row age alike, so their ratio (usual) does not
 * change with time.
 */
static void fill_learned(const struct sfab_history *h, const struct history_row *r,
			 uint64_t now_s, struct sfab_learned *out)
{
	const struct history_work *usual = &r->usual;

	out->kind = (enum sfab_history_kind) r->kind;
	out->runs = usual->runs;
	out->weight = usual->weight * weight_left(r->last_s, now_s);
	out->usual = r->weight > 0 ? fmin(usual->weight / r->weight, 1) : 0;
	out->spread = sqrt(usual->variance);
	out->last_s = r->last_s;
	sfab_learn_traffic(&h->sets, usual->part, usual->nparts, SFAB_HISTORY_SHARE_MIN,
			   &out->traffic);
}

/*
 * Count the different tags other than 0.  Two texts have the same tag with a chance of 1 in
 * 255, so the count may be too low, never too high.
 */
static uint32_t count_tags(const uint8_t *tag)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < HISTORY_RECENT; i++)
		n += tag[i] && !memchr(tag, tag[i], i);
	return n;
}

/*
 * Is the row sure enough to be used?  A job that sends little may spread by SPREAD_MIN, others
 * in proportion to what they send.
 */
static int is_trusted(const struct history_row *r, const struct sfab_learned *l)
{
	double sum = sfab_traffic_net_share(&l->traffic) +
		     sfab_traffic_io_share(&l->traffic);
	double max = fmax(SPREAD_PART * sum, SPREAD_MIN);

	if (l->runs < RUNS_MIN || l->weight < WEIGHT_MIN ||
	    l->usual < USUAL_MIN || l->spread > max)
		return 0;
	/* A key that others share says something about them if several had it. */
	return (r->kind <= SFAB_BY_NAME || count_tags(r->names) >= SEVERAL_MIN) &&
	       (r->kind <= SFAB_BY_USER_ACCOUNT ||
		count_tags(r->users) >= SEVERAL_MIN);
}

int sfab_history_find(const struct sfab_history *h,
		      const struct sfab_history_facts *job, uint64_t now_s,
		      struct sfab_learned *out)
{
	for (uint8_t kind = 0; h && kind < SFAB_HISTORY_KINDS; kind++) {
		const struct history_row *r;
		struct history_key k;

		if (!make_job_key(job, kind, &k))
			continue;
		r = find_row(h, &k);
		if (!r)
			continue;
		fill_learned(h, r, now_s, out);
		if (is_trusted(r, out))
			return 1;
	}
	return 0;
}

struct sfab_history_row sfab_history_row(const struct sfab_history *h, uint32_t i, uint64_t now_s)
{
	const struct history_row *r = h->row[i];
	const char *text = r->hashed ? NULL : r->text;
	struct sfab_history_row row = { .hashed = r->hashed, .users = count_tags(r->users),
					.names = count_tags(r->names), .key.user = r->user,
					.key.nodes = r->nodes };

	fill_learned(h, r, now_s, &row.learned);
	row.trusted = is_trusted(r, &row.learned);
	if (r->kind <= SFAB_BY_NAME)
		row.key.name = text;
	else if (r->kind == SFAB_BY_PARTITION)
		row.key.partition = text;
	else
		row.key.account = text;
	return row;
}

/* -- a run is added --------------------------------------------------------- */

/*
 * Record the run.  1: it was added before.  The same output of sacct may be read twice, and a
 * run may be counted by ports and by sacct.  A run is a job id and its begin, since a requeued
 * job runs more than once.  Without an id it counts as new.
 *
 * In the ring the newest hash replaces the oldest.  A run that is no longer there would be
 * counted again, which a window of 12 runs soon forgets.
 */
static int record_run(struct sfab_history *h, const struct sfab_history_run *run)
{
	uint8_t bytes[24];
	uint64_t hash;

	if (!run->job)
		return 0;
	sfab_little_put64(bytes, h->salt);
	sfab_little_put64(bytes + 8, run->job);
	sfab_little_put64(bytes + 16, run->start_s);
	hash = sfab_hash64(bytes, sizeof(bytes)) | 1;	/* never 0 */
	for (uint32_t i = 0; i < HISTORY_ADDED && h->added[i]; i++)
		if (h->added[i] == hash)
			return 1;
	h->added[h->nadded % HISTORY_ADDED] = hash;
	h->nadded++;
	return 0;
}

/* Return a byte that is the same for equal texts, and never 0. */
static uint8_t text_tag(const struct sfab_history *h, uint32_t user, const char *text, size_t size)
{
	uint8_t bytes[8 + 4 + TEXT_USED];

	sfab_little_put64(bytes, h->salt);
	sfab_little_put32(bytes + 8, user);
	if (size)
		memcpy(bytes + 12, text, size);
	return (uint8_t) (1 + sfab_hash64(bytes, 12 + size) % 255);
}

static void push_tag(uint8_t *tag, uint8_t newest)
{
	memmove(tag + 1, tag, HISTORY_RECENT - 1);
	tag[0] = newest;
}

/*
 * Add a run to a row.  The old weight is cut to the window, so that the newest run has its full
 * weight.
 */
static void add_run_to_key(const struct sfab_history *h, struct history_row *r,
			   const struct sfab_history_facts *job,
			   const struct sfab_history_run *run)
{
	double kept = weight_left(r->last_s, run->end_s), old = r->weight * kept;
	char stem[SFAB_STEM_MAX];
	size_t name = sfab_job_stem(job->name, stem);

	if (old > HISTORY_WINDOW - run->weight)
		kept *= (HISTORY_WINDOW - run->weight) / old;
	r->weight = fmin(r->weight * kept + run->weight, HISTORY_WINDOW);
	r->usual.weight *= kept;
	r->other.weight *= kept;
	sfab_history_take_run(h, r, run);
	push_tag(r->users, text_tag(h, job->user, NULL, 0));
	push_tag(r->names, name ? text_tag(h, 0, stem, name) : 0);
	/* Runs may be added out of order; time goes only forward. */
	if (run->end_s > r->last_s)
		r->last_s = run->end_s;
}

/*
 * Return the logarithm of the row's weight, without a term that all rows share.  All weights
 * halve in the same time, so the order of two rows never changes.
 */
static double row_weight(const struct history_row *r)
{
	return log2(r->weight) + (double) r->last_s / HALF_LIFE_S;
}

/* Forget the FORGOTTEN rows that weigh least, of equal ones the first.  -1: no memory. */
static int forget_lightest(struct sfab_history *h)
{
	double *weight = malloc(h->n * sizeof(*weight)), min;
	uint32_t kept = 0, equal = 0;

	if (!weight)
		return -1;
	for (uint32_t i = 0; i < h->n; i++)
		weight[i] = row_weight(h->row[i]);
	qsort(weight, h->n, sizeof(*weight), sfab_ascending_double);
	min = weight[FORGOTTEN - 1];
	for (uint32_t i = 0; i < FORGOTTEN; i++)
		equal += !(weight[i] < min);
	for (uint32_t i = 0; i < h->n; i++) {
		double w = row_weight(h->row[i]);
		int is_least = !(w < min) && !(w > min);

		if (w < min || (is_least && equal > 0)) {
			equal -= (uint32_t) is_least;
			free(h->row[i]);
		} else {
			h->row[kept++] = h->row[i];
		}
	}
	h->n = kept;
	free(weight);
	return 0;
}

/*
 * Insert a row for the key.  Where the history is full, the rows that weigh least make space.
 * With h->hides the row has no text, user and nodes: only its hash finds it.
 */
static struct history_row *insert_row(struct sfab_history *h, const struct history_key *k)
{
	struct history_row *fresh;
	const size_t max = sizeof(fresh->text) - 1;
	uint32_t place;

	if ((h->n >= SFAB_HISTORY_ROWS_MAX && forget_lightest(h) < 0) ||
	    sfab_resize_one_more(&h->row, h->n, sizeof(*h->row)) < 0)
		return NULL;
	fresh = calloc(1, sizeof(*fresh));
	if (!fresh)
		return NULL;
	fresh->kind = k->kind;
	fresh->key = hash_key(h, k);
	fresh->hashed = (uint8_t) h->hides;
	if (!h->hides) {
		fresh->user = k->user;
		fresh->nodes = k->nodes;
		/* A text that is too long is cut; its key has all of it. */
		memcpy(fresh->text, k->text, k->size < max ? k->size : max);
	}
	place = find_place(h, fresh);
	memmove(&h->row[place + 1], &h->row[place], (h->n - place) * sizeof(*h->row));
	h->n++;
	return h->row[place] = fresh;
}

/*
 * Record the run before it is added, so a failure in between loses it instead of counting it
 * twice.  A weight that is not positive, or no number, adds nothing.
 */
int sfab_history_add(struct sfab_history *h, const struct sfab_history_facts *job,
		     const struct sfab_history_run *run, struct sfab_err *err)
{
	struct sfab_history_run copy = *run;

	if (!(copy.weight > 0))
		return 0;
	if (record_run(h, run))
		return 1;
	copy.weight = fmin(copy.weight, 1);
	if (sfab_learn_sets_add(&h->sets, copy.sent, err) < 0)
		return -1;
	for (uint8_t kind = 0; kind < SFAB_HISTORY_KINDS; kind++) {
		struct history_row *r;
		struct history_key k;

		if (!make_job_key(job, kind, &k))
			continue;
		r = find_row(h, &k);
		if (!r)
			r = insert_row(h, &k);
		if (!r)
			return sfab_no_memory(err);
		add_run_to_key(h, r, job, &copy);
	}
	return 0;
}

/* -- forget, hide ----------------------------------------------------------- */

/* Has a row with names the facts?  All facts that are given must be of its kind, and fit. */
static int has_facts(const struct history_row *r, const struct sfab_history_facts *which)
{
	const char *wanted = kind_text(which, r->kind);
	const char *others[] = { which->name, which->account, which->partition };
	struct history_key k;
	size_t n = sizeof(r->text) - 1;		/* as it was kept */

	for (int i = 0; i < 3; i++)	/* a fact of another kind */
		if (others[i] && others[i] != wanted)
			return 0;
	if (which->user != SFAB_NONE && (r->kind > SFAB_BY_USER_ACCOUNT || which->user != r->user))
		return 0;
	if (which->nodes && which->nodes != r->nodes)
		return 0;
	if (!wanted)
		return 1;
	make_job_key(which, r->kind, &k);
	n = k.size < n ? k.size : n;
	return n == strlen(r->text) && memcmp(k.text, r->text, n) == 0;
}

uint32_t sfab_history_forget(struct sfab_history *h, const struct sfab_history_facts *which)
{
	int any = which->user == SFAB_NONE && !which->nodes && !which->name &&
		  !which->account && !which->partition;
	uint32_t kept = 0, gone;

	for (uint32_t i = 0; i < h->n; i++) {
		struct history_row *r = h->row[i];
		struct history_key k;
		int fits = any || (r->hashed ? make_job_key(which, r->kind, &k) &&
					       hash_key(h, &k) == r->key :
					       has_facts(r, which));

		if (fits)
			free(r);
		else
			h->row[kept++] = r;
	}
	if (any) {
		memset(h->added, 0, sizeof(h->added));
		h->nadded = 0;
	}
	gone = h->n - kept;
	h->n = kept;
	return gone;
}

/* Keep the hashes, so hidden rows are still found by jobs. */
void sfab_history_hide_names(struct sfab_history *h)
{
	h->hides = 1;
	for (uint32_t i = 0; i < h->n; i++) {
		struct history_row *r = h->row[i];

		r->hashed = 1;
		r->user = r->nodes = 0;
		memset(r->text, 0, sizeof(r->text));
	}
}

/* -- which fabric ----------------------------------------------------------- */

/*
 * Write the lowest hashes of host names, ascending, and 0 where there are fewer hosts.  The
 * lowest hashes are a random sample of the names that changes little when hosts come and go
 * (Broder, On the resemblance and containment of documents, 1997).
 */
static void sketch_hosts(const struct sfab_fabric *f, uint64_t *sketch)
{
	uint32_t n = 0;

	memset(sketch, 0, HISTORY_SKETCH * sizeof(*sketch));
	for (uint32_t i = 0; i < f->nhosts; i++) {
		const char *name = f->hosts[i].name;
		uint64_t hash = sfab_hash64((const uint8_t *) name, strlen(name)) | 1;
		uint32_t place = n;

		while (place > 0 && sketch[place - 1] > hash)
			place--;
		if (place == HISTORY_SKETCH)
			continue;
		n += n < HISTORY_SKETCH;
		memmove(&sketch[place + 1], &sketch[place], (n - place - 1) * sizeof(*sketch));
		sketch[place] = hash;
	}
}

void sfab_history_adopt(struct sfab_history *h, const struct sfab_fabric *f)
{
	sketch_hosts(f, h->sketch);
}

/* Accept an empty sketch: it is of every fabric. */
int sfab_history_knows(const struct sfab_history *h, const struct sfab_fabric *f)
{
	uint64_t sketch[HISTORY_SKETCH];
	uint32_t same = 0, all = 0;

	sketch_hosts(f, sketch);
	for (uint32_t i = 0; i < HISTORY_SKETCH && h->sketch[i]; i++) {
		all++;
		for (uint32_t k = 0; k < HISTORY_SKETCH; k++)
			same += sketch[k] == h->sketch[i];
	}
	return 2 * same >= all;
}
