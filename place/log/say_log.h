/* SPDX-License-Identifier: GPL-2.0-or-later */
/* say_log.h - one line for the log of whoever asks the service */
#ifndef SFAB_PLACE_SAY_LOG_H
#define SFAB_PLACE_SAY_LOG_H

#include "place/place.h"

/* Any thread.  @log NULL: nobody listens.  Cut after 511 bytes. */
void sfab_say(sfab_place_log_fn *log, enum sfab_log_level level, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
