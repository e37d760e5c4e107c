/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sheet_file.h - a sheet of heat maps as a file */
#ifndef SFAB_PLOT_SHEET_FILE_H
#define SFAB_PLOT_SHEET_FILE_H

#include "core/err.h"
#include "tools/plot/sheet.h"

/* By the suffix of the name: svg, html; 0: any other. */
int sheet_can_write(const char *path);

/* All maps of @s, stacked.  SFAB_EIO: the file is unchanged. */
int sheet_write(const struct sheet *s, const char *path, struct sfab_err *err);

#endif
