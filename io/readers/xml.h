/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * xml.h - walk through an XML text, element by element
 *
 * expat finds the elements; this keeps the names of the open ones and the text of
 * the innermost, and reports errors with FILE:LINE.  Document types are refused:
 * none of the formats has one, and entities could expand without bound.
 */
#ifndef SFAB_XML_H
#define SFAB_XML_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "io/scan.h"

#define SFAB_XML_TEXT 256	/* bytes; longer texts are cut */

struct sfab_xml {
	const char *name, *parent;	/* the element, and the one around it */
	const char *const *attr;	/* at its start: name, value, ..., NULL */
	const char *text;		/* at its end: all text directly in it */
	size_t ntext;
	struct sfab_scan at;		/* file and line, for sfab_scan_fail() */
	struct sfab_err *err;
};

/* At the start or the end of an element; -1 with *x->err ends the reading. */
typedef int (*sfab_xml_event)(void *to, struct sfab_xml *x);

/* All of the text behind @s. */
int sfab_xml_read(const struct sfab_scan *s, sfab_xml_event start, sfab_xml_event end,
		  void *to, struct sfab_err *err);

/* Parse @text, decimal or after "0x", up to @max; -1: "bad WHAT". */
int sfab_xml_number(struct sfab_xml *x, const char *what, const char *text,
		    uint64_t max, uint64_t *value);

#endif
