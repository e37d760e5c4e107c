/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scontrol_private.h - tables of fields, between scontrol.c and its tables */
#ifndef SFAB_SCONTROL_PRIVATE_H
#define SFAB_SCONTROL_PRIVATE_H

#include <stddef.h>

enum field_type {
	FIELD_SKIP,		/* only its extent matters */
	FIELD_TEXT,		/* const char * */
	FIELD_U32,
	FIELD_U64,
	FIELD_LIMIT,		/* uint32_t; UNLIMITED is 0 */
	FIELD_TIME,		/* uint64_t seconds since the epoch; other text is none */
	FIELD_DURATION,		/* uint64_t seconds; UNLIMITED is 0, as is not said */
	FIELD_IS,		/* int: 1 if it is the word */
	FIELD_OTHER,		/* set() */
};

enum {
	FIELD_TO_EOL = 1,	/* the value may have blanks; it ends with its line */
	FIELD_AGAIN = 2,	/* may appear more than once in a record */
};

struct field {
	const char *key;
	enum field_type type;
	size_t offset;			/* in the record */
	unsigned flags;
	const char *word;		/* of FIELD_IS */
	/* Return what is expected if @value is wrong. */
	const char *(*set)(void *record, const char *value);
};

struct record_type {
	const char *kind;		/* "node": scontrol show node */
	size_t size;
	const struct field *field;	/* [0] begins a record; at most 64 */
	void (*clear)(void *record);	/* NULL: nothing to free */
};

#endif
