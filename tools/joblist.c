/* SPDX-License-Identifier: GPL-2.0-or-later */
/* joblist.c - running jobs from a text file; see joblist.h */

#include "joblist.h"

#include <stdlib.h>
#include <string.h>

#include "../io/reader.h"
#include "say.h"
#include "set.h"

#define BLANKS " \t\r"

static int parse_id(const char *word, uint64_t *id, struct sfab_err *err)
{
	char *end;

	*id = strtoull(word, &end, 10);
	if (*word < '0' || *word > '9' || *end)
		return sfab_fail(err, SFAB_EFORMAT, "job id '%s' (expected a "
				 "number)", word);
	return 0;
}

/* Host ids of flagged hosts; caller frees. */
static uint32_t *flagged(const uint8_t *flags, uint32_t nhosts, uint32_t n)
{
	uint32_t *host = need(n, sizeof(*host));
	uint32_t k = 0;

	for (uint32_t h = 0; h < nhosts; h++)
		if (flags[h])
			host[k++] = h;
	return host;
}

static int add_job(const struct site *site, uint64_t id, const char *hosts,
		   const struct sfab_traffic *traffic, struct sfab_jobs *js,
		   uint8_t *busy, struct sfab_err *err)
{
	struct sfab_spec spec = { .traffic = traffic };
	uint8_t *flags = set_hosts(site->f, hosts, &spec.n, err);
	uint32_t *host;
	int rc;

	if (!flags)
		return -1;
	host = flagged(flags, site->f->nhosts, spec.n);
	spec.host = host;
	for (uint32_t i = 0; i < spec.n; i++)
		busy[host[i]] = 1;
	rc = sfab_jobs_add(js, id, &spec, err);
	free(host);
	free(flags);
	return rc;
}

static int read_line(char *line, const struct site *site, struct sfab_jobs *js,
		     uint8_t *busy, struct sfab_err *err)
{
	struct sfab_traffic traffic = site->conf->default_traffic;
	char *rest, *id, *hosts, *text;
	uint64_t number;

	line[strcspn(line, "#")] = '\0';
	id = strtok_r(line, BLANKS, &rest);
	if (!id)
		return 0;
	hosts = strtok_r(NULL, BLANKS, &rest);
	text = strtok_r(NULL, BLANKS, &rest);
	if (!hosts || strtok_r(NULL, BLANKS, &rest))
		return sfab_fail(err, SFAB_EFORMAT, "%s words (expected ID "
				 "HOSTLIST [TRAFFIC])", hosts ? "more than 3" :
				 "fewer than 2");
	if (parse_id(id, &number, err) != 0)
		return -1;
	if (text && sfab_traffic_parse(text, site->conf->share, &traffic,
				       err) != 0)
		return -1;
	return add_job(site, number, hosts, &traffic, js, busy, err);
}

int joblist_read(const char *path, const struct site *site,
		 struct sfab_jobs *js, uint8_t *busy, struct sfab_err *err)
{
	char *text, *line, *next;
	unsigned number = 1;
	size_t size;
	int rc = 0;

	if (sfab_text_read(path, 0, &text, &size, err) != 0)
		return -1;
	for (line = text; line && rc == 0; line = next, number++) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		rc = read_line(line, site, js, busy, err);
		if (rc != 0)
			sfab_fail_prefix(err, "%s:%u", path, number);
	}
	free(text);
	return rc;
}
