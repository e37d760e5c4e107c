/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay.c - give the files of a corpus, or those named, to a fuzz target
 *
 * One TAP line a file; the plan comes last, so that a crash is no success.
 */

#include <dirent.h>
#include <stdio.h>

#include "tests/fuzz/fuzz.h"

#define PATH_SIZE 1024

/* Read a file and run the target on it: 1 if it could be read. */
static int run(const char *path)
{
	FILE *f = fopen(path, "rb");
	uint8_t *data = NULL;
	long size = -1;

	if (f && fseek(f, 0, SEEK_END) == 0 && (size = ftell(f)) >= 0) {
		rewind(f);
		data = malloc((size_t) size + 1);
		if (data && fread(data, 1, (size_t) size, f) == (size_t) size)
			LLVMFuzzerTestOneInput(data, (size_t) size);
		else
			size = -1;
	}
	free(data);
	if (f)
		fclose(f);
	return size >= 0;
}

static int report(const char *path, int number)
{
	int fine = run(path);

	printf("%sok %d - %s\n", fine ? "" : "not ", number, path);
	return fine;
}

/* ".../fuzz_NAME" -> "$SFAB_SRCDIR/tests/fuzz/corpus/NAME" */
static void corpus_of(const char *program, char *buf)
{
	const char *srcdir = getenv("SFAB_SRCDIR"), *name = program, *p;

	for (p = program; (p = strstr(p, "fuzz_")); p++)
		name = p + strlen("fuzz_");
	snprintf(buf, PATH_SIZE, "%s/tests/fuzz/corpus/%s",
		 srcdir ? srcdir : ".", name);
}

static int not_hidden(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

static int replay_folder(const char *folder, int *number)
{
	struct dirent **entries;
	int n = scandir(folder, &entries, not_hidden, alphasort);
	char path[2 * PATH_SIZE];
	int fine = n > 0;

	if (n <= 0)
		printf("not ok %d - %s holds no files\n", ++*number, folder);
	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder,
			 entries[i]->d_name);
		fine &= report(path, ++*number);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	return fine;
}

int main(int argc, char **argv)
{
	char folder[PATH_SIZE];
	int number = 0, fine = 1;

	if (argc > 1) {
		for (int i = 1; i < argc; i++)
			fine &= report(argv[i], ++number);
	} else {
		corpus_of(argv[0], folder);
		fine = replay_folder(folder, &number);
	}
	printf("1..%d\n", number);
	return fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
