/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz_alive.c - fabric.alive: read, or refused with its line; what was read is the same when
 * it was written to a file, and none that others may write is read
 */

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/snapshot/alive.h"
#include "tests/fuzz/fuzz.h"

static char folder[1000], file[sizeof(folder) + 10];

static void remove_folder(void)
{
	unlink(file);
	rmdir(folder);
}

static void make_folder(void)
{
	const char *temporary = getenv("TMPDIR");

	if (*file)
		return;
	snprintf(folder, sizeof(folder), "%s/fuzz_alive.XXXXXX",
		 temporary ? temporary : "/tmp");
	fuzz_check(mkdtemp(folder) != NULL);
	snprintf(file, sizeof(file), "%s/alive", folder);
	atexit(remove_folder);
}

static void write_and_read(const struct sfab_alive *a)
{
	struct sfab_trust trust = { .check = 1, .uid = getuid() };
	struct sfab_alive again;
	struct sfab_err err = { 0 };

	make_folder();
	fuzz_check(sfab_alive_save(a, file, 0600, &err) == 0);
	fuzz_check(sfab_alive_load(file, &trust, &again, &err) == 0);
	fuzz_check(again.fingerprint == a->fingerprint && again.time == a->time &&
		   again.sm_guid == a->sm_guid && again.since == a->since);
	fuzz_check(chmod(file, 0620) == 0);
	fuzz_check(sfab_alive_load(file, &trust, &again, &err) < 0 && err.text[0]);
	fuzz_check(sfab_alive_load(file, NULL, &again, &err) == 0);
	fuzz_check(sfab_alive_load(folder, &trust, &again, &err) < 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size), path[64];
	struct sfab_err err = { 0 };
	struct sfab_alive a;

	if (sfab_alive_parse(text, size, "input", &a, &err) == 0)
		write_and_read(&a);
	else
		fuzz_check(strncmp(err.text, "input:", 6) == 0);
	sfab_alive_path(NULL, text, path, sizeof(path));
	fuzz_check(memchr(path, '\0', sizeof(path)) != NULL);
	free(text);
	return 0;
}
