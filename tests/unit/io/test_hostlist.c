/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_hostlist.c - vectors, properties, and the same answers as scontrol's */

#include <inttypes.h>
#include <stdint.h>
#include <unistd.h>

#include "core/fabric/fabric.h"
#include "io/hostlist.h"
#include "tests/unit/fixtures/unit.h"

#define RANDOM_LISTS 150

static const struct {
	const char *list, *names;	/* names: separated by blanks */
} expand_vectors[] = {
	{ "", "" },
	{ " , ,", "" },
	{ "a,b,c", "a b c" },
	{ ",a,,b,", "a b" },
	{ " a b\tc\nd ", "a b c d" },
	{ "n[1-3],io1", "n1 n2 n3 io1" },
	{ "n[001-003,7]", "n001 n002 n003 n7" },
	{ "n[09-11]", "n09 n10 n11" },
	{ "n[1-03]", "n1 n2 n3" },
	{ "n[1-2,1]", "n1 n2 n1" },
	{ "[1-2]", "1 2" },
	{ "n[1-2][3-4]", "n13 n14 n23 n24" },
	{ "n[001-003,7]-ib[1-2]",
	  "n001-ib1 n001-ib2 n002-ib1 n002-ib2 n003-ib1 n003-ib2 n7-ib1 n7-ib2" },
	{ "n[1-2]-ib0 m", "n1-ib0 n2-ib0 m" },
	{ "a[1-2]b[3-4]c[5-6]",
	  "a1b3c5 a1b3c6 a1b4c5 a1b4c6 a2b3c5 a2b3c6 a2b4c5 a2b4c6" },
	{ "n[000000000000000001-2]", "n000000000000000001 n000000000000000002" },
	{ "n[999999999999999998-999999999999999999]",
	  "n999999999999999998 n999999999999999999" },
	{ "n1-3 a;b", "n1-3 a;b" },
};

static const struct {
	const char *list;
	enum sfab_errcode code;
	const char *text;		/* part of the error text */
} failure_vectors[] = {
	{ "n[1-3", SFAB_EFORMAT, "'[' without ']'" },
	{ "n[1,io1", SFAB_EFORMAT, "'[' without ']'" },
	{ "a,n[", SFAB_EFORMAT, "'[' without ']'" },
	{ "n]", SFAB_EFORMAT, "']' without '['" },
	{ "n[1-2]]", SFAB_EFORMAT, "']' without '['" },
	{ "n[[1]]", SFAB_EFORMAT, "no number" },
	{ "n[1[2]]", SFAB_EFORMAT, "no end of the range" },
	{ "n[]", SFAB_EFORMAT, "no number" },
	{ "n[1,]", SFAB_EFORMAT, "no number" },
	{ "n[,1]", SFAB_EFORMAT, "no number" },
	{ "n[1-]", SFAB_EFORMAT, "no number" },
	{ "n[-1]", SFAB_EFORMAT, "no number" },
	{ "n[a-b]", SFAB_EFORMAT, "no number" },
	{ "n[1 -2]", SFAB_EFORMAT, "no end of the range" },
	{ "n[1-2-3]", SFAB_EFORMAT, "no end of the range" },
	{ "n[0x1]", SFAB_EFORMAT, "no end of the range" },
	{ "n[3-1]", SFAB_EFORMAT, "backwards at \"3-1]\"" },
	{ "n[1-1000001]", SFAB_ELIMIT, "too large a range" },
	{ "n[0-18446744073709551616]", SFAB_ELIMIT, "18 digits" },
	{ "n[1234567890123456789]", SFAB_ELIMIT, "18 digits" },
	{ "n[1-1000][1-1001]", SFAB_ELIMIT, "more than 1000000 names" },
	{ "n[1-600000],m[1-600000]", SFAB_ELIMIT, "more than 1000000 names" },
	{ "[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]",
	  SFAB_ELIMIT, "more than 1000000 names" },
};

static const struct {
	const char *names, *list;	/* names: separated by blanks */
} fold_vectors[] = {
	{ "", "" },
	{ "n7", "n7" },
	{ "n2 n1 n3 n2", "n[1-3]" },
	{ "n1 n3 n2 n9 io1", "io1,n[1-3,9]" },
	{ "n10 n9 n8", "n[8-10]" },
	{ "n098 n099 n100", "n[098-100]" },
	{ "n99 n100", "n[99-100]" },
	{ "a b", "a,b" },
	{ "1 2 3", "[1-3]" },
	{ "n n1", "n,n1" },
	{ "n1x n2x", "n1x,n2x" },
	{ "n1-ib1 n1-ib2 n2-ib1", "n1-ib[1-2],n2-ib1" },
	{ "n999999999999999998 n999999999999999999",
	  "n[999999999999999998-999999999999999999]" },
};

/* Break @text at blanks into a list of its own. */
static struct sfab_names words(const char *text)
{
	struct sfab_names w = { 0 };
	char *copy = strdup(text), *save, *word;

	w.name = calloc(strlen(text) + 1, sizeof(*w.name));
	for (word = strtok_r(copy, " \n", &save); word;
	     word = strtok_r(NULL, " \n", &save))
		w.name[w.n++] = strdup(word);
	free(copy);
	return w;
}

static void assert_same(const struct sfab_names *a, const struct sfab_names *b,
			const char *what)
{
	uint32_t i;

	ck_assert_msg(a->n == b->n, "%s: %u names, expected %u", what, a->n,
		      b->n);
	for (i = 0; i < a->n; i++)
		ck_assert_msg(strcmp(a->name[i], b->name[i]) == 0,
			      "%s: name %u is %s, expected %s", what, i,
			      a->name[i], b->name[i]);
}

LOOP_TEST(expands, N(expand_vectors))
{
	struct sfab_names want = words(expand_vectors[_i].names), got;

	ck_assert_int_eq(sfab_hostlist_expand(expand_vectors[_i].list, &got,
					      NULL), 0);
	assert_same(&got, &want, expand_vectors[_i].list);
	sfab_names_free(&got);
	sfab_names_free(&want);
}

LOOP_TEST(fails, N(failure_vectors))
{
	struct sfab_names got;

	ck_assert_int_eq(sfab_hostlist_expand(failure_vectors[_i].list, &got,
					      &unit_err), -1);
	ck_assert_int_eq(unit_err.code, failure_vectors[_i].code);
	ck_assert_msg(strstr(unit_err.text, failure_vectors[_i].text) != NULL,
		      "\"%s\" does not say \"%s\"", unit_err.text,
		      failure_vectors[_i].text);
	ck_assert_uint_eq(got.n, 0);
	ck_assert_ptr_null(got.name);
}

LOOP_TEST(folds, N(fold_vectors))
{
	struct sfab_names names = words(fold_vectors[_i].names);
	char *list = sfab_hostlist_fold((const char *const *) names.name,
					names.n);

	ck_assert_str_eq(list, fold_vectors[_i].list);
	free(list);
	sfab_names_free(&names);
}

TEST(a_name_may_have_255_bytes)
{
	char text[300];
	struct sfab_names got;
	struct sfab_err err;

	memset(text, 'n', sizeof(text));
	strcpy(text + 254, "[1-9]");
	ck_assert_int_eq(sfab_hostlist_expand(text, &got, NULL), 0);
	ck_assert_uint_eq(strlen(got.name[8]), 255);
	sfab_names_free(&got);
	strcpy(text + 254, "[9-10]");
	ck_assert_int_eq(sfab_hostlist_expand(text, &got, &err), -1);
	ck_assert_int_eq(err.code, SFAB_ELIMIT);
	strcpy(text + 254, "xy");
	ck_assert_int_eq(sfab_hostlist_expand(text, &got, &err), -1);
	ck_assert_int_eq(err.code, SFAB_ELIMIT);
}

TEST(a_million_names_fit)
{
	struct sfab_names got;

	ck_assert_int_eq(sfab_hostlist_expand("n[0000-0999]-[000-999]", &got,
					      NULL), 0);
	ck_assert_uint_eq(got.n, SFAB_HOSTLIST_MAX);
	ck_assert_str_eq(got.name[SFAB_HOSTLIST_MAX - 1], "n0999-999");
	sfab_names_free(&got);
}

static uint64_t seed(void)
{
	const char *text = getenv("SFAB_TEST_SEED");

	return text ? strtoull(text, NULL, 0) : 1;
}

static uint32_t next(uint64_t *state, uint32_t below)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t) (*state >> 33) % below;
}

/* Write a group at random, such as "[3-9,017]". */
static void write_group(FILE *out, uint64_t *state)
{
	uint32_t ranges = 1 + next(state, 3), lo, i;
	int width;

	fputc('[', out);
	for (i = 0; i < ranges; i++) {
		width = 1 + (int) next(state, 4);
		lo = next(state, 120);
		fprintf(out, "%s%0*u", i ? "," : "", width, lo);
		if (next(state, 2))
			fprintf(out, "-%u", lo + next(state, 12));
	}
	fputc(']', out);
}

/*
 * Up to 6 terms with up to two groups each, nothing after the last: three groups scontrol gives
 * in an order of its own, text after them it refuses.
 */
static char *random_list(uint64_t *state)
{
	static const char *const prefix[] = { "n", "wf", "io-", "r1c", "x" };
	uint32_t terms = 1 + next(state, 6), groups, i;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (i = 0; i < terms; i++) {
		fprintf(out, "%s%s", i ? "," : "", prefix[next(state, 5)]);
		for (groups = next(state, 3); groups > 0; groups--) {
			write_group(out, state);
			if (groups == 2)
				fputs(next(state, 2) ? "-ib" : "", out);
		}
	}
	fclose(out);
	return text;
}

static int compare(const void *a, const void *b)
{
	return sfab_fabric_name_cmp(*(char *const *) a, *(char *const *) b);
}

static void sort_unique(struct sfab_names *names)
{
	uint32_t i, kept = 0;

	qsort(names->name, names->n, sizeof(*names->name), compare);
	for (i = 0; i < names->n; i++) {
		if (kept && strcmp(names->name[kept - 1], names->name[i]) == 0)
			free(names->name[i]);
		else
			names->name[kept++] = names->name[i];
	}
	names->n = kept;
}

static int has_scontrol(void)
{
	return system("command -v scontrol >/dev/null") == 0;
}

/* scontrol reads a slurm.conf even to expand a list. */
static void make_slurm_conf(void)
{
	const char *slurm_conf = unit_path("slurm.conf");
	char host[64] = "", text[200];

	gethostname(host, sizeof(host) - 1);
	snprintf(text, sizeof(text), "ClusterName=x\nSlurmctldHost=%s\nAuthType=auth/none\n"
		 "NodeName=n1\nPartitionName=p Nodes=n1\n", host);
	unit_write(slurm_conf, text);
	setenv("SLURM_CONF", slurm_conf, 1);
}

/* Lines that `scontrol show WHAT LIST` prints, as words. */
static struct sfab_names scontrol(const char *what, const char *list)
{
	struct sfab_names names;
	char *text = NULL, *command;
	size_t size = 0;
	FILE *pipe;

	ck_assert_int_gt(asprintf(&command, "scontrol show %s '%s'", what,
				  list), 0);
	pipe = popen(command, "r");
	if (getdelim(&text, &size, '\0', pipe) < 0)
		text = strdup("");
	ck_assert_int_eq(pclose(pipe), 0);
	names = words(text);
	free(text);
	free(command);
	return names;
}

static void folding_loses_nothing(const char *text)
{
	struct sfab_names names, again;
	char *folded;

	ck_assert_int_eq(sfab_hostlist_expand(text, &names, NULL), 0);
	folded = sfab_hostlist_fold((const char *const *) names.name, names.n);
	ck_assert_int_eq(sfab_hostlist_expand(folded, &again, NULL), 0);
	sort_unique(&names);
	assert_same(&again, &names, folded);
	free(folded);
	sfab_names_free(&names);
	sfab_names_free(&again);
}

TEST(folding_and_expanding_again_sorts)
{
	uint64_t state = seed();
	char *text;

	for (int i = 0; i < 20 * RANDOM_LISTS; i++) {
		text = random_list(&state);
		folding_loses_nothing(text);
		free(text);
	}
}

/* Check that both expand alike, and that scontrol expands what we fold. */
static void same_as_scontrol(const char *text)
{
	struct sfab_names ours, theirs;
	char *folded;

	ck_assert_int_eq(sfab_hostlist_expand(text, &ours, NULL), 0);
	theirs = scontrol("hostnames", text);
	assert_same(&ours, &theirs, text);
	sfab_names_free(&theirs);

	folded = sfab_hostlist_fold((const char *const *) ours.name, ours.n);
	theirs = scontrol("hostnames", folded);
	sort_unique(&ours);
	assert_same(&theirs, &ours, folded);
	free(folded);
	sfab_names_free(&ours);
	sfab_names_free(&theirs);
}

LOOP_TEST(random_lists_are_scontrols, has_scontrol())
{
	uint64_t state = seed() + 1;
	char *text;

	make_slurm_conf();
	for (int i = 0; i < RANDOM_LISTS; i++) {
		text = random_list(&state);
		same_as_scontrol(text);
		free(text);
	}
}

/* Where names have one width scontrol folds to the very same text. */
LOOP_TEST(folded_text_is_scontrols, has_scontrol())
{
	static const char *const lists[] = {
		"wf0003,wf0001,wf0002,wf0640", "io[2-4],io1,a",
		"n9,n10,n11,n1", "n1-ib[1-2],n2-ib[1-2]", "b,a,a1",
	};
	struct sfab_names names, theirs;
	char *folded;

	make_slurm_conf();
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		ck_assert_int_eq(sfab_hostlist_expand(lists[i], &names, NULL),
				 0);
		folded = sfab_hostlist_fold((const char *const *) names.name,
					    names.n);
		theirs = scontrol("hostlistsorted", lists[i]);
		ck_assert_str_eq(theirs.name[0], folded);
		free(folded);
		sfab_names_free(&names);
		sfab_names_free(&theirs);
	}
}

UNIT_MAIN("hostlist")
