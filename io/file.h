/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file.h - read and write whole files safely
 *
 * For files that slurmctld reads, trust is checked: a checksum does not prove who wrote a file,
 * its owner and mode do.
 */
#ifndef SFAB_FILE_H
#define SFAB_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"

/*
 * Which owners to trust with a file that slurmctld reads: anyone who can write it decides where
 * all jobs run.
 */
struct sfab_trust {
	int check;		/* 0: any readable file is accepted (command line) */
	uint32_t uid;		/* besides root, this owner is trusted */
	size_t max_size;	/* bytes, 0: 1 GiB */
};

/*
 * Read all of @path into memory and append a NUL that *@size does not count; caller frees
 * *@buf.  With trust checked (@trust NULL: not checked) the file must be a regular file, not a
 * symbolic link, and owned by root or trust->uid.  Neither it nor its folder may be writable by
 * group or others.  All checks use open descriptors, and nothing blocks.
 *
 * The text of *err begins with the path.  SFAB_ENOENT: no such file; SFAB_EIO: not readable or
 * not trusted; SFAB_ELIMIT: too large; SFAB_ENOMEM.
 */
int sfab_file_read(const char *path, const struct sfab_trust *trust,
		   uint8_t **buf, size_t *size, struct sfab_err *err);

/*
 * Compute the size of a file in bytes from its first @n bytes.  @n is SFAB_FILE_HEAD, or less
 * if the whole file is smaller.  0 with *err: no such file begins like this.
 */
#define SFAB_FILE_HEAD 256
typedef uint64_t sfab_file_size_fn(const uint8_t *head, size_t n,
				   struct sfab_err *err);
/* Build the object that the bytes of a file describe. */
typedef void *sfab_file_decode_fn(const uint8_t *buf, size_t size,
				  struct sfab_err *err);
/*
 * Read @path like sfab_file_read() and decode it; *err begins with the path.  A file with a
 * wrong beginning is refused before more is read, and no more is read than @sizer says.  This
 * guards against sparse files and devices that never end.
 */
void *sfab_file_decode(const char *path, const struct sfab_trust *trust,
		       sfab_file_size_fn *sizer, sfab_file_decode_fn *decode,
		       struct sfab_err *err);

/* Write an object as the bytes of a file.  The caller frees *@buf. */
typedef int sfab_file_encode_fn(const void *object, uint8_t **buf, size_t *size,
				struct sfab_err *err);

/* Write all of @buf, also after signals and short writes.  -1 with errno; a part is written. */
int sfab_file_put(int fd, const void *buf, size_t size);

/*
 * The mode of what a user writes: a replaced file keeps its mode, and a new one gets what umask
 * leaves of 0666.
 */
#define SFAB_FILE_USUAL_MODE 0x10000u

/*
 * Replace @path with @size bytes at @buf: write a temporary file in the same folder, fsync()
 * and rename it, so that a reader sees the old or the new file and never part of one, even
 * after a crash.  Of a symbolic link the target is replaced, which need not be there.  In a
 * sticky folder that all may write, another user's link is refused.
 *
 * A pipe, a character device and /dev/stdout are written as they are.  Folders, block devices
 * and sockets are refused.
 *
 * The temporary file is NAME.sfabric-PID.N and is locked while its writer lives.  Those that
 * killed writers of the same user left are removed first.
 *
 * @mode is e.g. 0644 whatever umask is, or SFAB_FILE_USUAL_MODE.  SFAB_EIO with the path; then
 * a file is unchanged.
 */
int sfab_file_write(const char *path, const void *buf, size_t size,
		    unsigned mode, struct sfab_err *err);
/* Encode @object, and replace @path with the bytes.  *err begins with the path. */
int sfab_file_encode(const char *path, unsigned mode, sfab_file_encode_fn *encode,
		     const void *object, struct sfab_err *err);

#endif
