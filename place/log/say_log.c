/* SPDX-License-Identifier: GPL-2.0-or-later */
/* say_log.c - see say_log.h */

#include "place/log/say_log.h"

#include <stdarg.h>
#include <stdio.h>

void sfab_say(sfab_place_log_fn *log, enum sfab_log_level level, const char *fmt, ...)
{
	char line[512];
	va_list ap;

	if (!log)
		return;
	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	log(level, line);
}
