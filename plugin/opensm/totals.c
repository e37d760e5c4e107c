/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * totals.c - rows sorted by GUID and port, under a mutex; see totals.h
 *
 * PerfMgr says neither when a sweep begins nor when it ends, so a sweep counts as over when
 * PerfMgr has been quiet for REST_MS.  Sums and not differences are written: a reader that
 * misses a file loses nothing.
 *
 * The mutex is held for one row, or for a copy of the rows, never for a file.
 */

#include "plugin/opensm/totals.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "io/portkey.h"

#define REST_MS 250		/* PerfMgr is quiet this long between two sweeps */
#define PATIENCE_MS 5000	/* a sweep without such a pause is written in parts */
#define WAIT_FULL (UINT32_MAX - UINT32_MAX / 4)	/* PerfMgr clears a fuller counter */

struct row {
	struct sfab_counter counter;
	uint64_t wait_since;	/* ticks since PerfMgr last had to clear it */
};

struct sfab_totals {
	pthread_mutex_t lock;
	struct row *row;
	uint32_t n;
	uint64_t first_ms, last_ms;	/* of values not taken yet; first 0: none */
};

struct sfab_totals *sfab_totals_create(void)
{
	struct sfab_totals *t = calloc(1, sizeof(*t));

	if (t)
		pthread_mutex_init(&t->lock, NULL);
	return t;
}

void sfab_totals_destroy(struct sfab_totals *t)
{
	if (!t)
		return;
	pthread_mutex_destroy(&t->lock);
	free(t->row);
	free(t);
}

static int compare_total_ports(const void *a, const void *b)
{
	const struct sfab_counter *x = &((const struct row *) a)->counter;
	const struct sfab_counter *y = &((const struct row *) b)->counter;

	return sfab_portkey_compare(x->guid, x->port, y->guid, y->port);
}

static struct row *find_totals_row(const struct row *rows, uint32_t n, uint64_t guid, uint8_t port)
{
	const struct row key = { .counter = { .guid = guid, .port = port } };

	return n ? bsearch(&key, rows, n, sizeof(*rows), compare_total_ports) : NULL;
}

/*
 * Return the port's row with the lock held, or NULL and the lock not held.  Ports that are not
 * in the newest copy of the tables are not counted.
 */
static struct row *lock_row(struct sfab_totals *t, uint64_t guid, uint8_t port)
{
	struct row *r;

	pthread_mutex_lock(&t->lock);
	r = find_totals_row(t->row, t->n, guid, port);
	if (!r)
		pthread_mutex_unlock(&t->lock);
	return r;
}

static struct row *make_total_rows(const struct sfab_topology *topo)
{
	struct row *rows = calloc(topo->nports + 1u, sizeof(*rows));
	uint32_t n = 0;

	if (!rows)
		return NULL;
	for (uint32_t i = 0; i < topo->nnodes; i++) {
		const struct sfab_topo_node *node = &topo->node[i];

		for (uint32_t k = 0; k < node->nlisted; k++, n++) {
			rows[n].counter.guid = node->guid;
			rows[n].counter.port = topo->port[node->first_port + k].num;
		}
	}
	qsort(rows, n, sizeof(*rows), compare_total_ports);
	return rows;
}

/* Keep the sums of ports that stay, so that no sum ever decreases. */
int sfab_totals_set_ports(struct sfab_totals *t, const struct sfab_topology *topo,
			  struct sfab_err *err)
{
	struct row *rows = make_total_rows(topo), *old;

	if (!rows)
		return sfab_no_memory(err);
	pthread_mutex_lock(&t->lock);
	for (uint32_t i = 0; i < t->n; i++) {
		struct row *same = find_totals_row(
		    rows, topo->nports, t->row[i].counter.guid, t->row[i].counter.port);

		if (same)
			*same = t->row[i];
	}
	old = t->row;
	t->row = rows;
	t->n = topo->nports;
	pthread_mutex_unlock(&t->lock);
	free(old);
	return 0;
}

void sfab_totals_add_data(struct sfab_totals *t, uint64_t guid, uint8_t port,
			  uint64_t xmit_words, uint64_t rcv_words, uint64_t now_ms)
{
	struct row *r = lock_row(t, guid, port);

	if (!r)
		return;
	r->counter.xmit_words += xmit_words;
	r->counter.rcv_words += rcv_words;
	r->counter.time_ms = now_ms;
	t->last_ms = now_ms;
	if (!t->first_ms)
		t->first_ms = now_ms;
	pthread_mutex_unlock(&t->lock);
}

void sfab_totals_add_errors(struct sfab_totals *t, uint64_t guid, uint8_t port,
			    uint64_t wait_ticks, uint64_t discards, uint64_t errors)
{
	struct row *r = lock_row(t, guid, port);

	if (!r)
		return;
	/*
	 * wait_since follows the counter in the port: PerfMgr clears it after it has passed
	 * WAIT_FULL.  At its maximum it stops, and what came later is lost.
	 */
	r->counter.wait_ticks += wait_ticks;
	r->wait_since += wait_ticks;
	r->counter.flags = r->wait_since >= UINT32_MAX ?
		     SFAB_COUNTER_NO_WAIT | SFAB_COUNTER_STUCK : 0;
	if (r->wait_since >= WAIT_FULL)
		r->wait_since = 0;
	r->counter.discards += discards;
	r->counter.errors += errors;
	pthread_mutex_unlock(&t->lock);
}

int sfab_totals_is_ready(struct sfab_totals *t, uint64_t now_ms)
{
	int is_ready;

	pthread_mutex_lock(&t->lock);
	is_ready = t->first_ms && (now_ms < t->last_ms ||	/* the clock was set */
				now_ms >= t->last_ms + REST_MS ||
				now_ms >= t->first_ms + PATIENCE_MS);
	pthread_mutex_unlock(&t->lock);
	return is_ready;
}

int sfab_totals_has_pending(struct sfab_totals *t)
{
	int has_pending;

	pthread_mutex_lock(&t->lock);
	has_pending = t->first_ms != 0;
	pthread_mutex_unlock(&t->lock);
	return has_pending;
}

struct sfab_counters *sfab_totals_take(struct sfab_totals *t, uint64_t now_ms, struct sfab_err *err)
{
	struct sfab_counters *c;

	pthread_mutex_lock(&t->lock);
	c = sfab_counters_create(t->n);
	if (c) {
		c->n = 0;
		for (uint32_t i = 0; i < t->n; i++)
			if (t->row[i].counter.time_ms)
				c->row[c->n++] = t->row[i].counter;
		t->first_ms = 0;
	}
	pthread_mutex_unlock(&t->lock);
	if (!c) {
		sfab_no_memory(err);
		return NULL;
	}
	c->time_ms = now_ms;
	strcpy(c->source, "perfmgr");
	return c;
}
