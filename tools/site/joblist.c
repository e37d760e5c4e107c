/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * joblist.c - running jobs; see joblist.h
 *
 * A line has ID, HOSTLIST and perhaps TRAFFIC and USER; '#' begins a comment.  Jobs from Slurm
 * come in through the same functions.
 *
 * The file is a user's, so each mistake is reported with its line.  A job that runs on hosts of
 * another fabric is a mistake too: its traffic would be missing.
 */

#include "tools/site/joblist.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/readers/reader.h"
#include "tools/site/hosts.h"
#include "tools/ui/number.h"
#include "tools/ui/xalloc.h"

#define BLANKS " \t\r"

void joblist_free(struct joblist *l)
{
	for (uint32_t i = 0; i < l->n; i++) {
		free(l->job[i].host);
		free(l->job[i].cpus);
		free(l->job[i].user);
	}
	free(l->job);
	free(l->name);
	memset(l, 0, sizeof(*l));
}

struct joblist_job *joblist_add_take(struct joblist *l, uint64_t id,
				     uint32_t *host, uint32_t n,
				     const struct sfab_traffic *traffic)
{
	struct joblist_job *job;

	l->job = xgrow(l->job, l->n, sizeof(*l->job));
	job = &l->job[l->n++];
	*job = (struct joblist_job){
		.id = id, .n = n, .host = host, .traffic = *traffic,
	};
	return job;
}

static const struct joblist_job *job_of_id(const struct joblist *l, uint64_t id)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (l->job[i].id == id)
			return &l->job[i];
	return NULL;
}

/*
 * Read one line; @line is changed.  Traffic that is not given is filled in later, when the
 * site's default is known.
 */
static int read_job_line(struct joblist *l, char *line, unsigned number,
			 const struct sfab_fabric *f,
			 const struct sfab_conf *conf, struct sfab_err *err)
{
	struct sfab_traffic traffic = conf->default_traffic;
	char *rest, *id, *hosts, *text, *user;
	const struct joblist_job *first;
	struct joblist_job *added;
	uint64_t job;
	uint8_t *flags;
	uint32_t n;

	/* A comment may follow a job. */
	line[strcspn(line, "#")] = '\0';
	id = strtok_r(line, BLANKS, &rest);
	if (!id)
		return 0;
	hosts = strtok_r(NULL, BLANKS, &rest);
	text = strtok_r(NULL, BLANKS, &rest);
	user = strtok_r(NULL, BLANKS, &rest);
	if (!hosts || strtok_r(NULL, BLANKS, &rest))
		return sfab_fail(err, SFAB_EFORMAT, "%s words (expected ID "
				 "HOSTLIST [TRAFFIC [USER]])", hosts ?
				 "more than 4" : "fewer than 2");
	if (text && strcmp(text, "-") == 0)
		text = NULL;
	if (number_parse(id, UINT64_MAX, &job) != 0)
		return sfab_fail(err, SFAB_EFORMAT, "job id '%.60s' (expected a "
				 "number)", id);
	first = job_of_id(l, job);
	if (first)
		return sfab_fail(err, SFAB_EFORMAT, "job %" PRIu64 " a second time "
				 "(the first is line %u)", job, first->line);
	if (text && sfab_traffic_parse(text, conf->share, &traffic, err) != 0)
		return -1;
	flags = hosts_flags(f, hosts, &n, err);
	if (!flags)
		return -1;
	if (n == 0) {
		free(flags);
		return sfab_fail(err, SFAB_EFORMAT, "job %s has no host", id);
	}
	added = joblist_add_take(l, job, hosts_ids(f, flags, n), n, &traffic);
	added->line = number;
	added->has_default_traffic = !text;
	added->user = user ? xstrdup(user) : NULL;
	free(flags);
	return 0;
}

/* Parse @text and free it: the list has copies of all texts. */
int joblist_parse(struct joblist *l, const char *name, char *text,
		  const struct sfab_fabric *f, const struct sfab_conf *conf,
		  struct sfab_err *err)
{
	unsigned number = 0;
	int rc = 0;

	*l = (struct joblist){ .name = xstrdup(name) };
	for (char *line = text, *next; line && rc == 0; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		rc = read_job_line(l, line, ++number, f, conf, err);
	}
	free(text);
	if (rc != 0) {
		sfab_fail_prefix(err, "%s:%u", name, number);
		joblist_free(l);
	}
	return rc;
}

int joblist_read(struct joblist *l, const char *path,
		 const struct sfab_fabric *f, const struct sfab_conf *conf,
		 struct sfab_err *err)
{
	char *text;
	size_t size;

	memset(l, 0, sizeof(*l));
	if (sfab_reader_read_text(path, 0, &text, &size, err) != 0)
		return -1;
	if (memchr(text, '\0', size)) {
		free(text);
		return sfab_fail(err, SFAB_EFORMAT, "%s: not a text", path);
	}
	return joblist_parse(l, path, text, f, conf, err);
}

const struct joblist_job *joblist_find(const struct joblist *l,
				       const char *text, struct sfab_err *err)
{
	const struct joblist_job *job = NULL;
	uint64_t id;

	if (number_parse(text, UINT64_MAX, &id) == 0)
		job = job_of_id(l, id);
	if (!job)
		sfab_fail(err, SFAB_ENOENT, "job %.60s does not run", text);
	return job;
}

struct sfab_job joblist_spec(const struct joblist_job *job)
{
	return (struct sfab_job){
		.n = job->n, .host = job->host, .cpus = job->cpus,
		.traffic = &job->traffic,
	};
}

/* Start all jobs.  Jobs from Slurm have no line, and their errors no prefix. */
int joblist_start(const struct joblist *l, struct sfab_jobs *js,
		  struct sfab_err *err)
{
	for (uint32_t i = 0; i < l->n; i++) {
		const struct joblist_job *job = &l->job[i];
		struct sfab_job spec = joblist_spec(job);

		if (sfab_jobs_add(js, job->id, &spec, err) != 0)
			return !job->line ? -1 :
			       sfab_fail_prefix(err, "%s:%u", l->name,
						job->line);
		if (job->suspended)
			sfab_jobs_suspend(js, job->id);
	}
	return 0;
}
