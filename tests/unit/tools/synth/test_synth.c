/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_synth.c - netlists: what a specification means, and that every cable of a netlist has
 * two ends that name each other
 */

#include "tests/unit/fixtures/unit.h"
#include "tools/synth/synth.h"

struct size_row {
	const char *spec;
	uint32_t hosts, leaves, mids, spines, io;	/* mids: of a pod */
};

static const struct size_row size_rows[] = {
	{ "wolf", 640, 36, 0, 18, 24 },
	{ "wolf-moved", 640, 36, 0, 18, 24 },
	{ "wolf-packed", 640, 36, 0, 18, 24 },
	{ "mustang", 1600, 96, 3, 54, 64 },
	{ "luna", 1540, 108, 3, 54, 64 },
	{ "talon", 128, 24, 0, 12, 0 },
	{ "ft1600", 1600, 90, 18, 162, 0 },
	{ "ft5184", 5184, 288, 18, 162, 0 },
	{ "ft11664", 11664, 648, 18, 324, 0 },
	{ "tree:hosts=640", 640, 36, 0, 18, 0 },
	{ "tree:hosts=640,taper=2", 640, 27, 0, 12, 0 },
	{ "tree:hosts=4,radix=4", 4, 2, 0, 2, 0 },
	{ "tree:hosts=128,levels=3,radix=8", 128, 32, 4, 16, 0 },
	{ "tree:hosts=9,levels=3,radix=8,io=3,place=packed", 9, 4, 4, 4, 3 },
	{ "wolf:io=36", 640, 36, 0, 18, 36 },
	{ "wolf:io=32,place=random,seed=7", 640, 36, 0, 18, 32 },
};
#define NSIZES ((int) (sizeof(size_rows) / sizeof(size_rows[0])))

static void parse(const char *text, struct synth_spec *spec)
{
	struct sfab_err err;

	ck_assert_msg(synth_parse(text, spec, &err) == 0, "%s: %s", text,
		      err.text);
}

typedef void write_fn(const struct synth_spec *, const struct sfab_fabric *, FILE *);

static char *written(const char *spec_text, struct synth_spec *spec, write_fn *write)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct sfab_fabric *f;

	parse(spec_text, spec);
	f = synth_fabric(spec);
	write(spec, f, out);
	ck_assert_int_eq(fclose(out), 0);
	sfab_fabric_destroy(f);
	return text;
}

static char *netlist(const char *spec_text, struct synth_spec *spec)
{
	return written(spec_text, spec, synth_write_net);
}

LOOP_TEST(sizes, NSIZES)
{
	const struct size_row *row = &size_rows[_i];
	struct synth_spec spec;

	parse(row->spec, &spec);
	ck_assert_uint_eq(spec.hosts, row->hosts);
	ck_assert_uint_eq(spec.leaves, row->leaves);
	ck_assert_uint_eq(spec.mids, row->mids);
	ck_assert_uint_eq(spec.spines, row->spines);
	ck_assert_uint_eq(spec.io, row->io);
}

struct cable {
	char from[36], to[36];	/* node and port, "S-0002c90200400000:19" */
};

static int compare_net_cables(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct cable));
}

/* All cable ends of a netlist. */
static struct cable *cables_of(char *net, size_t *n)
{
	struct cable *c = calloc(strlen(net) / 32, sizeof(*c));
	char node[24] = "", peer[24];
	unsigned port, peer_port;

	*n = 0;
	for (char *line = strtok(net, "\n"); line; line = strtok(NULL, "\n")) {
		if (sscanf(line, "Switch %*u \"%18[^\"]", node) == 1 ||
		    sscanf(line, "Ca %*u \"%18[^\"]", node) == 1)
			continue;
		/* [1](portguid) "S-..."[2] of a host, [1] "S-..."[2] else */
		if (sscanf(line, "[%u] \"%18[^\"]\"[%u]", &port, peer,
			   &peer_port) != 3 &&
		    sscanf(line, "[%u](%*[0-9a-f]) \"%18[^\"]\"[%u]", &port,
			   peer, &peer_port) != 3)
			continue;
		snprintf(c[*n].from, sizeof(c->from), "%s:%u", node, port);
		snprintf(c[(*n)++].to, sizeof(c->to), "%s:%u", peer, peer_port);
	}
	return c;
}

/* Every cable is told from both ends, and no port has two.  Caller frees. */
static struct cable *check_cables(const char *text, size_t expected, size_t *n)
{
	struct synth_spec spec;
	char *net = netlist(text, &spec);
	struct cable *c = cables_of(net, n);

	ck_assert_uint_eq(*n, 2 * expected);
	qsort(c, *n, sizeof(*c), compare_net_cables);
	for (size_t i = 0; i < *n; i++) {
		struct cable back;

		memcpy(back.from, c[i].to, sizeof(back.from));
		memcpy(back.to, c[i].from, sizeof(back.to));
		ck_assert_msg(bsearch(&back, c, *n, sizeof(*c), compare_net_cables),
			      "%s -> %s has no way back", c[i].from, c[i].to);
		ck_assert_msg(!i || strcmp(c[i].from, c[i - 1].from),
			      "%s is used twice", c[i].from);
	}
	free(net);
	return c;
}

LOOP_TEST(cables_meet, NSIZES)
{
	struct synth_spec spec;
	size_t expected, n;

	parse(size_rows[_i].spec, &spec);
	expected = spec.hosts + (size_t) spec.leaves *
				(spec.mids ? spec.mids : spec.spines) * spec.links;
	if (spec.mids)
		expected += (size_t) spec.pods * spec.spines * spec.toplinks;
	free(check_cables(size_rows[_i].spec, expected, &n));
}

static size_t count_of(const char *text, const char *word)
{
	size_t n = 0;

	for (; (text = strstr(text, word)); text += strlen(word))
		n++;
	return n;
}

/* Four hosts of two ports: each is cabled twice, and its leaf lists both. */
TEST(hosts_with_several_ports)
{
	struct synth_spec spec;
	char *text = netlist("tree:hosts=4,ports=2,leaf=4,radix=8", &spec);

	ck_assert_uint_eq(spec.leaves, 2);
	ck_assert_uint_eq(count_of(text, "\nCa\t2 "), 4);
	ck_assert_uint_eq(count_of(text, "\n[1](2c9"), 4);
	ck_assert_uint_eq(count_of(text, "\n[2](2c9"), 4);
	ck_assert_uint_eq(count_of(text, "[3]\t\"H-0002c90300100010\"[1](2c90300100011)"), 1);
	ck_assert_uint_eq(count_of(text, "[4]\t\"H-0002c90300100010\"[2](2c90300100012)"), 1);
	free(text);
}

/* Lines of Wolf's netlist as in the published reading of its tables. */
TEST(wolf_lines)
{
	static const char *const lines[] = {
		"[1]\t\"H-0002c9030010095c\"[1](2c9030010095d) \t\t"
		"# \"wf0600 HCA-1\" lid 0 4xQDR\n",
		"Switch\t36 \"S-0002c90200400118\"\t\t# \"wolf-L036\" ",
		"[19]\t\"S-0002c90200400120\"[1]\t\t# \"wolf-S001\" ",
		"[1](2c90300100101) \t\"S-0002c90200400018\"[14]\t\t"
		"# lid 0 lmc 0 \"wolf-L004\" lid 0 4xQDR\n",
	};
	struct synth_spec spec;
	char *net = netlist("wolf", &spec);

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		ck_assert_msg(strstr(net, lines[i]) != NULL, "no line %s",
			      lines[i]);
	free(net);
}

/* Where the IO hosts of a fabric are: "LEAF:PORT LEAF:PORT ...", by number. */
static void io_seats(const char *spec_text, char *seats, size_t size)
{
	struct synth_spec spec;
	char *net = netlist(spec_text, &spec), *at = net;
	size_t n = 0;

	seats[0] = '\0';
	for (uint32_t host = spec.hosts - spec.io + 1; host <= spec.hosts;
	     host++) {
		char name[64];
		unsigned port, leaf;

		snprintf(name, sizeof(name), "# \"%s%04u HCA-1\"\n[1](",
			 spec.prefix, host);
		at = strstr(at, name);
		ck_assert_ptr_nonnull(at);
		ck_assert_int_eq(sscanf(strchr(at, ')'), ") \"S-%*[0-9a-f]\"[%u]"
					" # lid 0 lmc 0 \"%*[a-z]-L%u", &port,
					&leaf), 2);
		n += (size_t) snprintf(seats + n, size - n, "%s%u:%u",
				       n ? " " : "", leaf, port);
		ck_assert_uint_lt(n, size);
	}
	free(net);
}

static const struct {
	const char *spec, *seats;
} place_rows[] = {
	{ "wolf:io=3", "1:18 2:18 3:18" },
	{ "wolf:io=30", "1:18 2:18 3:18 4:18 5:18 6:18 7:18 8:18 9:18 10:18 "
			"11:18 12:18 13:18 14:18 15:18 16:18 17:18 18:18 19:18 "
			"20:18 21:18 22:18 23:18 24:18 25:18 26:18 27:18 28:18 "
			"29:17 30:17" },	/* 8 leaves have 17 hosts */
	{ "wolf-moved", "1:1 2:2 3:3 4:4 5:5 6:6 7:7 8:8 9:9 10:10 11:11 12:12 "
			"13:13 14:14 15:15 16:16 17:17 18:18 19:1 20:2 21:3 "
			"22:4 23:5 24:6" },
	{ "wolf-packed:io=20", "1:1 1:2 1:3 1:4 1:5 1:6 1:7 1:8 1:9 1:10 1:11 "
			       "1:12 1:13 1:14 1:15 1:16 1:17 1:18 2:1 2:2" },
	{ "talon:io=11", "1:12 2:12 3:12 4:12 5:12 6:12 7:12 8:12 9:12 10:12 "
			 "11:8" },	/* the last hosts of 128 */
};

LOOP_TEST(places, N(place_rows))
{
	char seats[256];

	io_seats(place_rows[_i].spec, seats, sizeof(seats));
	ck_assert_str_eq(seats, place_rows[_i].seats);
}

TEST(random_place_repeats)
{
	char a[256], b[256], other[256];

	io_seats("wolf:place=random,seed=7", a, sizeof(a));
	io_seats("wolf:place=random,seed=7", b, sizeof(b));
	io_seats("wolf:place=random,seed=8", other, sizeof(other));
	ck_assert_str_eq(a, b);
	ck_assert_str_ne(a, other);
}

TEST(lists)
{
	struct synth_spec spec;
	char *io = written("wolf", &spec, synth_write_io);
	char *map = written("wolf", &spec, synth_write_map);

	ck_assert_str_eq(io, "wf[0617-0640]\n");
	ck_assert_ptr_nonnull(strstr(map, "0x0002c90200400120 \"wolf-S001\"\n"));
	ck_assert_ptr_nonnull(
		strstr(map, "0x0002c9030010095c \"wf0600 HCA-1\"\n"));
	free(io);
	free(map);
	io = written("tree:hosts=36,io=1", &spec, synth_write_io);
	ck_assert_str_eq(io, "n0036\n");
	free(io);
}

static const struct {
	const char *spec, *text;	/* a part of the error's text */
} wrong_rows[] = {
	{ "", "no fabric is called" },
	{ "nowhere", "no fabric is called nowhere" },
	{ "wol", "no fabric is called wol (did you mean 'wolf'?)" },
	{ "mustagn:io=8", "no fabric is called mustagn (did you mean 'mustang'?)" },
	{ "tree", "hosts= is missing" },
	{ "wolf:hosts", "expected KEY=VALUE" },
	{ "wolf:hosts=", "not a number" },
	{ "wolf:hosts=-4", "not a number" },
	{ "wolf:hosts=4x", "not a number" },
	{ "wolf:hosts=100000", "from 1 to 49151" },
	{ "wolf:colour=red", "no such key: colour" },
	{ "wolf:leafs=36", "no such key: leafs (did you mean 'leaf'?)" },
	{ "wolf:plase=last", "no such key: plase (did you mean 'place'?)" },
	{ "wolf:speed=WARP", "speed=WARP" },
	{ "wolf:prefix=a b", "' ' is not for names" },
	{ "wolf:prefix=abcdefghijklmnop", "16 letters" },
	{ "wolf:place=here", "not last|moved|packed|random" },
	{ "wolf:fill=half", "not even|first" },
	{ "wolf:io=37", "has room for 36" },
	{ "talon:io=12", "has room for 11" },
	{ "wolf:io=641,place=packed", "has room for 640" },
	{ "wolf:hosts=649", "649 hosts for 36 leaves" },
	{ "wolf:hosts=35,io=1", "leaves empty" },
	{ "wolf:spines=19", "a leaf needs 37 ports" },
	{ "wolf:leaves=37", "a spine needs 37 ports" },
	{ "wolf:pods=2", "need levels=3" },
	{ "ft5184:leaves=287", "do not divide into 16 pods" },
	{ "ft5184:spines=161", "do not divide among 18" },
	{ "ft5184:pods=37", "a spine needs 37 ports" },
	{ "ft5184:spines=360", "a middle switch needs 38 ports" },
	{ "tree:hosts=49151", "a spine needs 2731 ports" },
	{ "tree:hosts=49000,levels=3,radix=64", "more than 49151 host ports" },
	{ "tree:hosts=8,ports=9", "not a number from 1 to 8" },
	{ "tree:hosts=8,ports=4,leaf=6", "a host would be cut" },
	{ "tree:hosts=8,ports=2,leaf=2,leaves=7", "8 hosts for 7 leaves" },
	{ "tree:hosts=6200,levels=3,radix=64,ports=8", "more than 49151 host ports" },
};

LOOP_TEST(wrong, N(wrong_rows))
{
	struct synth_spec spec;
	struct sfab_err err = { SFAB_OK, "" };

	ck_assert_int_eq(synth_parse(wrong_rows[_i].spec, &spec, &err), -1);
	ck_assert_int_ne(err.code, SFAB_OK);
	ck_assert_msg(strstr(err.text, wrong_rows[_i].text) != NULL,
		      "%s: \"%s\" (expected \"%s\")", wrong_rows[_i].spec,
		      err.text, wrong_rows[_i].text);
}

UNIT_MAIN("synth")
