/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kind.h - the option --kind of commands that list links */
#ifndef SFAB_KIND_H
#define SFAB_KIND_H

#include <argp.h>

#define KIND_CHOICES "isl|eject|inject"

/* Returns an enum sfab_link_kind; ends the program with a usage error. */
int kind_parse(struct argp_state *state, const char *text);

#endif
