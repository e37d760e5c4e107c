/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json.h - values of --json answers, on top of json-c */
#ifndef SFAB_JSON_H
#define SFAB_JSON_H

#include <json-c/json.h>
#include <stdint.h>

/*
 * GUIDs become strings, and names are made printable.  A number that is not finite is null, and
 * so is a name of NULL.
 */
struct json_object *json_guid(uint64_t guid);
struct json_object *json_name(const char *name);
struct json_object *json_number(double number);
struct json_object *json_gbs(double bytes_per_s);	/* as GB/s */

/* Add @value, which the object then owns. */
void json_add(struct json_object *object, const char *key, struct json_object *value);

#endif
