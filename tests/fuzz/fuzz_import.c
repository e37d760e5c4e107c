/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz_import.c - up to four files of any kind as one subnet, gzipped or not
 *
 * The byte \1 ends a file; the first byte of the input says whether what is no part of a file
 * is left out, and the table may be missing.
 */

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "io/readers/reader.h"
#include "tests/fuzz/fuzz.h"

#define FILES 4

/* A file in memory, the same one each time; its path goes to @path. */
static void put_file(unsigned i, const uint8_t *data, size_t size, char path[32])
{
	static int fd[FILES];

	if (!fd[i])
		fd[i] = memfd_create("fuzz_import", MFD_CLOEXEC);
	fuzz_check(fd[i] > 0 && ftruncate(fd[i], 0) == 0);
	fuzz_check(pwrite(fd[i], data, size, 0) == (ssize_t) size);
	snprintf(path, 32, "/proc/self/fd/%d", fd[i]);
}

static void take_note(void *ctx, uint32_t file, int left_out, const char *text)
{
	fuzz_check(file < *(uint32_t *) ctx && *text);
}

static void import(const char *const *files, uint32_t n, unsigned flags)
{
	struct sfab_builder *b = sfab_builder_create(SFAB_BUILD_PARTIAL);
	struct sfab_import_notes notes = { take_note, &n };
	struct sfab_fabric *f = NULL;
	struct sfab_err err = { 0 };

	fuzz_check(b && sfab_builder_add_plane(b, "", NULL) == 0);
	if (flags & 2)
		sfab_builder_forget_unknown(b);
	if (sfab_reader_import(b, 0, files, n, NULL, flags & 1 ? &notes : NULL,
			       &err) == 0)
		f = sfab_builder_freeze(b, &err);
	fuzz_check(f || (err.code != SFAB_OK && err.text[0]));
	sfab_fabric_destroy(f);
	sfab_builder_destroy(b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = data + size, *at = data + 1, *next;
	const char *files[FILES];
	char path[FILES][32];
	uint32_t n = 0;

	if (!size)
		return 0;
	for (; n < FILES && at <= end; at = next + 1) {
		next = memchr(at, 1, (size_t) (end - at));
		next = next ? next : end;
		put_file(n, at, (size_t) (next - at), path[n]);
		files[n] = path[n];
		n++;
	}
	import(files, n, data[0]);
	return 0;
}
