/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log_once.h - log each new error of a recurring check once */
#ifndef SFAB_LOG_ONCE_H
#define SFAB_LOG_ONCE_H

#include <stdio.h>
#include <string.h>

#include "core/err.h"

struct sfab_log_once {
	char text[sizeof(((struct sfab_err *) 0)->text)];	/* the last error; "": none */
};

/* Record @text as the last error.  1: it differs from the one before, so log it. */
static inline int sfab_log_once_record(struct sfab_log_once *logged, const char *text)
{
	if (!strcmp(logged->text, text))
		return 0;
	snprintf(logged->text, sizeof(logged->text), "%s", text);
	return 1;
}

#endif
