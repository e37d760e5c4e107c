/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_batch_script.c - words of #SBATCH lines, as sbatch takes them */

#include "tests/unit/fixtures/unit.h"
#include "tools/slurm/batch_script.h"

static struct batch_script script;
static struct sfab_err err;

static int parse(const char *text)
{
	return batch_script_parse(&script, "job.sh", strdup(text), strlen(text),
				  &err);
}

#define SH "#!/bin/sh\n"

static const struct {
	const char *text, *words;	/* with '|' between */
	const char *lines;		/* of each word */
	int het, other;
} scripts[] = {
	{ SH, "", "", 0, 0 },
	{ SH "#SBATCH -N4 --mem 2G\n", "-N4|--mem|2G", "222", 0, 0 },
	{ SH "#SBATCH -N\n#SBATCH 4", "-N|4", "23", 0, 0 },
	{ SH "\n# a comment\n  # another\n#SBATCH -n8\n", "-n8", "5", 0, 0 },
	{ SH "#SBATCH -n8\nhostname\n#SBATCH -n9\n", "-n8", "2", 0, 0 },
	{ SH "  :\n#SBATCH -n9\n", "", "", 0, 0 },
	{ SH " #SBATCH -n9\n", "", "", 0, 0 },
	{ SH "##SBATCH -n9\n#SBATCH_-n8\n", "_-n8", "3", 0, 0 },
	{ SH "#SBATCH--nodes=3\n#SLURM -x n1\n", "--nodes=3|-x|n1", "233",
	  0, 0 },
	{ SH "#SBATCH --comment=\"two words\" -J 'a \"b\" c'\n",
	  "--comment=two words|-J|a \"b\" c", "222", 0, 0 },
	{ SH "#SBATCH --comment=a\\ b\\\"\\#c -n2\n", "--comment=a b\"#c|-n2",
	  "22", 0, 0 },
	{ SH "#SBATCH --comment=\"it\\\"s\" '-n'2\n", "--comment=it\"s|-n2",
	  "22", 0, 0 },
	{ SH "#SBATCH -n2 # -n3\n#SBATCH -c2#no\n", "-n2|-c2", "23", 0, 0 },
	{ SH "#SBATCH -n2 '' -n3\n#SBATCH -c2\n", "-n2|-c2", "23", 0, 0 },
	{ SH "#SBATCH -n2\t-c3  \n", "-n2|-c3", "22", 0, 0 },
	{ SH "#SBATCH -n2\\\n#SBATCH -c2\n", "-n2|-c2", "23", 0, 0 },
	{ SH "#SBATCH -N1\n#SBATCH hetjob\n#SBATCH -N2\n", "-N1", "2", 1, 0 },
	{ SH "#SBATCH packjob -N2\n", "", "", 1, 0 },
	{ SH "#SBATCH hetjobs\n", "hetjobs", "2", 0, 0 },
	{ SH "#PBS -l nodes=4\n#SBATCH -N2\n", "-N2", "3", 0, 1 },
	{ "#!/bin/sh", "", "", 0, 0 },
};

LOOP_TEST(words, N(scripts))
{
	char all[200] = "", lines[40] = "";

	ck_assert_int_eq(parse(scripts[_i].text), 0);
	for (uint32_t i = 1; i < script.n; i++) {
		snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s%s",
			 i > 1 ? "|" : "", script.word[i]);
		snprintf(lines + i - 1, sizeof(lines) - i, "%u", script.line[i]);
	}
	ck_assert_str_eq(all, scripts[_i].words);
	ck_assert_str_eq(lines, scripts[_i].lines);
	ck_assert_int_eq(script.is_het, scripts[_i].het);
	ck_assert_int_eq(script.has_other_lines, scripts[_i].other);
	batch_script_free(&script);
	batch_script_free(&script);
}

static const struct {
	const char *text;
	size_t size;		/* 0: up to the NUL */
	const char *error;
} wrong[] = {
	{ "", 0, "job.sh: no batch script: the first line must begin with #!" },
	{ "hostname\n", 0,
	  "job.sh: no batch script: the first line must begin with #!" },
	{ SH "a\0b", 13, "job.sh: a NUL character at byte 11" },
	{ SH "#SBATCH -N2\r\n", 0, "job.sh: lines end as in DOS (\\r\\n)" },
	{ SH "\n#SBATCH -J 'a b\n", 0, "job.sh:3: a quote is not closed" },
	{ SH "#SBATCH -N2 : -N3\n", 0, "job.sh:2: ':' (expected an option)" },
};

LOOP_TEST(refused, N(wrong))
{
	size_t size = wrong[_i].size ? wrong[_i].size : strlen(wrong[_i].text);
	char *text = calloc(1, size + 1);

	memcpy(text, wrong[_i].text, size);
	ck_assert_int_eq(batch_script_parse(&script, "job.sh", text, size, &err),
			 -1);
	ck_assert_str_eq(err.text, wrong[_i].error);
	ck_assert_ptr_null(script.text);
}

TEST(no_file)
{
	ck_assert_int_eq(batch_script_read(&script, "/nowhere/job.sh", &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "/nowhere/job.sh: "));
	ck_assert_ptr_null(script.text);
}

UNIT_MAIN("batch_script")
