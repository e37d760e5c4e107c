/* SPDX-License-Identifier: GPL-2.0-or-later */
/* exposition.h - Prometheus' text format: the parts that all metrics need */
#ifndef SFAB_EXPOSITION_H
#define SFAB_EXPOSITION_H

#include <stdio.h>

/* Printable copy of @text, quotes escaped as the format requires; caller frees. */
char *exposition_label(const char *text);

/* The lines before the values of a metric; all its values follow together. */
void exposition_begin(FILE *out, const char *name, const char *type, const char *help);

#endif
