/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_only.c - ask `sbatch --test-only`; see test_only.h
 *
 * This is the one question to which Slurm's own scheduler answers.  The command
 * starts sbatch with the job's words and reads one line:
 *
 *     Job 7 to start at 2024-11-02T10:00:00 using 8 processors on nodes n[1-4]
 */

#include "tools/slurm/test_only.h"

#include <stdlib.h>
#include <string.h>

#include "tools/slurm/program.h"
#include "tools/ui/say.h"

#define NOW_S 5		/* allowed lead of the controller's clock */

/*
 * The word after the last @before in @text, or NULL.  The last, because
 * warnings may come before, and a job's name may be in them.
 */
static char *word_behind(const char *text, const char *before)
{
	const char *at = NULL;

	for (const char *p = text; (p = strstr(p, before)); p++)
		at = p + strlen(before);
	return at ? need_text("%.*s", (int) strcspn(at, " \n"), at) : NULL;
}

/*
 * Local time, as sbatch prints it; tm_isdst -1 lets mktime() find out about summer
 * time.
 */
static int parse_start_time(const char *text, time_t *time)
{
	struct tm tm = { .tm_isdst = -1 };
	const char *end = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);

	if (!end || *end)
		return -1;
	*time = mktime(&tm);
	return *time == (time_t) -1 ? -1 : 0;
}

int verify_parse(struct verify *v, const char *text, struct sfab_err *err)
{
	char *start = word_behind(text, " to start at ");
	int rc = 0;

	memset(v, 0, sizeof(*v));
	v->nodes = word_behind(text, " on nodes ");
	if (!v->nodes || !start || parse_start_time(start, &v->start) != 0)
		rc = sfab_fail(err, SFAB_EFORMAT, "sbatch --test-only: '%.*s' "
			       "(expected \"to start at TIME ... on nodes "
			       "LIST\")", (int) strcspn(text, "\n"), text);
	free(start);
	if (rc != 0)
		verify_free(v);
	return rc;
}

/* A refusal by sbatch (exit 1, with its reason) is an answer, too. */
int verify_ask(struct verify *v, char *const *word, uint32_t n,
	       const char *script, struct sfab_err *err)
{
	char **argv = need(n + 4u, sizeof(*argv));
	char *text;
	int rc;

	memset(v, 0, sizeof(*v));
	setenv("SLURM_TIME_FORMAT", "standard", 1);
	argv[0] = (char *) "sbatch";
	argv[1] = (char *) "--test-only";
	for (uint32_t i = 0; i < n; i++)
		argv[2 + i] = word[i];
	argv[2 + n] = (char *) (script ? script : "--wrap=true");
	rc = program_messages(argv, &text, err);
	free(argv);
	if (rc == 0) {
		rc = verify_parse(v, text, err);
		free(text);
	} else if (err->code == SFAB_EIO) {
		v->refusal = need_copy(err->text);
		rc = 0;
	}
	return rc;
}

void verify_free(struct verify *v)
{
	free(v->nodes);
	free(v->refusal);
	memset(v, 0, sizeof(*v));
}

/* The clocks of this machine and of the controller may differ a little. */
int verify_starts_now(const struct verify *v)
{
	return v->start <= time(NULL) + NOW_S;
}
