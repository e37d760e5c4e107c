/* SPDX-License-Identifier: GPL-2.0-or-later */
/* status.h - exit statuses of commands */
#ifndef SFAB_STATUS_H
#define SFAB_STATUS_H

enum status {
	STATUS_FINE = 0,
	STATUS_ERROR = 1,
	STATUS_USAGE = 2,
	STATUS_FOUND = 3,	/* audit, check, diff: there is something to look at */
};

#endif
