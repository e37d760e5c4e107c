/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_wire.c - what agents cost that send us on to others, or to themselves */

#include "tests/unit/fixtures/unit.h"

#include "io/wire/wire.h"
#include "tests/fuzz/mads.h"

#define TRIES 3
#define REDIRECTS 2

/* Lies of mads.c, five bytes each, about ClassPortInfo of a node (what 26). */
#define REDIRECT_TO(node, lid) 26, node, 0, 29, lid, 26, 0x50 | (node), 0, 0, 2

static struct sfab_wire *open_wire(const uint8_t *input, size_t size)
{
	struct sfab_wire_options o = { .timeout_ms = 30 };
	struct bytes in = { input, size };
	struct sfab_wire *w;

	mads_begin(&in);
	w = sfab_wire_open(&o, NULL);
	ck_assert_ptr_nonnull(w);
	ck_assert_int_eq(sfab_wire_discover(w, NULL), 0);
	return w;
}

static uint32_t find_switch(struct sfab_wire *w)
{
	const struct sfab_discovery *d = sfab_wire_found(w);
	uint32_t i = 0;

	while (i < d->n && d->node[i].kind != SFAB_WIRE_SWITCH)
		i++;
	ck_assert_uint_lt(i, d->n);
	return i;
}

/* MADs that it costs to ask the switch for port 1 twice; *fine: it answered. */
static uint64_t ask_twice(struct sfab_wire *w, int *fine)
{
	uint64_t before = sfab_wire_mads(w);
	uint32_t sw = find_switch(w);
	struct sfab_counter c;

	*fine = sfab_wire_count(w, sw, 1, &c) == 0;
	*fine &= sfab_wire_count(w, sw, 1, &c) == 0;
	return sfab_wire_mads(w) - before;
}

TEST(an_agent_that_answers)
{
	static const uint8_t nobody_lies[] = { 0 };
	struct sfab_wire *w = open_wire(nobody_lies, sizeof(nobody_lies));
	int fine;

	ck_assert_uint_eq(ask_twice(w, &fine), 5);
	ck_assert(fine);
	sfab_wire_close(w);
}

/* One host, LID 1, on a switch, LID 2, whose agent sends us to itself. */
TEST(an_agent_that_sends_us_round)
{
	static const uint8_t to_itself[] = { 0, REDIRECT_TO(1, 2) };
	struct sfab_wire *w = open_wire(to_itself, sizeof(to_itself));
	int fine;

	ck_assert_uint_eq(ask_twice(w, &fine), 1 + REDIRECTS);
	ck_assert(!fine);
	sfab_wire_close(w);
}

TEST(two_agents_that_send_us_to_each_other)
{
	static const uint8_t to_each_other[] = {
		0, REDIRECT_TO(1, 1), REDIRECT_TO(0, 2),
	};
	struct sfab_wire *w = open_wire(to_each_other, sizeof(to_each_other));
	int fine;

	ck_assert_uint_eq(ask_twice(w, &fine), 1 + REDIRECTS);
	ck_assert(!fine);
	sfab_wire_close(w);
}

/* Another answers for it; who is not there costs one time-out more. */
TEST(an_agent_that_sends_us_on)
{
	static const uint8_t to_the_host[] = { 0, REDIRECT_TO(1, 1) };
	static const uint8_t to_nobody[] = { 0, REDIRECT_TO(1, 77) };
	struct sfab_wire *w = open_wire(to_the_host, sizeof(to_the_host));
	int fine;

	ask_twice(w, &fine);
	ck_assert(fine);
	sfab_wire_close(w);
	w = open_wire(to_nobody, sizeof(to_nobody));
	ck_assert_uint_eq(ask_twice(w, &fine), 1 + TRIES);
	ck_assert(!fine);
	sfab_wire_close(w);
}

UNIT_MAIN("wire")
