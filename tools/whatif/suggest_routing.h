/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suggest_routing.h - search for an engine or option that spreads routes better
 *
 * For the findings spine-hot and spine-unused of `sfabric audit`.  OpenSM routes each
 * candidate and the unchanged fabric.
 */
#ifndef SFAB_WHATIF_SUGGEST_ROUTING_H
#define SFAB_WHATIF_SUGGEST_ROUTING_H

#include "tools/whatif/suggest.h"

extern const struct column suggest_routing_columns[];

/* Print what was tried, and the commands that help.  STATUS_FINE or -1 with *err. */
int suggest_routing(const struct suggest_ask *ask, struct answer *a, struct sfab_err *err);

#endif
