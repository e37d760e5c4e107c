/* SPDX-License-Identifier: GPL-2.0-or-later */
/* err.c - fill in a struct sfab_err; see err.h */

#include "core/err.h"

#include "core/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int sfab_fail(struct sfab_err *err, enum sfab_errcode code, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return -1;
	err->code = code;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	sfab_utf8_mend(err->text);
	return -1;
}

int sfab_no_memory(struct sfab_err *err)
{
	return sfab_fail(err, SFAB_ENOMEM, "out of memory");
}

/*
 * Put text before that of @err.  The old text is copied first: vsnprintf() must not read from
 * the buffer it writes.
 */
int sfab_fail_prefix(struct sfab_err *err, const char *fmt, ...)
{
	char old_text[sizeof(err->text)];
	va_list ap;
	int n;

	if (!err)
		return -1;
	memcpy(old_text, err->text, sizeof(old_text));
	va_start(ap, fmt);
	n = vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	if (n >= 0 && (size_t) n < sizeof(err->text))
		snprintf(err->text + n, sizeof(err->text) - (size_t) n, ": %s", old_text);
	sfab_utf8_mend(err->text);
	return -1;
}
