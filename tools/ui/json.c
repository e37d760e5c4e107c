/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json.c - values of --json answers; see json.h
 *
 * json-c makes the text.  Here is what all answers must write in the same way: GUIDs as
 * strings, names made printable, numbers with the digits that mean something.
 */

#include "tools/ui/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/fabric/fabric.h"
#include "tools/ui/printable.h"
#include "tools/ui/xalloc.h"

/* Make a string: JSON numbers are doubles to many readers, which lose the low bits of 64. */
struct json_object *json_guid(uint64_t guid)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%016" PRIx64, guid);
	return json_object_new_string(text);
}

struct json_object *json_name(const char *name)
{
	char *text = name ? printable(name, 0) : NULL;
	struct json_object *value = text ? json_object_new_string(text) : NULL;

	free(text);
	return value;
}

/* Make a number of nine digits: more would show the rounding errors of sums. */
struct json_object *json_number(double number)
{
	char text[40];

	/* JSON has neither infinity nor NaN; json-c writes NULL as null. */
	if (!isfinite(number))
		return NULL;
	snprintf(text, sizeof(text), "%.9g", number);
	return json_object_new_double_s(number, text);
}

struct json_object *json_gbs(double bytes_per_s)
{
	return json_number(bytes_per_s / SFAB_GB);
}

void json_add(struct json_object *object, const char *key,
	      struct json_object *value)
{
	if (json_object_object_add(object, key, value) != 0)
		xnonnull(NULL);
}
