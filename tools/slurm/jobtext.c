/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobtext.c - jobs' own lines of scontrol's answer; see jobtext.h
 *
 * A job's name and comment are any text that its user likes, with newlines and with
 * "Key=Value".  Reading scontrol line by line, a user could forge other jobs.  squeue and
 * scontrol are therefore asked with a random mark in their formats, which no user can know, and
 * only what stands at the mark is believed.
 */

#include "tools/slurm/jobtext.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "core/utf8.h"
#include "tools/slurm/program.h"
#include "tools/ui/xalloc.h"

struct record_words { /* for text of users, in squeue's answer */
	const char *at;
	size_t n;
};

/* What squeue says about a job, which is the only source for its texts. */
struct text_job {
	uint32_t id;
	struct record_words name, comment;
	int found;
	UT_hash_handle hh;
};

/* -- squeue's answer ------------------------------------------------------- */

/* Take the text up to the next mark; moves *@at past it.  0: there is no mark. */
static int take_words(const char **at, const char *mark, struct record_words *w)
{
	const char *end = strstr(*at, mark);

	if (!end)
		return 0;
	*w = (struct record_words){*at, (size_t) (end - *at)};
	*at = end + strlen(mark);
	return 1;
}

/*
 * Read job id, name and comment, each ended by the mark.  An id that is there twice is kept
 * once.
 */
static struct text_job *read_jobs(const char *squeue, const char *mark)
{
	struct text_job *jobs = NULL, *job, *twice;
	struct record_words id;

	for (; take_words(&squeue, mark, &id); squeue += *squeue == '\n') {
		job = xcalloc(1, sizeof(*job));
		job->id = (uint32_t) strtoul(id.at, NULL, 10);
		HASH_FIND(hh, jobs, &job->id, sizeof(job->id), twice);
		if (!take_words(&squeue, mark, &job->name) ||
		    !take_words(&squeue, mark, &job->comment) || twice) {
			free(job);
			continue;
		}
		HASH_ADD(hh, jobs, id, sizeof(job->id), job);
	}
	return jobs;
}

/* -- scontrol's answer ----------------------------------------------------- */

static int has_text_prefix(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static const char *next_text_line(const char *at)
{
	at += strcspn(at, "\n");
	return at + (*at == '\n');
}

/*
 * Find the line after the name of the job that begins at @at.  NULL: no job begins there, or
 * its name differs.  After the name come lines of Slurm's own, which differ by version; one of
 * those in the table must be the first.  A name that contains a newline and such a line is
 * caught by comparing it with squeue's.
 */
static const char *behind_name(const char *at, struct text_job *jobs,
			       struct text_job **job)
{
	static const char *const next[] = { "UserId=", "SLUID=", "HetJobIdSet=" };
	const char *name = at + strcspn(at, "\n");
	uint32_t id;

	if (!has_text_prefix(at, "JobId="))
		return NULL;
	id = (uint32_t) strtoul(at + strlen("JobId="), NULL, 10);
	HASH_FIND(hh, jobs, &id, sizeof(id), *job);
	at = strstr(at, " JobName=");
	if (!*job || !at || at > name)
		return NULL;
	at += strlen(" JobName=");
	if (strncmp(at, (*job)->name.at, (*job)->name.n) ||
	    !has_text_prefix(at + (*job)->name.n, "\n   "))
		return NULL;
	at += (*job)->name.n + 1;
	for (size_t i = 0; i < sizeof(next) / sizeof(next[0]); i++)
		if (has_text_prefix(at + 3, next[i]))
			return at;
	return NULL;
}

/*
 * Find the end of Slurm's own lines at @at; NULL: not found.  A line that is there twice was
 * forged, and so the record is not believed.
 */
static const char *own_end(const char *at, const char *mark)
{
	static const char *const once[] = {
		"   SubmitTime=", "   UserId=", "   JobState=", "   NodeList=",
	};
	unsigned seen[4] = { 0 };

	for (; has_text_prefix(at, "   "); at = next_text_line(at)) {
		for (size_t i = 0; i < 4; i++)
			seen[i] += (unsigned) has_text_prefix(at, once[i]);
		/* "   SubmitTime=1700000000MARK EligibleTime=..." */
		if (has_text_prefix(at, once[0])) {
			const char *time = at + strlen(once[0]);

			if (!program_take_time(&time, mark) || *time != ' ')
				return NULL;
		}
		if (has_text_prefix(at, "   OverSubscribe="))
			return seen[0] == 1 && seen[1] == 1 && seen[2] == 1 &&
				       seen[3] <= 1
				   ? next_text_line(at)
				   : NULL;
	}
	return NULL;
}

/*
 * Write a user's text as one line: white space becomes blanks.  Unprintable characters become
 * '?', since the text ends up in messages.
 */
static void put_words(FILE *out, const char *key, struct record_words w)
{
	char *line = xcalloc(w.n + 1, 1);

	memcpy(line, w.at, w.n);
	for (char *p = line; (p = strpbrk(p, "\t\n\v\f\r"));)
		*p = ' ';
	sfab_utf8_clean(line, w.n + 1, line, w.n);
	fprintf(out, "%s%s\n", key, line);
	free(line);
}

/*
 * Write Slurm's own lines.  The last one may end with the job's network text, which may
 * continue after them, up to the line of the job's command.
 */
static void put_own(FILE *out, const char *lines, const char *end,
		    const char *mark)
{
	static const char key[] = " Network=";
	const char *network = end - 1, *text, *command, *next;

	while (network > lines && network[-1] != '\n')
		network--;
	network = end[-1] == '\n' ? strstr(network, key) : NULL;
	if (!network || network >= end) {
		program_put_unmarked(out, lines, end, mark);
		return;
	}
	program_put_unmarked(out, lines, network, mark);
	command = strstr(end - 1, "\n   Command=");
	next = strstr(end - 1, "\nJobId=");
	if (!command || (next && next < command))
		command = end - 1;
	text = network + strlen(key);
	put_words(out, key, (struct record_words){text, (size_t) (command - text)});
}

/*
 * Write the record at @at, if there is one, and return where to continue.  Where no record is
 * believed the next line is tried, so a forged one costs only itself.
 */
static const char *put_record(FILE *out, const char *at, struct text_job *jobs,
			      const char *mark)
{
	struct text_job *job = NULL;
	const char *lines = behind_name(at, jobs, &job);
	const char *end = lines ? own_end(lines, mark) : NULL;
	const char *name;

	if (!end || job->found)
		return next_text_line(at);
	job->found = 1;
	name = strstr(at, " JobName=");
	fwrite(at, 1, (size_t) (name - at), out);
	put_words(out, " JobName=", job->name);
	put_own(out, lines, end, mark);
	put_words(out, "   Comment=", job->comment);
	return end;
}

/*
 * Make one text of both answers.  Jobs that ended between the two are lost like forged ones.
 * The caller gets one of their ids, to name it in a warning.
 */
char *jobtext_make(const char *squeue, const char *scontrol, const char *mark,
		   struct jobtext_lost *lost)
{
	struct text_job *jobs = read_jobs(squeue, mark), *job, *next;
	char *text = NULL;
	size_t size = 0;
	FILE *out = xnonnull(open_memstream(&text, &size));

	while (*scontrol)
		scontrol = put_record(out, scontrol, jobs, mark);
	fclose(out);
	*lost = (struct jobtext_lost){ 0 };
	HASH_ITER(hh, jobs, job, next) {
		if (!job->found && !lost->n++)
			lost->id = job->id;
		HASH_DEL(jobs, job);
		free(job);
	}
	return xnonnull(text);
}

/* -- both programs --------------------------------------------------------- */

/* Ask for id, name and comment of all jobs, with @mark after each; *@text is the caller's. */
static int ask_squeue(const char *mark, char **text, struct sfab_err *err)
{
	char *argv[] = { (char *) "squeue", (char *) "-ah", (char *) "-tall",
			 NULL };
	char *format = xstrfmt("%%A%s%%j%s%%k%s", mark, mark, mark);
	int rc;
	static const char *const names[] = {
		"SQUEUE_ACCOUNT", "SQUEUE_ARRAY", "SQUEUE_ARRAY_UNIQUE",
		"SQUEUE_FEDERATION", "SQUEUE_FORMAT2", "SQUEUE_LICENSES",
		"SQUEUE_NAMES", "SQUEUE_PARTITION", "SQUEUE_PRIORITY",
		"SQUEUE_QOS", "SQUEUE_SIB", "SQUEUE_SIBLING", "SQUEUE_STATES",
		"SQUEUE_USERS",
	};

	/* The user's own settings would change what squeue lists. */
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unsetenv(names[i]);
	setenv("SQUEUE_FORMAT", format, 1);
	rc = program_output(argv, 0, text, err);
	unsetenv("SQUEUE_FORMAT");
	free(format);
	return rc;
}

int jobtext_ask(const char *id, char **text, struct jobtext_lost *lost,
		struct sfab_err *err)
{
	char mark[PROGRAM_MARK], *names, *jobs;
	char *argv[] = { (char *) "scontrol", (char *) "-ad", (char *) "show",
			 (char *) "job", (char *) id, NULL };
	int rc;

	if (program_mark(mark, err) != 0 || ask_squeue(mark, &names, err) != 0)
		return -1;
	rc = program_output_marked(argv, mark, &jobs, err);
	if (rc != 0) {
		free(names);
		return -1;
	}
	*text = jobtext_make(names, jobs, mark, lost);
	free(names);
	free(jobs);
	return 0;
}
