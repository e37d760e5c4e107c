/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kind.h - the option --kind of commands that list links */
#ifndef SFAB_KIND_H
#define SFAB_KIND_H

#include "core/fabric/fabric.h"
#include "tools/ui/options.h"

/* The names are those of core, in the order of enum sfab_link_kind. */
#define KIND_CHOICES "isl|eject|inject"

/* The end of the row of --kind, which keeps an enum sfab_link_kind in an int at @value_offset. */
#define KEEP_KIND(value_offset) KEEP_CHOICE, .offset = value_offset, SFAB_LINK_ISL, 0, KIND_CHOICES

#endif
