/* SPDX-License-Identifier: GPL-2.0-or-later */
/* placed.c - a placement service on a made fabric; see placed.h */

#include "tests/unit/placed.h"

#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static char logged[1 << 16];

void placed_log(enum sfab_place_level level, const char *line)
{
	size_t n;

	pthread_mutex_lock(&log_lock);
	n = strlen(logged);
	snprintf(logged + n, sizeof(logged) - n, "%s\n", line);
	pthread_mutex_unlock(&log_lock);
}

int placed_logged(const char *text)
{
	int n = 0;

	pthread_mutex_lock(&log_lock);
	for (const char *at = logged; (at = strstr(at, text)); at++)
		n++;
	pthread_mutex_unlock(&log_lock);
	return n;
}

void placed_forget_log(void)
{
	pthread_mutex_lock(&log_lock);
	logged[0] = '\0';
	pthread_mutex_unlock(&log_lock);
}

struct sfab_conf *placed_conf(const char *text)
{
	struct sfab_err err = { 0 };
	struct sfab_conf *conf = sfab_conf_parse(text, strlen(text),
						 "sfabric.conf", &err);

	ck_assert_msg(conf != NULL, "%s", err.text);
	return conf;
}

struct sfab_snapshot *placed_snapshot(const struct made *m)
{
	struct sfab_fabric *f = made_fabric(m);
	char name[8][16];
	const char *host[8];
	struct sfab_ioset_spec spec = {
		.name = "fs", .map = SFAB_IOMAP_ALL, .host = host,
	};
	struct sfab_err err = { 0 };
	struct sfab_iosets *io;
	struct sfab_snapshot *s;

	for (unsigned l = 1; l < m->leaves && spec.nhosts < 8; l++) {
		snprintf(name[spec.nhosts], sizeof(name[0]), "n%u",
			 l * m->hosts + 1);
		host[spec.nhosts] = name[spec.nhosts];
		spec.nhosts++;
	}
	io = sfab_iosets_create(f, &spec, 1, &err);
	ck_assert_msg(io != NULL, "%s", err.text);
	s = sfab_snapshot_take(f, io, &err);
	ck_assert_msg(s != NULL, "%s", err.text);
	return s;
}

void placed_nodes(struct placed *t, uint32_t nnodes)
{
	struct sfab_place_node table[PLACED_NODES];
	char name[PLACED_NODES][16];
	struct sfab_err err = { 0 };

	t->nnodes = nnodes;
	for (uint32_t i = 0; i < nnodes; i++) {
		snprintf(name[i], sizeof(name[i]), "n%u", i + 1);
		table[i] = (struct sfab_place_node){ name[i], 8, 1000 };
		t->node[i] = SFAB_NODE_USABLE | SFAB_NODE_IDLE;
		t->weight[i] = 1;
	}
	ck_assert_msg(!sfab_place_set_nodes(t->p, table, nnodes, &err), "%s",
		      err.text);
}

void placed_start(struct placed *t, const struct made *m, const char *conf)
{
	struct sfab_place_options o = { .log = placed_log };
	struct sfab_err err = { 0 };

	memset(t, 0, sizeof(*t));
	placed_forget_log();
	t->p = sfab_place_create(&o, &err);
	ck_assert_msg(t->p != NULL, "%s", err.text);
	ck_assert_msg(!sfab_place_take(t->p, placed_snapshot(m),
				       placed_conf(conf), &err), "%s", err.text);
	placed_nodes(t, m->leaves * m->hosts);
}

void placed_stop(struct placed *t)
{
	sfab_place_destroy(t->p);
}

const struct sfab_decision *placed_ask(struct placed *t, uint32_t id, uint32_t n)
{
	t->ask.id = id;
	t->ask.min_nodes = t->ask.req_nodes = t->ask.max_nodes = n;
	t->ask.flags |= SFAB_ASK_WHOLE_NODES;
	t->ask.node = t->node;
	t->ask.weight = t->weight;
	return sfab_place_ask(t->p, &t->ask);
}

void placed_begin_on(struct placed *t, uint32_t id, const uint32_t *node,
		     uint32_t n, unsigned flags)
{
	struct sfab_place_run run = {
		.id = id, .asked_id = id, .flags = flags | SFAB_RUN_WHOLE_NODES,
		.n = n, .node = node, .nodes = "the nodes",
		.partition = t->ask.partition, .comment = t->ask.comment,
		.network = t->ask.network,
	};

	sfab_place_begin(t->p, &run);
	for (uint32_t i = 0; i < n; i++)
		t->node[node[i]] = 0;
}

void placed_begin(struct placed *t, const struct sfab_decision *d, uint32_t id)
{
	uint32_t node[PLACED_NODES], n = 0;

	for (uint32_t i = 0; i < t->nnodes; i++)
		if (sfab_decision_has(d, i))
			node[n++] = i;
	placed_begin_on(t, id, node, n, 0);
}

const char *placed_text(const struct sfab_decision *d, uint32_t nnodes)
{
	static char text[4][400];
	static int turn;
	char *buf = text[turn++ % 4];
	size_t n = 0;

	buf[0] = '\0';
	for (uint32_t i = 0; i < nnodes; i++)
		if (sfab_decision_has(d, i))
			n += (size_t) snprintf(buf + n, sizeof(text[0]) - n,
					       "%s%u", n ? " " : "", i);
	return buf;
}
