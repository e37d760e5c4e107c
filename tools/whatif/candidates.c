/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * candidates.c - changes that may repair an IO finding; see candidates.h
 *
 * A candidate is a wish as the command line would have it, so that what is
 * tried and what is printed cannot differ.  There are at most twelve: eight
 * ways of routing, three ways to move hosts, and one of these with
 * io_guid_file.
 */

#include "tools/whatif/candidates.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ui/printable.h"
#include "tools/ui/say.h"
#include "tools/ui/shell.h"

/*
 * Tried in this order.  Engine NULL: the one that made the tables; ftree reads
 * neither port_shifting nor the order.  io_guid_file is in the list because
 * everybody tries it first.
 */
static const struct {
	const char *engine, *option;
	int io_guids, io_order, not_by_ftree;
	const char *name;
} routings[] = {
	{ NULL, NULL, 1, 0, 0, "io_guid_file" },
	{ NULL, "port_shifting=TRUE", 0, 0, 1, "port_shifting" },
	{ NULL, NULL, 0, 1, 1, "IO hosts routed first" },
	{ "ftree", NULL, 0, 0, 0, "ftree" },
	{ "updn", "port_shifting=TRUE", 0, 0, 0, "updn, port_shifting" },
	{ "updn", NULL, 0, 1, 0, "updn, IO hosts routed first" },
	{ "updn", "scatter_ports=1", 0, 0, 0, "updn, scatter_ports" },
	{ "dfsssp", NULL, 1, 0, 0, "dfsssp, io_guid_file" },
};

/* Takes over @name.  The list is large enough for all that are ever added. */
static struct candidate *add_candidate(struct candidates *c, char *name)
{
	struct candidate *new = &c->list[c->n++];

	*new = (struct candidate) { .name = name };
	return new;
}

void candidates_routing(struct candidates *c, const char *engine)
{
	int is_ftree = strcmp(engine, "ftree") == 0;

	for (unsigned i = 0; i < sizeof(routings) / sizeof(*routings); i++) {
		struct candidate *new;

		if ((routings[i].engine &&
		     strcmp(routings[i].engine, engine) == 0) ||
		    (routings[i].not_by_ftree && is_ftree))
			continue;
		new = add_candidate(c, need_copy(routings[i].name));
		new->wish.engine = routings[i].engine;
		new->wish.io_guids = routings[i].io_guids;
		new->wish.io_order = routings[i].io_order;
		if (routings[i].option)
			words_add(&new->wish.option, routings[i].option);
	}
}

/*
 * The candidate owns the text.  A switch goes by its name if that is unique, else by
 * its GUID.  A name with control characters would not survive copying the command from
 * a terminal.
 */
static void add_move(struct candidate *c, const struct sfab_fabric *f,
		     uint32_t host, uint32_t sw, unsigned port)
{
	const char *name = f->switches[sw].name;
	char *safe = printable(name, 0), *place;
	int is_name = strcmp(safe, name) == 0;

	free(safe);
	for (uint32_t i = 0; is_name && i < f->nswitches; i++)
		is_name = i == sw || strcmp(f->switches[i].name, name) != 0;
	place = is_name ? need_copy(name) :
			  need_text("0x%016" PRIx64, f->switches[sw].guid);
	words_add(&c->wish.move, need_text("%s=%s:%u", f->hosts[host].name, place, port));
	c->cables++;
	free(place);
}

/*
 * An exchange of two hosts is two moves: @m->place, who sits at the
 * destination, goes to where the first came from.
 */
static void add_moves(struct candidate *c, const struct sfab_fabric *f)
{
	for (uint32_t i = 0; i < c->nmoves; i++) {
		const struct sfab_move *m = &c->move[i];
		const struct sfab_port *from = &f->ports[m->from];

		add_move(c, f, m->host, m->sw, m->port);
		if (m->place != SFAB_NONE)
			add_move(c, f, m->place, from->sw, from->sw_port);
	}
}

/*
 * Several ways may end in the same moves: on a small fabric there is not much
 * choice.
 */
static int is_known_candidate(const struct candidates *c,
			      const struct sfab_moves *m)
{
	for (uint32_t i = 0; i < c->n; i++) {
		const struct candidate *k = &c->list[i];
		uint32_t same = 0;

		if (k->nmoves != m->n)
			continue;
		while (same < m->n && k->move[same].from == m->move[same].from &&
		       k->move[same].sw == m->move[same].sw &&
		       k->move[same].port == m->move[same].port)
			same++;
		if (same == m->n)
			return 1;
	}
	return 0;
}

int candidates_moves(struct candidates *c, const struct routing_facts *now,
		     const struct sfab_io_rate *worst, uint32_t nodes,
		     struct sfab_err *err)
{
	static const struct {
		enum sfab_moves_way way;
		const char *what;
	} ways[] = {
		{ SFAB_MOVES_FREE_PORTS, "to free ports" },
		{ SFAB_MOVES_SAME_LEAF, "change places on their leaf" },
		{ SFAB_MOVES_ANY_LEAF, "change places with other leaves" },
	};

	for (int i = 0; i < 3; i++) {
		struct sfab_moves_ask ask = {
			.m = now->m, .block = nodes, .way = ways[i].way,
			.now = facts_rates(now, worst->set, worst->class),
			.amount = SFAB_MOVES_FEWEST,
		};
		struct sfab_moves moves;
		struct candidate *new;
		uint32_t hosts = 0;

		if (sfab_io_moves(&ask, &moves, err) != 0)
			return -1;
		/* No move helps in this way, or another way found the same. */
		if (!moves.n || is_known_candidate(c, &moves)) {
			free(moves.move);
			continue;
		}
		/* Ports of a host are adjacent. */
		for (uint32_t k = 0; k < moves.n; k++)
			hosts += !k || moves.move[k].host != moves.move[k - 1].host;
		new = add_candidate(c, need_text("%u IO host%s %s", hosts,
						 hosts == 1 ? "" : "s",
						 ways[i].what));
		new->nmoves = moves.n;
		new->move = moves.move;
		add_moves(new, now->m->f);
	}
	return 0;
}

void candidates_with_io_guids(struct candidates *c, uint32_t i,
			      const struct sfab_fabric *f)
{
	const struct candidate *old = &c->list[i];
	struct candidate *new =
	    add_candidate(c, need_text("%s, io_guid_file", old->name));

	new->nmoves = old->nmoves;
	new->move = need(old->nmoves, sizeof(*new->move));
	memcpy(new->move, old->move, old->nmoves * sizeof(*new->move));
	new->wish.io_guids = 1;
	add_moves(new, f);
}

/* @value goes through shell_word(): the command will be copied into a shell. */
static void append_option(char **text, const char *gap, const char *option, const char *value)
{
	char *word = shell_word(value);

	need_joined(text, gap, "%s %s", option, word);
	free(word);
}

char *candidate_command(const struct candidate *c, const struct wish *base,
			uint32_t nodes, enum candidate_lines lines)
{
	const char *gap = lines == CANDIDATE_LINES ? " \\\n     " : " ";
	char *text = need_text("sfabric whatif --nodes %u", nodes);

	for (uint32_t i = 0; i < base->base_option.n; i++)
		append_option(&text, " ", "--base-option", base->base_option.text[i]);
	if (c->wish.engine)
		append_option(&text, " ", "--engine", c->wish.engine);
	for (uint32_t i = 0; i < c->wish.option.n; i++)
		append_option(&text, " ", "--opensm-option", c->wish.option.text[i]);
	if (c->wish.io_guids)
		append_option(&text, " ", "--io-guid-file", "auto");
	if (c->wish.io_order)
		append_option(&text, " ", "--io-order", "auto");
	/* Both cables of an exchange are on one line. */
	for (uint32_t k = 0, w = 0; k < c->nmoves; k++) {
		append_option(&text, gap, "--move", c->wish.move.text[w++]);
		if (c->move[k].place != SFAB_NONE)
			append_option(&text, " ", "--move", c->wish.move.text[w++]);
	}
	return text;
}

int candidate_needs_guids(const struct candidate *c)
{
	return c->wish.io_guids || c->wish.io_order;
}

char *candidate_conf(const struct candidate *c, const char *between)
{
	char *text = c->wish.engine ? need_text("routing_engine %s", c->wish.engine) :
				      need_copy("");

	for (uint32_t i = 0; i < c->wish.option.n; i++) {
		const char *option = c->wish.option.text[i];
		size_t key = strcspn(option, "=");

		need_joined(&text, between, "%.*s %s", (int) key, option, option + key + 1);
	}
	if (c->wish.io_guids)
		need_joined(&text, between, "io_guid_file " CANDIDATE_GUID_FILE);
	if (c->wish.io_order)
		need_joined(&text, between, "guid_routing_order_file " CANDIDATE_GUID_FILE);
	return text;
}

void candidates_free(struct candidates *c)
{
	for (uint32_t i = 0; i < c->n; i++) {
		struct candidate *k = &c->list[i];

		for (uint32_t w = 0; w < k->wish.move.n; w++)
			free((char *) k->wish.move.text[w]);
		wish_free(&k->wish);
		free(k->move);
		free(k->name);
	}
	c->n = 0;
}
