/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz_adaptive.c - a switch that answers by chance how it adapts: its tables are what
 * adaptive.h promises, or nothing of them is used
 */

#include "io/wire/adaptive.h"
#include "tests/fuzz/bytes.h"
#include "tests/fuzz/fuzz.h"

#define BLOCKS 12		/* of 64 LIDs */
#define LIDS (SFAB_LFT_BLOCK * BLOCKS)
#define ASKED_MAX (2 + 64 + 6 * BLOCKS + 4096)	/* questions that it may cost */

struct chance {
	struct bytes in;
	unsigned asked;
};

/* Sixteen words, all the same or not; or none. */
static enum sfab_smp_answer answer_by_chance(void *ctx, const struct sfab_smp_path *to,
					     unsigned id, unsigned mod, uint8_t *out)
{
	struct chance *c = ctx;
	unsigned how = take8(&c->in) % 8, drawn = how == 5 ? SFAB_SMP_SIZE : 4;

	fuzz_check(++c->asked <= ASKED_MAX);
	if (how > 5)
		return how == 6 ? SFAB_SMP_REFUSED : SFAB_SMP_SILENT;
	for (unsigned i = 0; i < drawn; i++)
		out[i] = take8(&c->in);
	for (unsigned i = drawn; i < SFAB_SMP_SIZE; i++)
		out[i] = out[i - drawn];
	return SFAB_SMP_ANSWER;
}

static void check_group(const struct sfab_ar_group *g, const struct sfab_wire_node *node,
			uint8_t port)
{
	fuzz_check(g->n >= 1 && g->port[0] >= 1 && g->port[g->n - 1] <= node->nports);
	for (unsigned i = 1; i < g->n; i++)
		fuzz_check(g->port[i - 1] < g->port[i]);
	fuzz_check(memchr(g->port, port, g->n) != NULL);
}

static void check_tables(const struct sfab_ar_tables *t, const struct sfab_wire_node *node)
{
	fuzz_check(t->nlids == node->nblocks * SFAB_LFT_BLOCK);
	for (uint32_t lid = 0; lid < t->nlids; lid++) {
		fuzz_check(t->port[lid] == SFAB_PORT_NONE || t->port[lid] <= node->nports);
		fuzz_check(t->group[lid] <= SFAB_AR_GROUPS);
		if (t->group[lid])
			check_group(&t->groups[t->group[lid] - 1], node, t->port[lid]);
	}
}

static void ask_by_chance(struct chance *c, const struct sfab_wire_node *node,
			  struct sfab_ar_past *past)
{
	static struct sfab_ar_tables t;
	const struct sfab_smp_channel channel = { c, answer_by_chance };
	enum sfab_ar_answer got;

	c->asked = 0;
	got = sfab_adaptive_read(&channel, node, past, &t);
	fuzz_check(!*t.reason == (got != SFAB_AR_MUTE && got != SFAB_AR_UNCLEAR));
	fuzz_check(past->nlids == t.nlids);
	fuzz_check(got == SFAB_AR_ON ? t.nlids > 0 : got == SFAB_AR_UNCLEAR || !t.nlids);
	if (t.nlids)
		check_tables(&t, node);
}

/* The switch is asked three times, as by three sweeps. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint32_t entry[LIDS];
	uint8_t used[BLOCKS];
	struct sfab_ar_past past = { .entry = entry };
	struct chance c = { { data, size }, 0 };
	struct sfab_wire_node node = { .kind = SFAB_WIRE_SWITCH };

	node.nports = take8(&c.in) % SFAB_SWITCH_PORTS_MAX + 1;
	node.nblocks = 1 + take_below(&c.in, BLOCKS);
	node.id = (uint16_t) take16(&c.in);
	node.used = used;
	for (unsigned i = 0; i < BLOCKS; i++)
		used[i] = !(node.id >> i & 1);
	for (int i = 0; i < 3; i++)
		ask_by_chance(&c, &node, &past);
	return 0;
}
