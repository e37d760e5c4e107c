/* SPDX-License-Identifier: GPL-2.0-or-later */
/* preview_steps.h - the tables of preview_steps(), for preview_print.c */
#ifndef SFAB_PREVIEW_STEPS_H
#define SFAB_PREVIEW_STEPS_H

#include "tools/preview/preview.h"
#include "tools/ui/table.h"

/* A row for each pattern; the caller owns it. */
struct table *preview_steps_table(const struct preview_context *p, const struct preview *v);

/* All choices side by side, then the steps of @v; nothing without steps. */
int preview_steps_text(const struct preview_context *p, const struct preview *v,
		       const struct preview *other, uint32_t nothers, FILE *out,
		       struct sfab_err *err);

#endif
