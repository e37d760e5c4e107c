/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * synth_spec.c - specifications of synthetic fabrics: "NAME:KEY=VALUE,..."; see synth.h
 *
 * Named fabrics are texts in the same language, so there is one parser.  What the text leaves
 * open is filled in afterward, with the largest regular tree.
 *
 * Steps: plain defaults, the named fabric's keys over them, the user's over these, what is
 * still 0 by the others, and checks of the whole.  Numbers are limited when they are read, so
 * products of a few of them fit 64 bits.
 */

#include "tools/synth/synth.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/uint.h"
#include "io/spelling.h"
#include "tools/ui/number.h"
#include "tools/ui/options.h"
#include "tools/ui/xalloc.h"

/* LIDs 1..0xBFFF are unicast: hosts and switches need one each. */
#define NODES_MAX 0xBFFFu
#define HOST_PORTS_MAX 8

#define WOLF "hosts=640,leaf=18,leaves=36,spines=18,io=24,prefix=wf,chip=wolf"
const struct synth_named synth_fabrics[] = {
	{ "tree", "", "a fat tree by parameters" },
	{ "wolf", WOLF, "LANL Wolf: 24 IO hosts, each on port 18 of its leaf" },
	{ "wolf-moved", WOLF ",place=moved", "Wolf, IO host of leaf k on port 1 + (k - 1) % 18" },
	{ "wolf-packed", WOLF ",place=packed", "Wolf, all IO hosts on the first two leaves" },
	{ "mustang",
	  "hosts=1600,levels=3,leaf=18,leaves=96,pods=32,mids=3,links=6,"
	  "spines=54,io=64,prefix=mu,chip=mustang",
	  "LANL Mustang: 96 edges, three directors (cabling is a guess)" },
	{ "luna",
	  "hosts=1540,levels=3,leaf=18,leaves=108,pods=36,mids=3,links=6,"
	  "spines=54,io=64,prefix=lu,chip=luna",
	  "LANL Luna: 108 edges, three directors (cabling is a guess)" },
	{ "talon",
	  "hosts=128,radix=24,leaf=12,leaves=24,spines=12,speed=DDR,fill=first,"
	  "prefix=t,chip=talon",
	  "Sandia Talon: 128 nodes over a 288-port director (rate is a guess)" },
	{ "ft1600", "hosts=1600,levels=3,spines=162",
	  "1,600 hosts, three levels, 36 ports" },
	{ "ft5184", "hosts=5184,levels=3",
	  "5,184 hosts, three levels, 36 ports" },
	{ "ft11664", "hosts=11664,levels=3",
	  "11,664 hosts, three levels, all ports in use" },
	{ NULL, NULL, NULL }
};

/* Speeds that ibsim knows. */
#define SPEEDS "SDR|DDR|QDR|FDR10|FDR|EDR|HDR"

struct synth_key {
	const char *name;
	size_t offset;
	uint32_t min, max;	/* bounds of a number; max 0: the value is no number */
	const char *words;	/* of an enum, "a|b|c", or NULL: a text */
};

#define NUMBER(key, min, max) { #key, offsetof(struct synth_spec, key), min, max, NULL }
#define WORD(key) { #key, offsetof(struct synth_spec, key), 0, 0, NULL }
#define CHOICE(key, member, words) { key, offsetof(struct synth_spec, member), 0, 0, words }
static const struct synth_key synth_keys[] = {
	NUMBER(hosts, 1, NODES_MAX),
	NUMBER(radix, 2, 254),
	NUMBER(levels, 2, 3),
	NUMBER(leaf, 1, 253),
	NUMBER(ports, 1, HOST_PORTS_MAX),
	NUMBER(leaves, 1, NODES_MAX),
	NUMBER(taper, 1, 253),
	NUMBER(pods, 1, NODES_MAX),
	NUMBER(mids, 1, 253),
	NUMBER(spines, 1, NODES_MAX),
	NUMBER(links, 1, 253),
	NUMBER(toplinks, 1, 253),
	NUMBER(io, 0, NODES_MAX),
	NUMBER(seed, 0, UINT32_MAX),
	WORD(speed),
	WORD(prefix),
	WORD(chip),
	CHOICE("place", layout, "last|moved|packed|random"),	/* enum synth_layout */
	CHOICE("fill", fill, "even|first"),			/* enum synth_fill */
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* Set a word of names of nodes, and so of netlists: only letters, digits, dash and underscore. */
static int set_word(struct synth_spec *spec, const struct synth_key *key,
		    const char *value, struct sfab_err *err)
{
	size_t n = strlen(value);

	if (!n || n >= SYNTH_WORD)
		return sfab_fail(err, SFAB_EFORMAT, "%s=%s: %zu letters (expected 1 to %d)",
				 key->name, value, n, SYNTH_WORD - 1);
	for (const char *c = value; *c; c++)
		if (!isalnum((unsigned char) *c) && *c != '-' && *c != '_')
			return sfab_fail(err, SFAB_EFORMAT, "%s=%s: '%c' is not for names",
					 key->name, value, *c);
	memcpy((char *) spec + key->offset, value, n + 1);
	return 0;
}

static int set_value(struct synth_spec *spec, const struct synth_key *key,
		     const char *value, struct sfab_err *err)
{
	int word = key->words ? options_word(value, key->words) : 0;
	uint64_t n = (uint64_t) word;

	if (!key->words && !key->max)
		return set_word(spec, key, value, err);
	if (word < 0)
		return sfab_fail(err, SFAB_EFORMAT, "%s=%s: not %s", key->name, value, key->words);
	if (!key->words && (number_parse(value, key->max, &n) != 0 || n < key->min))
		return sfab_fail(err, SFAB_EFORMAT, "%s=%s: not a number from %u to %u", key->name,
				 value, key->min, key->max);
	*(uint32_t *) ((char *) spec + key->offset) = (uint32_t) n;	/* or an enum */
	return 0;
}

/* Apply "KEY=VALUE,..." to @spec.  A key that is given twice has its last value. */
static int set_keys(struct synth_spec *spec, const char *text, struct sfab_err *err)
{
	char *copy = xstrdup(text), *rest = copy;
	int rc = 0;

	while (rc == 0 && rest && *rest) {
		char *value = strsep(&rest, ","), *key = strsep(&value, "=");
		struct sfab_spelling meant = sfab_spelling_start(key);
		size_t i = 0;

		for (; i < COUNT(synth_keys) && strcmp(key, synth_keys[i].name) != 0; i++)
			sfab_spelling_offer(&meant, synth_keys[i].name);
		if (!value)
			rc = sfab_fail(err, SFAB_EFORMAT, "\"%s\": expected KEY=VALUE", key);
		else if (i == COUNT(synth_keys))
			rc = sfab_fail(err, SFAB_ENOENT, "no such key: %s%s", key,
				       sfab_spelling_question(&meant));
		else
			rc = set_value(spec, &synth_keys[i], value, err);
	}
	free(copy);
	return rc;
}

/*
 * Set @value to @other if it is still 0, and to at least 1, because it divides later.  The
 * checks find what does not fit.
 */
static void set_default(uint32_t *value, uint32_t other)
{
	if (!*value)
		*value = other ? other : 1;
}

/* Return the most cables to each spine that the ports of spine and middle switch allow. */
static uint32_t widest_toplinks(const struct synth_spec *s, uint32_t uplinks)
{
	uint32_t n = s->radix / s->pods;

	while (n > 1 && uplinks % n)
		n--;
	return n;
}

/* Fill in what the text left open: a full tree of the radix, tapered at the leaf. */
static void fill_spec_defaults(struct synth_spec *s)
{
	/* A middle switch has half of its ports down to its pod, and half up to spines. */
	uint32_t half = s->radix / 2, uplinks, leaf_hosts;
	uint32_t pod_leaves = half / s->links ? half / s->links : 1;

	set_default(&s->leaf, s->radix * s->taper / (s->taper + 1));
	uplinks = s->leaf / s->taper ? s->leaf / s->taper : 1;
	leaf_hosts = s->leaf / s->ports;
	if (!leaf_hosts)
		return;		/* check_synth_spec() refuses it */
	if (s->levels == 2) {
		set_default(&s->pods, 1);
		set_default(&s->leaves, (uint32_t) sfab_uint_div_up(s->hosts, leaf_hosts));
		set_default(&s->spines, uplinks / s->links);
		return;
	}
	set_default(&s->mids, uplinks / s->links);
	if (!s->pods && s->leaves)
		s->pods = (uint32_t) sfab_uint_div_up(s->leaves, pod_leaves);
	set_default(&s->pods, (uint32_t) sfab_uint_div_up(s->hosts, leaf_hosts * pod_leaves));
	set_default(&s->leaves, s->pods * pod_leaves);
	/* Each middle switch has cables to spines / mids of the spines. */
	if (!s->spines)
		set_default(&s->toplinks, widest_toplinks(s, half));
	else if (s->spines % s->mids == 0)
		set_default(&s->toplinks, half / (s->spines / s->mids));
	else
		set_default(&s->toplinks, 1);	/* check_tree() refuses it */
	set_default(&s->spines, s->mids * (half / s->toplinks));
}

uint32_t synth_nswitches(const struct synth_spec *spec)
{
	return spec->leaves + spec->pods * spec->mids + spec->spines;
}

/* Check the numbers of switches: pods and groups divide evenly, and all cables have a port. */
static int check_tree(const struct synth_spec *s, struct sfab_err *err)
{
	/* In 64 bits: the product of two keys may exceed 32. */
	uint64_t above = s->mids ? s->mids : s->spines;
	const char *const kind[] = { "leaf", "middle switch", "spine" };
	const uint64_t ports[] = {
		s->leaf + above * s->links,
		s->mids ? s->leaves / s->pods * s->links +
			  s->spines / s->mids * s->toplinks : 0,
		(uint64_t) (s->mids ? s->pods : s->leaves) *
			(s->mids ? s->toplinks : s->links),
	};

	if (s->levels == 2 && (s->mids || s->pods != 1 || s->toplinks))
		return sfab_fail(err, SFAB_EINVAL,
				 "pods, mids and toplinks need levels=3");
	if (s->leaves % s->pods)
		return sfab_fail(err, SFAB_EINVAL, "%u leaves do not divide into %u pods",
				 s->leaves, s->pods);
	if (s->mids && s->spines % s->mids)
		return sfab_fail(err, SFAB_EINVAL,
				 "%u spines do not divide among %u middle switches",
				 s->spines, s->mids);
	/* No switch may have more cables than ports. */
	for (size_t i = 0; i < COUNT(ports); i++)
		if (ports[i] > s->radix)
			return sfab_fail(err, SFAB_EINVAL, "a %s needs %llu ports, radix is %u",
					 kind[i], (unsigned long long) ports[i], s->radix);
	return 0;
}

/* Check that the hosts have room on the leaves, the IO hosts in their layout, and all a LID. */
static int check_synth_spec(const struct synth_spec *s, struct sfab_err *err)
{
	uint32_t leaf_hosts = s->leaf / s->ports, capacity = s->hosts;

	if (s->leaf % s->ports)
		return sfab_fail(err, SFAB_EINVAL, "%u host ports of a leaf, %u a host: "
				 "a host would be cut", s->leaf, s->ports);
	if (check_tree(s, err) < 0)
		return -1;
	if (s->hosts > (uint64_t) s->leaves * leaf_hosts)
		return sfab_fail(err, SFAB_EINVAL,
				 "%u hosts for %u leaves of %u host ports, %u a host",
				 s->hosts, s->leaves, s->leaf, s->ports);
	if (s->fill == SYNTH_EVEN && s->hosts < s->leaves)
		return sfab_fail(err, SFAB_EINVAL, "%u hosts leave some of %u leaves empty",
				 s->hosts, s->leaves);
	if ((uint64_t) s->hosts * s->ports + synth_nswitches(s) > NODES_MAX)
		return sfab_fail(err, SFAB_EINVAL,
				 "more than %u host ports and switches", NODES_MAX);
	if (options_word(s->speed, SPEEDS) < 0)
		return sfab_fail(err, SFAB_EINVAL, "speed=%s: unknown", s->speed);
	/* At most one IO host a leaf: there is room on the leaves that have hosts. */
	if (s->layout == SYNTH_LAST || s->layout == SYNTH_MOVED)
		capacity = s->fill == SYNTH_EVEN ? s->leaves :
			   (uint32_t) sfab_uint_div_up(s->hosts, leaf_hosts);
	if (s->io > capacity)
		return sfab_fail(err, SFAB_EINVAL, "%u IO hosts, where they go (place) has room "
				 "for %u", s->io, capacity);
	return 0;
}

/* Find the row of synth_fabrics[] that @name is, or NULL with *err. */
static const struct synth_named *find_named(const char *name, struct sfab_err *err)
{
	struct sfab_spelling meant = sfab_spelling_start(name);

	for (const struct synth_named *row = synth_fabrics; row->name; row++) {
		if (!strcmp(name, row->name))
			return row;
		sfab_spelling_offer(&meant, row->name);
	}
	sfab_fail(err, SFAB_ENOENT, "no fabric is called %s%s", name,
		  sfab_spelling_question(&meant));
	return NULL;
}

/* Read "NAME:KEY=VALUE,...".  An empty list of keys after the colon is fine. */
int synth_parse(const char *text, struct synth_spec *spec, struct sfab_err *err)
{
	char *copy = xstrdup(text), *keys = copy, *name = strsep(&keys, ":");
	const struct synth_named *row = find_named(name, err);
	int rc;

	*spec = (struct synth_spec) {
		.ports = 1, .radix = 36, .levels = 2, .taper = 1, .links = 1,
		.prefix = "n", .chip = "tree", .speed = "QDR",
	};
	rc = row ? set_keys(spec, row->text, err) : -1;
	if (rc == 0 && keys)
		rc = set_keys(spec, keys, err);
	free(copy);
	if (rc < 0)
		return -1;
	if (!spec->hosts)
		return sfab_fail(err, SFAB_EINVAL, "hosts= is missing");
	fill_spec_defaults(spec);
	return check_synth_spec(spec, err);
}
