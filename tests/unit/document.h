/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * document.h - pages of doc/ that show bytes: are they the right ones?
 */
#ifndef SFAB_TEST_DOCUMENT_H
#define SFAB_TEST_DOCUMENT_H

#include <stddef.h>
#include <stdint.h>

/*
 * The text of doc/@page from @from on, up to @to (NULL: its begin, its end);
 * fails the test where one is not there.  Caller frees.
 */
char *document_read(const char *page, const char *from, const char *to);

/*
 * Each line "00000040  53 46 ..." of @text has the 16 bytes that @buf has there.
 * Fails the test unless there are at least @least such lines.
 */
void document_check_hexdump(const char *text, const uint8_t *buf, size_t size,
			    unsigned least);

#endif
