/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scontrol_private.h - tables of fields, between scontrol.c and its tables */
#ifndef SFAB_SCONTROL_PRIVATE_H
#define SFAB_SCONTROL_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"

enum field_type {
	FIELD_SKIP,		/* only its extent matters */
	FIELD_TEXT,		/* const char * */
	FIELD_U32,
	FIELD_U64,
	FIELD_LIMIT,		/* uint32_t; UNLIMITED is 0 */
	FIELD_YES,		/* int: 1 if "YES" */
	FIELD_OTHER,		/* set() */
};

enum {
	FIELD_TO_EOL = 1,	/* the value may have blanks; it ends with its line */
	FIELD_AGAIN = 2,	/* may appear more than once in a record */
};

struct field {
	const char *key;
	enum field_type type;
	unsigned flags;
	size_t offset;
	/* -1: the value is wrong; *@expected is what should be there. */
	int (*set)(void *record, const char *value, const char **expected);
};

struct record_type {
	const char *kind;		/* "node": scontrol show node */
	size_t size;
	const struct field *field;	/* [0] begins a record; at most 64 */
	void (*clear)(void *record);	/* NULL: nothing to free */
};

extern const struct record_type scontrol_node_type, scontrol_job_type,
	scontrol_partition_type, scontrol_reservation_type, scontrol_license_type;

#endif
