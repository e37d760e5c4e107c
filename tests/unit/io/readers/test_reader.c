/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_reader.c - files of one subnet: detected, in any order, the same fabric from every
 * pairing of what OpenSM and infiniband-diags wrote
 */

#include "tests/unit/fixtures/fabrics.h"
#include "tests/unit/fixtures/texts.h"
#include "tests/unit/fixtures/unit.h"

#define PATH_SIZE 512

static const char *data(char *buf, const char *folder, const char *file)
{
	const char *srcdir = getenv("SFAB_SRCDIR");

	snprintf(buf, PATH_SIZE, "%s/tests/data/%s/%s", srcdir ? srcdir : ".",
		 folder, file);
	return buf;
}

static struct sfab_fabric *import(const char *const *files, uint32_t n,
				  struct sfab_err *err)
{
	struct sfab_builder *b = unit_empty_builder(SFAB_BUILD_STRICT, "");
	struct sfab_fabric *f = NULL;

	if (!sfab_reader_import(b, 0, files, n, NULL, NULL, err))
		f = unit_try_freeze(b, err);
	return f;
}

static struct sfab_fabric *import_two(const char *folder, const char *first,
				      const char *second)
{
	char a[PATH_SIZE], b[PATH_SIZE];
	const char *files[] = { data(a, folder, first),
				data(b, folder, second) };
	struct sfab_fabric *f = import(files, 2, &unit_err);

	unit_must(f != NULL);
	return f;
}

static const char *const folders[] = { "two-leaves", "two-leaves-lmc1" };
static const struct {
	const char *first, *second;
} pairs[] = {
	{ "opensm-lfts.dump", "ibnetdiscover" },
	{ "ibnetdiscover", "opensm.fdbs" },
	{ "ibnetdiscover", "dump_fts" },
	{ "opensm-subnet.lst", "opensm-lfts.dump" },
	{ "opensm.fdbs", "opensm-subnet.lst" },
	{ "opensm-subnet.lst", "dump_fts" },
};

LOOP_TEST(every_pairing_is_the_same_fabric, N(folders))
{
	for (int p = 0; p < N(pairs); p++) {
		struct sfab_fabric *a, *b;

		a = import_two(folders[_i], "ibnetdiscover", "opensm-lfts.dump");
		b = import_two(folders[_i], pairs[p].first, pairs[p].second);
		texts_check_same(a, b);
	}
}

LOOP_TEST(all_files_at_once, N(folders))
{
	static const char *const names[] = { "opensm.fdbs", "opensm-subnet.lst",
		"ibnetdiscover", "opensm-lfts.dump", "dump_fts" };
	char paths[5][PATH_SIZE];
	const char *files[5];
	struct sfab_fabric *a, *b;

	for (int i = 0; i < 5; i++)
		files[i] = data(paths[i], folders[_i], names[i]);
	a = import(files, 5, &unit_err);
	unit_must(a != NULL);
	b = import_two(folders[_i], "ibnetdiscover", "opensm-lfts.dump");
	texts_check_same(a, b);
}

/* What tests/data/two-leaves/fabric.net says. */
TEST(the_recorded_fabric)
{
	struct sfab_fabric *f = import_two("two-leaves", "opensm-subnet.lst",
					   "opensm.fdbs");
	uint32_t io1 = sfab_fabric_host(f, "io1");
	uint32_t sharp = sfab_fabric_host(f, "0x0002c90300005000");
	uint32_t trunk;

	ck_assert_uint_eq(f->nswitches, 4);
	ck_assert_uint_eq(f->nhosts, 5);
	ck_assert_uint_eq(f->nports, 7);
	ck_assert_uint_eq(f->nlinks, 2 * 7 + 2 * 8);
	ck_assert_uint_eq(f->nrails, 2);
	ck_assert_uint_ne(io1, SFAB_NONE);
	ck_assert(f->ports[f->hosts[io1].port0].rate == 2e9);
	ck_assert_str_eq(f->ports[f->hosts[io1].port0].desc, "io1 {mlx4_0}");
	ck_assert_uint_ne(sharp, SFAB_NONE);
	ck_assert_int_eq(f->hosts[sharp].role, SFAB_HOST_SHARP);
	ck_assert_uint_eq(f->hosts[sfab_fabric_host(f, "n2")].nports, 2);
	ck_assert_uint_eq(f->hosts[sfab_fabric_host(f, "n3")].nports, 2);
	ck_assert_str_eq(f->switches[1].name, "MF0;leaf 2 # {x}:SX6036/U1");
	trunk = f->switches[0].out[5];
	ck_assert_uint_eq(f->links[trunk].kind, SFAB_LINK_ISL);
	ck_assert(f->links[trunk].capacity == 5e9);
	ck_assert(f->links[f->switches[0].out[7]].capacity == 4e9);
}

TEST(lmc_is_inferred_or_given)
{
	struct sfab_fabric *f = import_two("two-leaves-lmc1",
					   "opensm-subnet.lst", "opensm.fdbs");

	for (uint32_t i = 0; i < f->nports; i++)
		ck_assert_uint_eq(f->ports[i].lmc, 1);
	f = import_two("two-leaves", "opensm-subnet.lst", "opensm.fdbs");
	for (uint32_t i = 0; i < f->nports; i++)
		ck_assert_uint_eq(f->ports[i].lmc, 0);
}

/*
 * Large files of tables are read in pieces.  The tables of two-leaves again and again are such
 * a file: the fabric is the same, and errors name their lines.
 */
#define COPIES 3500		/* 5 MiB of the shorter file */

static const struct {
	const char *file, *replace, *with;	/* once, in copy COPIES - 1 */
	unsigned line;			/* of the error in that copy; 0: no error */
	const char *error;
} piece_vectors[] = {
	{ "opensm.fdbs", "", "", 0, NULL },
	{ "opensm-lfts.dump", "", "", 0, NULL },
	{ "opensm.fdbs", "0x0002 : 005", "0x0002 : x05", 4, "bad port" },
	{ "opensm-lfts.dump", "0x0002 005 #", "0x0002 005 ?", 3, "bad entry" },
	{ "opensm.fdbs", "0x0002 : 005", "0x0002 : 250", 4, "bad port (found 250" },
	{ "opensm.fdbs", "0x000B : 005  : 03   : yes\n", "", 13, "ends early (found 11 LIDs" },
	{ "opensm-lfts.dump", "11 lids dumped", "12 lids dumped", 13, "found 11" },
	{ "opensm.fdbs", "0x0003 : 005", "0x0003 : 006", 1, "two tables of switch" },
};

/* Copy @text to @out, with one change as the vector says. */
static void put_changed(const char *text, const char *replace, const char *with, FILE *out)
{
	const char *at = *replace ? strstr(text, replace) : text;

	ck_assert_msg(at != NULL, "no %s", replace);
	fwrite(text, 1, (size_t) (at - text), out);
	fputs(with, out);
	fputs(at + strlen(replace), out);
}

/* Return the lines of one copy. */
static unsigned write_copies(int vector, const char *path)
{
	char from[PATH_SIZE], *text;
	FILE *out = fopen(path, "w");
	unsigned lines = 0;
	size_t size;

	data(from, "two-leaves", piece_vectors[vector].file);
	ck_assert_int_eq(sfab_reader_read_text(from, 0, &text, &size, NULL), 0);
	for (const char *c = text; *c; c++)
		lines += *c == '\n';
	for (int i = 0; i < COPIES; i++)
		if (i == COPIES - 1)
			put_changed(text, piece_vectors[vector].replace,
				    piece_vectors[vector].with, out);
		else
			fputs(text, out);
	ck_assert_int_eq(fclose(out), 0);
	free(text);
	return lines;
}

LOOP_TEST(large_tables_in_pieces, N(piece_vectors))
{
	char topology[PATH_SIZE], *path = unit_path("pieces"), expected[64];
	const char *files[2] = { data(topology, "two-leaves", "ibnetdiscover"), path };
	struct sfab_err err = { 0 };
	struct sfab_fabric *f, *small;
	unsigned lines;

	lines = write_copies(_i, path);
	f = import(files, 2, &err);
	ck_assert_msg((f != NULL) == (piece_vectors[_i].line == 0), "%s", err.text);
	if (f) {
		small = import_two("two-leaves", "ibnetdiscover", piece_vectors[_i].file);
		texts_check_same(f, small);
		return;
	}
	snprintf(expected, sizeof(expected), ":%u: ",
		 (COPIES - 1) * lines + piece_vectors[_i].line);
	ck_assert_msg(strstr(err.text, expected) && strstr(err.text, piece_vectors[_i].error),
		      "%s (expected %s and %s)", err.text, expected,
		      piece_vectors[_i].error);
}

static const struct {
	const char *file, *reader;
} detect_vectors[] = {
	{ "ibnetdiscover", "ibnetdiscover" },
	{ "opensm-subnet.lst", "opensm-subnet.lst" },
	{ "opensm-lfts.dump", "opensm-lfts" },
	{ "dump_fts", "opensm-lfts" },
	{ "opensm.fdbs", "opensm.fdbs" },
	{ "../README.md", NULL },
};

LOOP_TEST(formats_are_detected, N(detect_vectors))
{
	const struct sfab_reader *r;
	char path[PATH_SIZE], *text;
	size_t size;

	data(path, "two-leaves", detect_vectors[_i].file);
	unit_must(!sfab_reader_read_text(path, 0, &text, &size, &unit_err));
	r = sfab_reader_detect(text, size);
	ck_assert_int_eq(r != NULL, detect_vectors[_i].reader != NULL);
	if (r)
		ck_assert_str_eq(r->name, detect_vectors[_i].reader);
	free(text);
}

/* What the import says of these files of two-leaves, without the path. */
static const struct {
	const char *first, *second;	/* NULL: one file */
	const char *error;
} refused_vectors[] = {
	{ "ibnetdiscover", NULL, "ibnetdiscover: no tables in this file "
	  "(expected also e.g. output of dump_fts, opensm-lfts.dump)" },
	{ "opensm.fdbs", "opensm-lfts.dump", "opensm.fdbs: no topology in these "
	  "files (expected also e.g. output of ibnetdiscover, opensm-subnet.lst)" },
	{ "fabric.net", "opensm.fdbs", "fabric.net:6: bad node id (found "
	  "\"\"S-leaf1\"\", expected \"S-GUID\" of a Switch, \"H-\" of a Ca, "
	  "\"R-\" of an Rt)" },
	{ "ibnetdiscover", "../README.md", "README.md:1: unknown format (expected "
	  "one that sfabric-import(1) lists)" },
	{ "ibnetdiscover", "../two-leaves-lmc1/opensm.fdbs",
	  "/two-leaves-lmc1/opensm.fdbs:14: switch leaf1: unknown LID 0xc "
	  "(expected a LID of the topology: files of two fabrics?)" },
	{ "ibnetdiscover", "missing",
	  "missing: cannot open (No such file or directory)" },
};

LOOP_TEST(refused, N(refused_vectors))
{
	char a[PATH_SIZE], b[PATH_SIZE];
	const char *files[2] = { data(a, "two-leaves",
				      refused_vectors[_i].first) };
	const char *expected = refused_vectors[_i].error;
	size_t len;

	if (refused_vectors[_i].second)
		files[1] = data(b, "two-leaves", refused_vectors[_i].second);
	ck_assert_ptr_null(import(files, files[1] ? 2 : 1, &unit_err));
	len = strlen(unit_err.text);
	unit_must(len > strlen(expected));
	ck_assert_str_eq(unit_err.text + len - strlen(expected), expected);
}

TEST(no_files)
{
	ck_assert_ptr_null(import(NULL, 0, &unit_err));
	ck_assert_int_eq(unit_err.code, SFAB_EINVAL);
}

UNIT_MAIN("reader")
