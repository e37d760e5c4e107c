/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * log_once.h - one line for each new trouble of a thing that is looked at for
 * ever
 */
#ifndef SFAB_LOG_ONCE_H
#define SFAB_LOG_ONCE_H

#include <stdio.h>
#include <string.h>

#include "core/err.h"

struct sfab_said {
	char text[sizeof(((struct sfab_err *) 0)->text)];	/* "": it is well */
};

/* 1: @text is not what was said last; from now on it is. */
static inline int sfab_said_anew(struct sfab_said *said, const char *text)
{
	if (!strcmp(said->text, text))
		return 0;
	snprintf(said->text, sizeof(said->text), "%s", text);
	return 1;
}

#endif
