/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alive.c - fabric.alive, read and written; see alive.h
 *
 * Four lines in a fixed order, which every version has, and optional ones after them.  Lines of
 * later versions are skipped, so an older plugin still understands a newer collect.
 */

#include "io/snapshot/alive.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const keys[] = { "sfabric-alive", "fingerprint", "sm", "time" };
#define NKEYS (sizeof(keys) / sizeof(keys[0]))
static const char since_key[] = "since", standby_key[] = "standby";

/*
 * Read "KEY NUMBER\n" at *@text, and move past it.  The number may be decimal or hexadecimal
 * (0x...).
 */
static int read_key_line(const char **text, const char *key, uint64_t *value)
{
	size_t n = strlen(key);
	char *end;

	if (strncmp(*text, key, n) || (*text)[n] != ' ' ||
	    (*text)[n + 1] < '0' || (*text)[n + 1] > '9')
		return -1;
	*value = strtoull(*text + n + 1, &end, 0);
	if (*end != '\n')
		return -1;
	*text = end + 1;
	return 0;
}

int sfab_alive_parse(const char *text, size_t size, const char *file,
		     struct sfab_alive *a, struct sfab_err *err)
{
	uint64_t value[NKEYS];

	/* A NUL would hide what follows it. */
	if (strlen(text) != size)
		return sfab_fail(err, SFAB_EFORMAT, "%s: not a text file", file);
	for (unsigned i = 0; i < NKEYS; i++)
		if (read_key_line(&text, keys[i], &value[i]))
			return sfab_fail(err, SFAB_EFORMAT,
					 "%s:%u: found \"%.40s\" (expected \"%s NUMBER\")",
					 file, i + 1, text, keys[i]);
	if (value[0] != 1)
		return sfab_fail(err, SFAB_EFORMAT,
				 "%s:1: version %" PRIu64 " (expected 1)", file,
				 value[0]);
	a->fingerprint = value[1];
	a->sm_guid = value[2];
	a->time = value[3];
	a->since = a->standby = 0;
	while (*text) {		/* optional lines */
		const char *line = text;

		if (read_key_line(&line, since_key, &a->since) < 0)
			read_key_line(&line, standby_key, &a->standby);
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return 0;
}

int sfab_alive_load(const char *path, const struct sfab_trust *trust,
		    struct sfab_alive *a, struct sfab_err *err)
{
	/* The size is limited here whatever the caller trusts: the file has a few lines. */
	struct sfab_trust small = trust ? *trust : (struct sfab_trust){ 0 };
	uint8_t *buf;
	size_t size;
	int rc;

	small.max_size = SFAB_ALIVE_MAX;
	if (sfab_file_read(path, &small, &buf, &size, err))
		return -1;
	rc = sfab_alive_parse((const char *) buf, size, path, a, err);
	free(buf);
	return rc;
}

int sfab_alive_save(const struct sfab_alive *a, const char *path, unsigned mode,
		    struct sfab_err *err)
{
	char text[200];
	int n = snprintf(text, sizeof(text),
			 "%s 1\n%s 0x%016" PRIx64 "\n%s 0x%016" PRIx64
			 "\n%s %" PRIu64 "\n",
			 keys[0], keys[1], a->fingerprint, keys[2], a->sm_guid,
			 keys[3], a->time);

	if (a->since)
		n += snprintf(text + n, sizeof(text) - (size_t) n,
			      "%s %" PRIu64 "\n", since_key, a->since);
	if (a->standby)
		n += snprintf(text + n, sizeof(text) - (size_t) n, "%s 1\n",
			      standby_key);
	return sfab_file_write(path, text, (size_t) n, mode, err);
}

const char *sfab_alive_path(const char *given, const char *snapshot, char *buf,
			    size_t size)
{
	const char *slash = snapshot ? strrchr(snapshot, '/') : NULL;

	if (given && *given)
		snprintf(buf, size, "%s", given);
	else if (slash)
		snprintf(buf, size, "%.*s/" SFAB_ALIVE_NAME,
			 (int) (slash - snapshot), snapshot);
	else
		snprintf(buf, size, SFAB_ALIVE_NAME);
	return buf;
}
