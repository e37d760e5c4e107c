/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file.h - read and write whole files with care
 *
 * slurmctld reads its files with trust checked: a checksum is not authenticity,
 * the owner and mode of a file are.
 */
#ifndef SFAB_FILE_H
#define SFAB_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"

/*
 * Whom to trust with a file that slurmctld reads: who can write it decides where
 * all jobs run.
 */
struct sfab_trust {
	int check;		/* 0: any readable file will do (the command line) */
	uint32_t uid;		/* besides root, this owner is trusted */
	size_t max_size;	/* bytes, 0: 1 GiB */
};

/*
 * Read all of @path into memory, with a NUL after it that *@size does not
 * count; caller frees *@buf.  With trust checked (@trust NULL: not checked) it
 * must be a regular file and no symbolic link, owned by root or trust->uid,
 * neither it nor its folder writable by group or others; all that is judged
 * on open descriptors, and nothing blocks.
 *
 * The text of *err begins with the path.  SFAB_ENOENT no such file; SFAB_EIO
 * not readable or not to be trusted; SFAB_ELIMIT too large; SFAB_ENOMEM.
 */
int sfab_file_read(const char *path, const struct sfab_trust *trust,
		   uint8_t **buf, size_t *size, struct sfab_err *err);

/*
 * How many bytes a file has by its first @n, which are SFAB_FILE_HEAD or, of a
 * smaller file, all.  0 with *err: these do not begin such a file.
 */
#define SFAB_FILE_HEAD 256
typedef uint64_t sfab_file_sizer(const uint8_t *head, size_t n,
				 struct sfab_err *err);
/* What a file holds, by @decode of its bytes. */
typedef void *sfab_file_decoder(const uint8_t *buf, size_t size,
				struct sfab_err *err);
/*
 * Read @path as above and decode it; *err begins with the path.  What does not
 * begin like such a file is refused before more is read, and no more is read
 * than @sizer says: not a sparse file, nor a device that never ends.
 */
void *sfab_file_decode(const char *path, const struct sfab_trust *trust,
		       sfab_file_sizer *sizer, sfab_file_decoder *decode,
		       struct sfab_err *err);

/*
 * Replace @path by @size bytes at @buf: a temporary file in the same folder,
 * written, fsync()ed and renamed, so that a reader sees the old or the new
 * file and never half of one, even after a crash.  @mode e.g. 0644, umask not
 * applied.  SFAB_EIO with the path; then @path is as it was.
 */
int sfab_file_write(const char *path, const void *buf, size_t size,
		    unsigned mode, struct sfab_err *err);

#endif
