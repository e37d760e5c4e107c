/* SPDX-License-Identifier: GPL-2.0-or-later */
/* say_log.h - write a line to the log of the service's caller */
#ifndef SFAB_PLACE_SAY_LOG_H
#define SFAB_PLACE_SAY_LOG_H

#include "place/place.h"

/* Pass a line, cut after 511 bytes, to @log (NULL: drop it).  Any thread. */
void sfab_say(sfab_place_log_fn *log, enum sfab_log_level level, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
