/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * err.h - how functions report errors
 *
 * A function that can fail returns 0 or -1 (or a pointer or NULL).  It takes a struct sfab_err
 * as its last argument; NULL is allowed.  On failure it sets a code and one line for a human
 * that names the object: "opensm.fdbs:812: LID 0x2f: port 40 (expected 1-36)".  A long line is
 * cut only between characters, but text quoted from a file may still hold any bytes (utf8.h).
 * On success the struct is not touched.  errno is not part of any contract here.  Nothing below
 * tools/ prints, exits or aborts.
 */
#ifndef SFAB_ERR_H
#define SFAB_ERR_H

enum sfab_errcode {
	SFAB_OK = 0,
	SFAB_EINVAL,	/* the caller asked for something impossible */
	SFAB_ENOMEM,
	SFAB_EFORMAT,	/* input does not have the format it claims */
	SFAB_ENOENT,	/* a name, file or id that does not exist */
	SFAB_ESTALE,	/* was valid before: old snapshot, other fabric */
	SFAB_ELIMIT,	/* exceeds a built-in limit */
	SFAB_EIO,	/* the system refused to open, read or write */
};

struct sfab_err {
	enum sfab_errcode code;
	char text[400];
};

/* Fill @err (if not NULL) and return -1, for "return sfab_fail(...)". */
int sfab_fail(struct sfab_err *err, enum sfab_errcode code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Fill @err (if not NULL) with SFAB_ENOMEM and "out of memory".  Return -1. */
int sfab_no_memory(struct sfab_err *err);

/* Prefix the text of @err with "text: " and keep its code.  Return -1. */
int sfab_fail_prefix(struct sfab_err *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
