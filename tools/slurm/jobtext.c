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

struct user_text {		/* in squeue's answer, without a NUL */
	const char *text;
	size_t n;
};

/* What squeue says about a job, which is the only source for its texts. */
struct text_job {
	uint32_t id;
	struct user_text name, comment;
	int is_found;
	UT_hash_handle hh;
};

/* -- squeue's answer ------------------------------------------------------- */

/* Take the text up to the next mark, and move *@text past it.  0: there is no mark. */
static int take_marked_text(const char **text, const char *mark, struct user_text *w)
{
	const char *end = strstr(*text, mark);

	if (!end)
		return 0;
	*w = (struct user_text){*text, (size_t) (end - *text)};
	*text = end + strlen(mark);
	return 1;
}

/*
 * Read job id, name and comment, each ended by the mark.  An id that is there twice is kept
 * once.
 */
static struct text_job *read_squeue_jobs(const char *squeue, const char *mark)
{
	struct text_job *jobs = NULL, *job, *twice;
	struct user_text id;

	for (; take_marked_text(&squeue, mark, &id); squeue += *squeue == '\n') {
		job = xcalloc(1, sizeof(*job));
		job->id = (uint32_t) strtoul(id.text, NULL, 10);
		HASH_FIND(hh, jobs, &job->id, sizeof(job->id), twice);
		if (!take_marked_text(&squeue, mark, &job->name) ||
		    !take_marked_text(&squeue, mark, &job->comment) || twice) {
			free(job);
			continue;
		}
		HASH_ADD(hh, jobs, id, sizeof(job->id), job);
	}
	return jobs;
}

/* -- scontrol's answer ----------------------------------------------------- */

static int has_text_prefix(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static const char *next_text_line(const char *line)
{
	line += strcspn(line, "\n");
	return line + (*line == '\n');
}

/*
 * Find the line after the name of the job that begins at @p.  NULL: no job begins there, or its
 * name differs.  After the name come lines of Slurm's own, which differ by version; one of
 * those in the table must be the first.  A name that contains a newline and such a line is
 * caught by comparing it with squeue's.
 */
static const char *find_own_lines(const char *p, struct text_job *jobs,
				  struct text_job **job)
{
	static const char *const own_keys[] = { "UserId=", "SLUID=", "HetJobIdSet=" };
	const char *name = p + strcspn(p, "\n");
	uint32_t id;

	if (!has_text_prefix(p, "JobId="))
		return NULL;
	id = (uint32_t) strtoul(p + strlen("JobId="), NULL, 10);
	HASH_FIND(hh, jobs, &id, sizeof(id), *job);
	p = strstr(p, " JobName=");
	if (!*job || !p || p > name)
		return NULL;
	p += strlen(" JobName=");
	if (strncmp(p, (*job)->name.text, (*job)->name.n) ||
	    !has_text_prefix(p + (*job)->name.n, "\n   "))
		return NULL;
	p += (*job)->name.n + 1;
	for (size_t i = 0; i < sizeof(own_keys) / sizeof(own_keys[0]); i++)
		if (has_text_prefix(p + 3, own_keys[i]))
			return p;
	return NULL;
}

/*
 * Find the end of Slurm's own lines at @line; NULL: not found.  A line that is there twice was
 * forged, and so the record is not believed.
 */
static const char *find_own_end(const char *line, const char *mark)
{
	static const char *const keys[] = {
		"   SubmitTime=", "   UserId=", "   JobState=", "   NodeList=",
	};
	unsigned seen[4] = { 0 };

	for (; has_text_prefix(line, "   "); line = next_text_line(line)) {
		for (size_t i = 0; i < 4; i++)
			seen[i] += (unsigned) has_text_prefix(line, keys[i]);
		/* "   SubmitTime=1700000000MARK EligibleTime=..." */
		if (has_text_prefix(line, keys[0])) {
			const char *time = line + strlen(keys[0]);

			if (!program_take_time(&time, mark) || *time != ' ')
				return NULL;
		}
		if (has_text_prefix(line, "   OverSubscribe="))
			return seen[0] == 1 && seen[1] == 1 && seen[2] == 1 &&
				       seen[3] <= 1
				   ? next_text_line(line)
				   : NULL;
	}
	return NULL;
}

/*
 * Write a user's text as one line: white space becomes blanks.  Unprintable characters become
 * '?', since the text ends up in messages.
 */
static void write_user_text(FILE *out, const char *key, struct user_text w)
{
	char *line = xcalloc(w.n + 1, 1);

	memcpy(line, w.text, w.n);
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
static void write_own_lines(FILE *out, const char *lines, const char *end,
			    const char *mark)
{
	static const char key[] = " Network=";
	const char *network = end - 1, *text, *command, *next;

	while (network > lines && network[-1] != '\n')
		network--;
	network = end[-1] == '\n' ? strstr(network, key) : NULL;
	if (!network || network >= end) {
		program_write_unmarked(out, lines, end, mark);
		return;
	}
	program_write_unmarked(out, lines, network, mark);
	command = strstr(end - 1, "\n   Command=");
	next = strstr(end - 1, "\nJobId=");
	if (!command || (next && next < command))
		command = end - 1;
	text = network + strlen(key);
	write_user_text(out, key, (struct user_text){text, (size_t) (command - text)});
}

/*
 * Write the record at @record, if there is one, and return where to continue.  Where no record
 * is believed the next line is tried, so a forged one costs only itself.
 */
static const char *write_record(FILE *out, const char *record, struct text_job *jobs,
				const char *mark)
{
	struct text_job *job = NULL;
	const char *lines = find_own_lines(record, jobs, &job);
	const char *end = lines ? find_own_end(lines, mark) : NULL;
	const char *name;

	if (!end || job->is_found)
		return next_text_line(record);
	job->is_found = 1;
	name = strstr(record, " JobName=");
	fwrite(record, 1, (size_t) (name - record), out);
	write_user_text(out, " JobName=", job->name);
	write_own_lines(out, lines, end, mark);
	write_user_text(out, "   Comment=", job->comment);
	return end;
}

/*
 * Make one text of both answers.  Jobs that ended between the two are lost like forged ones.
 * The caller gets one of their ids, to name it in a warning.
 */
char *jobtext_make(const char *squeue, const char *scontrol, const char *mark,
		   struct jobtext_lost *lost)
{
	struct text_job *jobs = read_squeue_jobs(squeue, mark), *job, *next;
	char *text = NULL;
	size_t size = 0;
	FILE *out = xnonnull(open_memstream(&text, &size));

	while (*scontrol)
		scontrol = write_record(out, scontrol, jobs, mark);
	fclose(out);
	*lost = (struct jobtext_lost){ 0 };
	HASH_ITER(hh, jobs, job, next) {
		if (!job->is_found && !lost->n++)
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
