/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_traffic.c - traffic and hints: vectors, failures marked by NULL */

#include "tests/unit/fixtures/unit.h"

#include "core/load/traffic.h"

static const struct {
	const char *text;
	const char *canonical;	/* NULL: must fail */
} vector[] = {
	{ "mpi", "mpi=0.25" },
	{ "mpi=1", "mpi=1" },
	{ "io-write@scratch=0.4+mpi", "io-write@scratch=0.4+mpi=0.25" },
	{ "io-write=0.6+mpi+neighbor", "io-write=0.6+mpi=0.2+neighbor=0.2" },
	{ "mpi=0.8+io-read", "mpi=0.8+io-read=0.02" },
	{ "mpi=0.1+neighbor=0.2+io-read=0.7", "mpi=0.1+neighbor=0.2+io-read=0.7" },
	{ "mpi=0", "mpi=0" },
	/* patterns of mpi, with its share */
	{ "alltoall=0.6", "alltoall=0.6" },
	{ "allreduce", "allreduce=0.25" },
	{ "allreduce+io-write@scratch=.2", "allreduce=0.25+io-write@scratch=0.2" },
	{ "uniform", "uniform=0.25" },
	{ "ring+mpi+neighbor", "ring=0.25+mpi=0.25+neighbor=0.25" },
	{ "alltoall=0.7+ring=0.4", NULL },
	{ "halving", NULL },
	{ "allreduc", NULL },
	{ "Alltoall", NULL },
	{ "ring=2", NULL },
	{ "ring@scratch", NULL },
	{ "", NULL },
	{ "mp", NULL },
	{ "mpi=", NULL },
	{ "mpi=1.1", NULL },
	{ "mpi=-0.1", NULL },
	{ "mpi=nan", NULL },
	{ "mpi=0.5x", NULL },
	{ "mpi@scratch", NULL },
	{ "io-write@", NULL },
	{ "mpi=0.6+io-write=0.6", NULL },
	{ "mpi+", NULL },
	{ "mpi=0.1+mpi=0.1+mpi=0.1+mpi=0.1+mpi=0.1+mpi=0.1+mpi=0.1+mpi=0.1+mpi=0.1", NULL },
	{ "io-write@0123456789012345678901234567890123456789012345678901234567890123", NULL },
};

LOOP_TEST(text_to_traffic_and_back, N(vector))
{
	struct sfab_traffic t, again;
	struct sfab_err err = { 0 };
	char buf[512], buf2[512];
	int rc = sfab_traffic_parse(vector[_i].text, NULL, &t, &err);

	if (!vector[_i].canonical) {
		ck_assert_int_eq(rc, -1);
		ck_assert_int_eq(err.code, SFAB_EFORMAT);
		ck_assert_uint_gt(strlen(err.text), 0);
		return;
	}
	ck_assert_msg(rc == 0, "%s", err.text);
	ck_assert_str_eq(sfab_traffic_text(&t, buf, sizeof(buf)), vector[_i].canonical);
	ck_assert_int_eq(sfab_traffic_parse(buf, NULL, &again, &err), 0);
	ck_assert_str_eq(sfab_traffic_text(&again, buf2, sizeof(buf2)), buf);
}

static const struct {
	const char *comment;
	enum sfab_hint hint;
	const char *canonical;
} hint[] = {
	{ NULL, SFAB_HINT_NONE, NULL },
	{ "", SFAB_HINT_NONE, NULL },
	{ "nothing here", SFAB_HINT_NONE, NULL },
	{ "xsfabric:mpi", SFAB_HINT_NONE, NULL },
	{ "sfabric:off", SFAB_HINT_OFF, NULL },
	{ "run 12;sfabric:io-read=0.3,other", SFAB_HINT_TRAFFIC, "io-read=0.3" },
	{ "alltoall,sfabric:mpi msg=1M", SFAB_HINT_TRAFFIC, "mpi=0.25" },
	{ "sfabric:", SFAB_HINT_WRONG, NULL },
	{ "sfabric:fast", SFAB_HINT_WRONG, NULL },
	{ "sfabric:offf", SFAB_HINT_WRONG, NULL },
	/* any white space delimits */
	{ "first line\nsfabric:mpi=0.2\nlast", SFAB_HINT_TRAFFIC, "mpi=0.2" },
	{ "a\rsfabric:mpi=0.2\rb", SFAB_HINT_TRAFFIC, "mpi=0.2" },
	{ "\vsfabric:off\f", SFAB_HINT_OFF, NULL },
	/* a comma ends a hint, but not in the middle of what was meant */
	{ "sfabric:mpi=0.5,other=1,2", SFAB_HINT_TRAFFIC, "mpi=0.5" },
	{ "sfabric:mpi,other", SFAB_HINT_TRAFFIC, "mpi=0.25" },
	{ "sfabric:mpi,2 nodes", SFAB_HINT_TRAFFIC, "mpi=0.25" },
	{ "sfabric:mpi=0.5,", SFAB_HINT_TRAFFIC, "mpi=0.5" },
	{ "sfabric:off,mpi", SFAB_HINT_OFF, NULL },
	/* of two hints the first counts */
	{ "sfabric:mpi=0.2 sfabric:off", SFAB_HINT_TRAFFIC, "mpi=0.2" },
	{ "sfabric:fast,sfabric:mpi=0.2", SFAB_HINT_WRONG, NULL },
	{ "sfabric:mpi", SFAB_HINT_TRAFFIC, "mpi=0.25" },
	{ "sfabric:alltoall", SFAB_HINT_TRAFFIC, "alltoall=0.25" },
	{ "sfabric:alltoall=0.6", SFAB_HINT_TRAFFIC, "alltoall=0.6" },
	{ "sfabric:allreduce,other", SFAB_HINT_TRAFFIC, "allreduce=0.25" },
	{ "fft;sfabric:ring=0.1+io-read", SFAB_HINT_TRAFFIC, "ring=0.1+io-read=0.02" },
	{ "sfabric:mpi,ring", SFAB_HINT_WRONG, NULL },
	{ "sfabric:mpi=0,5", SFAB_HINT_WRONG, NULL },
	{ "sfabric:mpi=0,5+io-read=0,2", SFAB_HINT_WRONG, NULL },
	{ "sfabric:mpi=0.5,io-write=0.2", SFAB_HINT_WRONG, NULL },
	{ "sfabric:mpi,io-write@fs", SFAB_HINT_WRONG, NULL },
};

LOOP_TEST(hints_in_comments, N(hint))
{
	struct sfab_traffic t;
	char buf[256];

	ck_assert_int_eq(sfab_hint_parse(hint[_i].comment, NULL, &t, &unit_err), hint[_i].hint);
	if (hint[_i].canonical)
		ck_assert_str_eq(sfab_traffic_text(&t, buf, sizeof(buf)),
				 hint[_i].canonical);
}

#define WORDS "mpi, alltoall, allreduce, ring, uniform, neighbor, io-write or io-read"

/* 511 bytes, as many as a hint may have. */
#define X73 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
#define X511 X73 X73 X73 X73 X73 X73 X73

/* What is said of wrong ones: whole characters that can be printed, one line. */
static const struct {
	const char *hint, *said;
} wrong[] = {
	{ "sfabric:mpi=0,5",
	  "traffic mpi=0,5: a comma in a share (expected a decimal point: 0.5)" },
	{ "sfabric:mpi=0.5,io-write=0.2", "traffic mpi=0.5,io-write=0.2: a comma "
	  "(expected + between classes)" },
	{ "sfabric:mpi,neighbor", "traffic mpi,neighbor: a comma (expected + between "
	  "classes)" },
	{ "sfabric:\033[31mred\x7f", "traffic class ?[31mred? (expected " WORDS ")" },
	{ "sfabric:m\xc3\xa4\xc2\x9b", "traffic class m\xc3\xa4? (expected " WORDS ")" },
	{ "sfabric:mpi=\xff\xfe", "share ?? (expected a number from 0 to 1)" },
	{ "sfabric:mpi@\x01", "traffic mpi@?: only io-write and io-read have an IO set" },
	{ "sfabric:ring@fs", "traffic ring@fs: only io-write and io-read have an IO set" },
	{ "sfabric:alltoall,ring=0.1", "traffic alltoall,ring=0.1: a comma (expected "
	  "+ between classes)" },
	{ "sfabric:\xe2\x80\xaemi", "traffic class ?mi (expected " WORDS ")" },
	/* 64 bytes would end within a character */
	{ "sfabric:0123456789012345678901234567890123456789012345678901234567890"
	  "1\xe2\x82\xac\xe2\x82\xac",
	  "traffic class 01234567890123456789012345678901234567890123456789012345"
	  "678901 (expected " WORDS ")" },
	{ "sfabric:" X511, "traffic class xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
	  "xxxxxxxxxxxxxxxx (expected " WORDS ")" },
	{ "sfabric:x" X511, "hint of 512 bytes (expected at most 511)" },
};

LOOP_TEST(wrong_hints_are_reported_in_plain_text, N(wrong))
{
	struct sfab_traffic t;

	ck_assert_int_eq(sfab_hint_parse(wrong[_i].hint, NULL, &t, &unit_err),
			 SFAB_HINT_WRONG);
	ck_assert_str_eq(unit_err.text, wrong[_i].said);
}

/* Which class and pattern a word is. */
static const struct {
	const char *word;
	enum sfab_class class;
	enum sfab_mpi_pattern pattern;
} word[] = {
	{ "mpi", SFAB_MPI, SFAB_PATTERN_MIX },
	{ "alltoall", SFAB_MPI, SFAB_PATTERN_ALLTOALL },
	{ "allreduce", SFAB_MPI, SFAB_PATTERN_ALLREDUCE },
	{ "ring", SFAB_MPI, SFAB_PATTERN_RING },
	{ "uniform", SFAB_MPI, SFAB_PATTERN_UNIFORM },
	{ "neighbor", SFAB_NEIGHBOR, SFAB_PATTERN_MIX },
	{ "io-write", SFAB_IO_WRITE, SFAB_PATTERN_MIX },
	{ "io-read", SFAB_IO_READ, SFAB_PATTERN_MIX },
};

LOOP_TEST(words_of_traffic, N(word))
{
	struct sfab_traffic t;

	ck_assert_int_eq(sfab_traffic_parse(word[_i].word, NULL, &t, NULL), 0);
	ck_assert_uint_eq(t.nparts, 1);
	ck_assert_int_eq(t.part[0].class, word[_i].class);
	ck_assert_int_eq(t.part[0].pattern, word[_i].pattern);
	ck_assert_double_eq(t.part[0].share,
			    sfab_traffic_default_share[word[_i].class]);
}

TEST(a_site_has_its_own_shares)
{
	static const double site[SFAB_NCLASSES] = { 0.1, 0.2, 0.3, 0.4 };
	struct sfab_traffic t;

	ck_assert_int_eq(sfab_traffic_parse("ring+io-read", site, &t, NULL), 0);
	ck_assert_double_eq(t.part[0].share, 0.1);
	ck_assert_double_eq(t.part[1].share, 0.4);
}

/* Parts as class, pattern and share; site mix .5 .3 .2. */
static const struct {
	struct sfab_traffic t;
	double mix[SFAB_NPATTERNS];
} mixed[] = {
	{ { 0 }, { 0, 0, 0 } },
	{ { 1, { { SFAB_MPI, SFAB_PATTERN_MIX, 0.5, "" } } }, { 0.5, 0.3, 0.2 } },
	{ { 1, { { SFAB_MPI, SFAB_PATTERN_ALLREDUCE, 0.1, "" } } }, { 0, 1, 0 } },
	{ { 1, { { SFAB_IO_READ, SFAB_PATTERN_MIX, 0.5, "" } } }, { 0, 0, 0 } },
	{ { 1, { { SFAB_MPI, SFAB_PATTERN_RING, 0, "" } } }, { 0, 0, 0 } },
	{ { 2, { { SFAB_MPI, SFAB_PATTERN_RING, 0.2, "" },
		 { SFAB_NEIGHBOR, SFAB_PATTERN_MIX, 0.6, "" } } }, { 0, 0, 1 } },
	/* a quarter by the mix, three quarters all-to-all */
	{ { 3, { { SFAB_MPI, SFAB_PATTERN_MIX, 0.2, "" },
		 { SFAB_IO_WRITE, SFAB_PATTERN_MIX, 0.2, "" },
		 { SFAB_MPI, SFAB_PATTERN_ALLTOALL, 0.6, "" } } },
	  { 0.875, 0.075, 0.05 } },
};

LOOP_TEST(patterns_weigh_as_their_shares, N(mixed))
{
	static const double site[SFAB_NPATTERNS] = { 0.5, 0.3, 0.2 };
	double mix[SFAB_NPATTERNS];

	sfab_traffic_mix(&mixed[_i].t, site, mix);
	for (int k = 0; k < SFAB_NPATTERNS; k++)
		ck_assert_double_eq_tol(mix[k], mixed[_i].mix[k], 1e-12);
}

TEST(the_default_mix_is_whole)
{
	double sum = 0;

	for (int k = 0; k < SFAB_NPATTERNS; k++)
		sum += sfab_default_mix[k];
	ck_assert_double_eq_tol(sum, 1, 1e-12);
}

UNIT_MAIN("traffic")
