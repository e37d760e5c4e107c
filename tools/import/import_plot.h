/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import_plot.h - `sfabric import --plot`: a first picture of a new snapshot */
#ifndef SFAB_IMPORT_PLOT_H
#define SFAB_IMPORT_PLOT_H

#include "core/err.h"
#include "core/fabric/fabric.h"

/*
 * Routes from all hosts to all, out of each spine port, as `sfabric plot` draws
 * them.  @path ends in .svg or .html.
 */
int import_plot(const struct sfab_fabric *f, const char *path, struct sfab_err *err);

#endif
