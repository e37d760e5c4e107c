/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * err.h - how a function says what went wrong
 *
 * Functions that can fail return 0 or -1 (or a pointer or NULL) and take a
 * struct sfab_err last; NULL is allowed.  On failure it holds a code and one
 * line for a human that names the object: "opensm.fdbs:812: LID 0x2f: port 40
 * (expected 1-36)".  It is cut only between characters; what it quotes of a file
 * may still be any bytes (utf8.h).  On success it is left alone.  errno is no part of any
 * contract here.  Nothing below tools/ prints, exits or aborts.
 */
#ifndef SFAB_ERR_H
#define SFAB_ERR_H

enum sfab_errcode {
	SFAB_OK = 0,
	SFAB_EINVAL,	/* the caller asked for something impossible */
	SFAB_ENOMEM,
	SFAB_EFORMAT,	/* input that is not what it claims to be */
	SFAB_ENOENT,	/* a name, file or id that does not exist */
	SFAB_ESTALE,	/* was right once: old snapshot, other fabric */
	SFAB_ELIMIT,	/* more than the program is built for */
	SFAB_EIO,	/* the system refused: open, read, write */
};

struct sfab_err {
	enum sfab_errcode code;
	char text[400];
};

/* Fill @err (if not NULL) and return -1, for "return sfab_fail(...)". */
int sfab_fail(struct sfab_err *err, enum sfab_errcode code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The same for SFAB_ENOMEM: "out of memory". */
int sfab_no_memory(struct sfab_err *err);

/* Put "text: " before what @err already says, keeping its code.  Returns -1. */
int sfab_fail_prefix(struct sfab_err *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
