/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * change.h - what to change: options of the command line
 *
 * A suggestion is a list of changes too, so it prints exactly what was tried.
 */
#ifndef SFAB_CHANGE_H
#define SFAB_CHANGE_H

#include <stdint.h>

#include "tools/opensm/cabling_plan.h"

struct change {
	/*
	 * "move", "down", "engine", "opensm-option", "io-guid-file", "io-order" or
	 * "base-option"; borrowed.
	 */
	const char *option;
	char *value;
	int is_return;		/* 1: second move of an exchange, to where the first came from */
};

struct changes {
	uint32_t n;
	struct change *list;	/* in the order of the command line */
};

extern const struct changes changes_none;

/* Add a change; @value is copied. */
void changes_add(struct changes *c, const char *option, const char *value);
void changes_free(struct changes *c);	/* twice is fine */
/* Does any of the changes need the GUIDs of IO ports? */
int changes_have_guids(const struct changes *c);

/*
 * Return the "KEY VALUE" lines of opensm.conf that the changes stand for, separated by
 * @separator.  OpenSM takes the last of equal keys.  @guid_file: the file with the GUIDs of IO
 * ports.  Caller frees.
 */
char *changes_conf(const struct changes *c, const char *separator, const char *guid_file);

/* Return the routing engines that the changes name, or NULL. */
const char *changes_engines(const struct changes *c);

/* Apply the changes of cables to @p.  -1 with *err. */
int changes_apply(const struct changes *c, struct cabling_plan *p, struct sfab_err *err);

#endif
