/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * xml.c - elements by expat; see xml.h
 *
 * Keeps the names of the open elements and the text of the innermost one.  Document
 * types are refused: entities defined in one can expand to gigabytes.
 */

#include "io/readers/xml.h"

#include <expat.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "io/readers/columns.h"

#define DEPTH_MAX 24	/* elements open at a time */
#define NAME_SIZE 40		/* bytes; longer names are not needed and become "?" */
#define PARSE_MAX (1u << 30)	/* bytes per call: XML_Parse() counts in int */

struct xml_walk {
	XML_Parser parser;
	sfab_xml_event start, end;
	void *to;
	struct sfab_xml x;
	int failed;
	char name[DEPTH_MAX][NAME_SIZE];
	unsigned depth;
	char text[SFAB_XML_TEXT];
	size_t ntext;
};

/* The first error stays: expat may still call handlers after it was stopped. */
static void stop_parser(struct xml_walk *w, int failed)
{
	if (!failed || w->failed)
		return;
	w->failed = -1;
	XML_StopParser(w->parser, XML_FALSE);
}

/* What the reader's functions see of the element at the moment. */
static void update_element(struct xml_walk *w)
{
	w->x.at.line = (unsigned) XML_GetCurrentLineNumber(w->parser);
	w->x.name = w->name[w->depth - 1];
	w->x.parent = w->depth > 1 ? w->name[w->depth - 2] : "";
	w->x.text = w->text;
	w->text[w->ntext] = '\0';
	w->x.ntext = w->ntext;
}

/* A name that is too long becomes "?", which no reader looks for. */
static void XMLCALL start_element(void *to, const XML_Char *name,
				  const XML_Char **attr)
{
	struct xml_walk *w = to;

	if (w->failed)
		return;
	w->ntext = 0;
	if (w->depth == DEPTH_MAX) {
		stop_parser(w, sfab_scan_fail(&w->x.at, w->x.err,
					      "elements nested more than %u deep",
					      DEPTH_MAX));
		return;
	}
	strcpy(w->name[w->depth++], strlen(name) < NAME_SIZE ? name : "?");
	update_element(w);
	w->x.attr = (const char *const *) attr;
	if (w->start)
		stop_parser(w, w->start(w->to, &w->x));
}

/* expat gives long texts in pieces; beyond the limit they are cut. */
static void XMLCALL on_text(void *to, const XML_Char *text, int n)
{
	struct xml_walk *w = to;
	size_t room = SFAB_XML_TEXT - 1 - w->ntext;

	if ((size_t) n < room)
		room = (size_t) n;
	memcpy(w->text + w->ntext, text, room);
	w->ntext += room;
}

static void XMLCALL end_element(void *to, const XML_Char *name)
{
	struct xml_walk *w = to;

	if (w->failed)
		return;
	update_element(w);
	stop_parser(w, w->end(w->to, &w->x));
	w->depth--;
	w->ntext = 0;
}

static void XMLCALL on_doctype(void *to, const XML_Char *name,
			       const XML_Char *system, const XML_Char *public_id,
			       int internal)
{
	struct xml_walk *w = to;

	w->x.at.line = (unsigned) XML_GetCurrentLineNumber(w->parser);
	stop_parser(w, sfab_scan_fail(&w->x.at, w->x.err,
				      "bad XML (found a document "
				      "type, expected none)"));
}

/* XML_Parse() takes an int: a text of more than 2 GiB goes in pieces. */
static int parse_chunks(struct xml_walk *w, const char *text, size_t size)
{
	enum XML_Status status;
	size_t n;

	do {
		n = size < PARSE_MAX ? size : PARSE_MAX;
		status = XML_Parse(w->parser, text, (int) n, n == size);
		text += n;
		size -= n;
	} while (size && status == XML_STATUS_OK);
	if (w->failed || status == XML_STATUS_OK)
		return w->failed;
	w->x.at.line = (unsigned) XML_GetCurrentLineNumber(w->parser);
	return sfab_scan_fail(&w->x.at, w->x.err, "bad XML (%s)",
			      XML_ErrorString(XML_GetErrorCode(w->parser)));
}

int sfab_xml_read(const struct sfab_scan *s, sfab_xml_event start, sfab_xml_event end,
		  void *to, struct sfab_err *err)
{
	struct xml_walk w = {.start = start, .end = end, .to = to};
	int failed;

	w.x.err = err;
	w.x.at.file = s->file;
	w.parser = XML_ParserCreate(NULL);
	if (!w.parser)
		return sfab_no_memory(err);
	XML_SetUserData(w.parser, &w);
	XML_SetElementHandler(w.parser, start_element, end_element);
	XML_SetCharacterDataHandler(w.parser, on_text);
	XML_SetStartDoctypeDeclHandler(w.parser, on_doctype);
	failed = parse_chunks(&w, s->next, (size_t) (s->eof - s->next));
	XML_ParserFree(w.parser);
	return failed;
}

int sfab_xml_number(struct sfab_xml *x, const char *what, const char *text,
		    uint64_t max, uint64_t *value)
{
	struct sfab_column_field f = {text, text + strlen(text)};
	char found[40], limit[40];

	if (sfab_field_number(&f, max, value))
		return 0;
	sfab_scan_copy(found, sizeof(found), f.from, f.to);
	snprintf(limit, sizeof(limit), "0-%" PRIu64, max);
	return sfab_scan_fail(&x->at, x->err, "bad %s (found \"%s\", expected "
			      "%s)", what, found,
			      max == UINT64_MAX ? "a number" : limit);
}
