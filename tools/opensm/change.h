/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * change.h - what to change: options of the command line
 *
 * A suggestion has the same form, so what it prints is exactly what was tried.
 */
#ifndef SFAB_CHANGE_H
#define SFAB_CHANGE_H

#include <stdint.h>

#include "tools/opensm/cabling_plan.h"

struct change {
	const char *option;	/* "move", "down", "engine", "opensm-option", "io-guid-file",
				   "io-order" or "base-option"; borrowed */
	char *value;
	int is_return;		/* a move of an exchange: to where the one before came from */
};

struct changes {
	uint32_t n;
	struct change *list;	/* in the order of the command line */
};

extern const struct changes changes_none;

/* @value is copied. */
void changes_add(struct changes *c, const char *option, const char *value);
void changes_free(struct changes *c);	/* twice is fine */
/* Are ports of the IO sets given to OpenSM? */
int changes_give_guids(const struct changes *c);

/*
 * The lines of opensm.conf that follow, "KEY VALUE", with @between after each but the last;
 * OpenSM takes the last of equal keys.  @guid_file: where the GUIDs of the ports that serve IO
 * are.  Caller frees.
 */
char *changes_conf(const struct changes *c, const char *between, const char *guid_file);

/* The engines that they name, or NULL. */
const char *changes_engines(const struct changes *c);

/* Do to @p what they say of cables.  -1 with *err. */
int changes_apply(const struct changes *c, struct cabling_plan *p, struct sfab_err *err);

#endif
