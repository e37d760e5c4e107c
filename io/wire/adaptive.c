/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * adaptive.c - groups of ports, and which LIDs use them; see adaptive.h
 *
 * All numbers are big-endian.  An entry of the table has the state of a LID in its two highest
 * bits, then a table of groups, the port for static traffic, and the group in the twelve
 * lowest.  Bit p of the 256 of a sub-group is port p, or port p + 1: published sources differ,
 * and the ports for static traffic decide.
 */

#include "io/wire/adaptive.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "io/hash.h"

#define STATIC_TABLE 0x0019u	/* LinearForwardingTable */
#define PRIVATE_INFO 0xFF10u	/* can it have private tables, and has it? */
#define PRIVATE_MAP 0xFF14u	/* which one, by port of entry and service level */
#define AR_INFO 0xFF20u
#define AR_GROUP_TABLE 0xFF21u
#define AR_TABLE 0xFF23u	/* of SwitchX and later */

#define QUANTUM_3 0xD2F4u

#define MAP_PORTS 4u		/* in a block of the map, each with 16 service levels */
#define TABLE_LIDS 16u		/* in a block of the table */
#define PARTS 8u		/* a known table is asked for in so many, one a sweep */
#define BLOCK_GROUPS 2u		/* sub-groups in a block of groups */
#define GROUP_BYTES 32u
#define BLOCK_MAX 0xFFFu
#define STATE_STATIC 2u		/* 0 bounded, 1 free, 3 by hash: all by group */
#define STATIC_NOWHERE 0x80FF0000u	/* an entry: static, no route */

struct ar_reader {
	const struct sfab_smp_channel *channel;
	const struct sfab_wire_node *node;
	struct sfab_ar_tables *t;
	struct sfab_ar_past *past;	/* may be NULL */
	uint64_t static_hash;		/* hash of the static table; 0: not asked for */
	unsigned nsubgroups;		/* of each group */
	unsigned top_group;		/* highest group */
	uint32_t block;			/* of groups, in ->groups; UINT32_MAX: none */
	uint8_t groups[SFAB_SMP_SIZE];
};

static uint32_t get_be32(const uint8_t *bytes)
{
	return (uint32_t) bytes[0] << 24 | (uint32_t) bytes[1] << 16 |
	       (uint32_t) bytes[2] << 8 | bytes[3];
}

/* Set why the answers are unclear.  Return -1 for the caller. */
static int __attribute__((format(printf, 2, 3)))
set_unclear(struct ar_reader *r, const char *text, ...)
{
	va_list ap;

	va_start(ap, text);
	vsnprintf(r->t->reason, sizeof(r->t->reason), text, ap);
	va_end(ap);
	return -1;
}

static enum sfab_smp_answer ask_vendor(const struct ar_reader *r, unsigned id,
				       unsigned mod, uint8_t *out)
{
	memset(out, 0, SFAB_SMP_SIZE);
	return r->channel->ask(r->channel->ctx, &r->node->path, id, mod, out);
}

static int must_answer(struct ar_reader *r, unsigned id, unsigned mod, const char *what,
		       uint8_t *out)
{
	enum sfab_smp_answer answer = ask_vendor(r, id, mod, out);

	if (answer == SFAB_SMP_ANSWER)
		return 0;
	return set_unclear(r, answer == SFAB_SMP_REFUSED ? "does not tell its %s" :
			   "does not answer for its %s", what);
}

static const struct {
	uint8_t byte, bit;
} ar_trait_bits[SFAB_AR_TRAITS] = {
	[SFAB_AR_HBF] = { 22, 7 }, [SFAB_AR_SHIELD] = { 3, 4 }, [SFAB_AR_PFRN] = { 22, 4 },
};

/* Note that some traffic keeps to the static ports, though the table says otherwise. */
static void check_exceptions(struct ar_reader *r, const uint8_t *info)
{
	uint32_t flags = get_be32(info), levels = get_be32(info + 8) >> 16;

	if (flags >> 28 & 1 && levels != SFAB_AR_ALL_LEVELS)
		set_unclear(r, "adapts for some service levels only (0x%04x)", levels);
	else if (flags >> 29 & 1 && info[15] & SFAB_AR_DATA_TRANSPORTS)
		set_unclear(r, "does not adapt for some transports (0x%x)", info[15]);
	else if (info[22] >> 5 & 1)
		set_unclear(r, "adapts for some virtual lanes only");
}

/*
 * Read the bits of the first word: 0 enabled, 8-11 further sub-groups of each group, 28 only
 * for some service levels, 29 not for some transports.  The second: groups it can have, then
 * the highest that is used, 0 also if the switch does not know.
 */
static enum sfab_ar_answer read_ar_info(struct ar_reader *r)
{
	uint8_t info[SFAB_SMP_SIZE];
	enum sfab_smp_answer answer = ask_vendor(r, AR_INFO, 0, info);
	uint32_t flags = get_be32(info), size = get_be32(info + 4), can = size & 0xFFF;

	if (answer == SFAB_SMP_REFUSED)
		return SFAB_AR_UNSUPPORTED;
	if (answer != SFAB_SMP_ANSWER) {
		set_unclear(r, "does not answer whether it adapts");
		return SFAB_AR_MUTE;
	}
	if (!(flags & 1) || !can)
		return SFAB_AR_OFF;
	r->nsubgroups = 1 + (flags >> 8 & 15);
	r->top_group = size >> 12 & 0xFFF ? size >> 12 & 0xFFF : can - 1;
	for (unsigned i = 0; i < SFAB_AR_TRAITS; i++)
		r->t->traits |= (info[ar_trait_bits[i].byte] >> ar_trait_bits[i].bit & 1u) << i;
	check_exceptions(r, info);
	if (r->top_group >= can)
		set_unclear(r, "has %u groups, the highest of which is %u", can, r->top_group);
	else if (r->node->id == QUANTUM_3)
		set_unclear(r, "is a Quantum-3, whose planes and FLIDs are not read");
	return *r->t->reason ? SFAB_AR_UNCLEAR : SFAB_AR_ON;
}

/*
 * Check whether packets are routed by other tables than the first.  1: some are.  If the fourth
 * byte, the mode, is 0, the switch has no other, and its map says nothing.
 */
static int check_private(struct ar_reader *r)
{
	uint8_t info[SFAB_SMP_SIZE], map[SFAB_SMP_SIZE];
	enum sfab_smp_answer answer = ask_vendor(r, PRIVATE_INFO, 0, info);

	if (answer == SFAB_SMP_REFUSED || (answer == SFAB_SMP_ANSWER && !info[3]))
		return 0;
	for (unsigned p = 0; p <= r->node->nports; p++) {
		const uint8_t *level = map + p % MAP_PORTS * 16;

		if (p % MAP_PORTS == 0 &&
		    must_answer(r, PRIVATE_MAP, p / MAP_PORTS, "private tables", map) < 0)
			return -1;
		for (unsigned sl = 0; sl < 16; sl++)
			if (level[sl]) {
				set_unclear(r, "has private tables (pLFT): port %u, "
					    "service level %u", p, sl);
				return 1;
			}
	}
	return 0;
}

/*
 * Take the entry of a LID (its bits: see the top of this file).  A group that it names is
 * marked as used.  -1: it is not clear.
 */
static int take_ar_entry(struct ar_reader *r, uint32_t lid, uint32_t entry)
{
	unsigned group = entry & 0xFFF, port = entry >> 16 & 0xFF;
	struct sfab_ar_tables *t = r->t;

	t->port[lid] = (uint8_t) port;
	t->group[lid] = 0;
	if (port == SFAB_PORT_NONE || port == 0)
		return 0;
	if (port > r->node->nports)
		return set_unclear(r, "sends LID 0x%x by port %u (expected 0-%u)",
				   lid, port, r->node->nports);
	if (entry >> 30 == STATE_STATIC)
		return group && group != port ?
		       set_unclear(r, "sends LID 0x%x always by port %u, and always by "
				   "%u", lid, port, group) : 0;
	if (entry >> 24 & 15)
		return set_unclear(r, "has several tables of groups (LID 0x%x)", lid);
	if (group > r->top_group)
		return set_unclear(r, "sends LID 0x%x by group %u (expected 0-%u)", lid,
				   group, r->top_group);
	t->group[lid] = (uint16_t) (group + 1);
	t->groups[group].n = 1;		/* so that its ports are asked for later */
	return 0;
}

/* Read the static table.  1: it is that of the last sweep, so that nobody has changed routes. */
static int read_static_table(struct ar_reader *r, uint32_t n)
{
	if (!r->past || r->past->nlids != n)
		return 0;
	for (uint32_t block = 0; block < n / SFAB_LFT_BLOCK; block++) {
		uint8_t *ports = r->t->port + block * SFAB_LFT_BLOCK;

		if (!r->node->used[block])
			memset(ports, SFAB_PORT_NONE, SFAB_LFT_BLOCK);
		else if (ask_vendor(r, STATIC_TABLE, block, ports) != SFAB_SMP_ANSWER)
			return 0;
	}
	r->static_hash = sfab_hash64(r->t->port, n);
	return r->static_hash == r->past->static_hash;
}

/*
 * Read the entries of all LIDs.  @known: those of the last sweep hold, if the part that is
 * asked for is still the same.  1: it is not.
 */
static int read_entries(struct ar_reader *r, uint32_t n, int known)
{
	uint8_t block[SFAB_SMP_SIZE];
	int used = 0, asked = 0;

	for (unsigned g = 0; g < SFAB_AR_GROUPS; g++)
		r->t->groups[g].n = 0;
	for (uint32_t lid = 0; lid < n; lid++) {
		uint32_t block_id = lid / TABLE_LIDS, entry;

		if (lid % TABLE_LIDS == 0) {
			used = r->node->used[lid / SFAB_LFT_BLOCK];
			asked = used && (!known || block_id % PARTS == r->past->turn % PARTS);
			if (asked && must_answer(r, AR_TABLE, block_id, "table", block) < 0)
				return -1;
		}
		entry = !used ? STATIC_NOWHERE :
			asked ? get_be32(block + 4 * (lid % TABLE_LIDS)) : r->past->entry[lid];
		if (known && entry != r->past->entry[lid])
			return 1;
		if (take_ar_entry(r, lid, entry) < 0)
			return -1;
		if (r->past)
			r->past->entry[lid] = entry;
	}
	r->t->nlids = n;
	return 0;
}

static int read_ar_table(struct ar_reader *r)
{
	uint32_t n = r->node->nblocks * SFAB_LFT_BLOCK;
	int rc = 1;

	if (n > SFAB_IB_LID_MAX + 1u)
		n = SFAB_IB_LID_MAX + 1u;
	if (read_static_table(r, n))
		rc = read_entries(r, n, 1);
	if (rc > 0)
		rc = read_entries(r, n, 0);
	if (rc == 0 && r->past)
		r->past->static_hash = r->static_hash ? r->static_hash : sfab_hash64(r->t->port, n);
	return rc;
}

/* Add to @g, which is group @id, the bits of sub-group @k, which counts over all groups. */
static int take_sub_group(struct ar_reader *r, unsigned k, unsigned id,
			  struct sfab_ar_group *g)
{
	const uint8_t *bits = r->groups + k % BLOCK_GROUPS * GROUP_BYTES;
	uint32_t block = k / BLOCK_GROUPS;

	if (block > BLOCK_MAX)
		return set_unclear(r, "has more groups than can be asked for");
	if (block != r->block &&
	    must_answer(r, AR_GROUP_TABLE, block, "groups", r->groups) < 0)
		return -1;
	r->block = block;
	for (unsigned p = 0; p < 8 * GROUP_BYTES; p++) {
		if (!(bits[GROUP_BYTES - 1 - p / 8] >> p % 8 & 1))
			continue;
		if (p > r->node->nports)
			return set_unclear(r, "has port %u in group %u (expected 1-%u)",
					   p, id, r->node->nports);
		g->port[g->n++] = (uint8_t) p;
	}
	return 0;
}

/* Read the groups in use.  A group is its first sub-group that has ports, as in ibdiagnet2.far. */
static int read_used_groups(struct ar_reader *r)
{
	for (unsigned id = 0; id <= r->top_group; id++) {
		struct sfab_ar_group *g = &r->t->groups[id];

		if (!g->n)
			continue;
		g->n = 0;
		for (unsigned sub = 0; sub < r->nsubgroups && !g->n; sub++)
			if (take_sub_group(r, id * r->nsubgroups + sub, id, g) < 0)
				return -1;
		if (!g->n)
			return set_unclear(r, "sends LIDs by group %u, which has no ports",
					   id);
	}
	return 0;
}

/* Check that ports and LIDs make sense if bit p is port p + @first. */
static int check_ports(struct ar_reader *r, unsigned first)
{
	const struct sfab_ar_tables *t = r->t;

	for (unsigned id = 0; id <= r->top_group; id++)
		for (unsigned i = 0; i < t->groups[id].n; i++) {
			unsigned port = t->groups[id].port[i] + first;

			if (port < 1 || port > r->node->nports)
				return set_unclear(r, "has port %u in group %u (expected "
						   "1-%u)", port, id, r->node->nports);
		}
	for (uint32_t lid = 0; lid < t->nlids; lid++) {
		unsigned id = t->group[lid] ? t->group[lid] - 1u : 0;
		const struct sfab_ar_group *g = &t->groups[id];

		if (t->group[lid] && !memchr(g->port, (int) (t->port[lid] - first), g->n))
			return set_unclear(r, "sends LID 0x%x by group %u, without its "
					   "own port %u", lid, id, t->port[lid]);
	}
	return 0;
}

/* Turn bits into port numbers.  If both ways make sense, bit p is port p. */
static int number_group_ports(struct ar_reader *r)
{
	char reason[sizeof(r->t->reason)];

	memcpy(reason, r->t->reason, sizeof(reason));
	if (check_ports(r, 0) == 0)
		return 0;
	if (check_ports(r, 1) < 0)
		return check_ports(r, 0);
	memcpy(r->t->reason, reason, sizeof(reason));
	for (unsigned id = 0; id <= r->top_group; id++)
		for (unsigned i = 0; i < r->t->groups[id].n; i++)
			r->t->groups[id].port[i]++;
	return 0;
}

enum sfab_ar_answer sfab_adaptive_read(const struct sfab_smp_channel *channel,
				       const struct sfab_wire_node *node,
				       struct sfab_ar_past *past, struct sfab_ar_tables *t)
{
	struct ar_reader r = { .channel = channel, .node = node, .past = past, .t = t,
			       .block = UINT32_MAX };
	enum sfab_ar_answer answer;
	int private;

	*t->reason = '\0';
	t->nlids = 0;
	t->traits = 0;
	answer = read_ar_info(&r);
	if (answer == SFAB_AR_ON) {
		private = check_private(&r);
		if (private < 0 || read_ar_table(&r) < 0 || read_used_groups(&r) < 0 ||
		    number_group_ports(&r) < 0) {
			t->nlids = 0;
			answer = SFAB_AR_UNCLEAR;
		} else if (private) {
			answer = SFAB_AR_UNCLEAR;
		}
	}
	if (past) {
		past->nlids = t->nlids;
		past->turn++;
	}
	return answer;
}
