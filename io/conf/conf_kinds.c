/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf_kinds.c - parse and print each kind of value in sfabric.conf; see conf_private.h
 *
 * A kind is a pair of functions: parse stores a value at the offset that the option's row in
 * conf_table.c gives, print writes it as the file would have it.  What print writes, parse
 * reads back to the same value.
 */

#include "io/conf/conf_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Return where in the conf, or in an IO set, the option's value is. */
static void *option_field(const struct sfab_option *o, void *base)
{
	return (char *) base + o->offset;
}

static const void *const_field(const struct sfab_option *o, const void *base)
{
	return (const char *) base + o->offset;
}

static int fail_value(const struct sfab_option *o, const char *value,
		      const char *expected, struct sfab_err *err)
{
	return sfab_fail(err, SFAB_EFORMAT, "%s: \"%.60s\" (expected %s)",
			 o->key, value, expected);
}

/* -- texts ------------------------------------------------------------------ */

/* Replace the text.  Without memory the old one stays. */
static int set_text_value(char **text, const char *value, struct sfab_err *err)
{
	char *copy = strdup(value);

	if (!copy)
		return sfab_no_memory(err);
	free(*text);
	*text = copy;
	return 0;
}

void sfab_conf_print_text(const struct sfab_option *o, const void *base, FILE *out)
{
	sfab_option_print_text(*(char *const *) const_field(o, base), out);
}

static int parse_text(const struct sfab_option *o, void *base,
		      const char *value, struct sfab_err *err)
{
	if (!*value)
		return fail_value(o, value, o->expected, err);
	return set_text_value(option_field(o, base), value, err);
}

const struct sfab_value_kind sfab_kind_text = {
	.is_text = 1, .parse = parse_text, .print = sfab_conf_print_text,
};

/*
 * Parse an absolute path: a relative one would depend on slurmctld's folder.  Empty means none,
 * where that is the default.
 */
static int parse_path(const struct sfab_option *o, void *base,
		      const char *value, struct sfab_err *err)
{
	if (*value != '/' && (*value || *o->initial))
		return fail_value(o, value, "an absolute path", err);
	return set_text_value(option_field(o, base), value, err);
}

const struct sfab_value_kind sfab_kind_path = {
	.is_text = 1, .parse = parse_path, .print = sfab_conf_print_text,
};

/* -- choices ---------------------------------------------------------------- */

/*
 * Store the position of the word in o->expected, which has words like an enum's.  An unsigned
 * takes the place of the enum, which has the same size and no negative values.
 */
static int parse_choice(const struct sfab_option *o, void *base,
			const char *value, struct sfab_err *err)
{
	const char *word = o->expected;
	size_t n;

	for (unsigned i = 0; *word; i++, word += n + (word[n] == '|')) {
		n = strcspn(word, "|");
		if (n == strlen(value) && strncasecmp(word, value, n) == 0) {
			*(unsigned *) option_field(o, base) = i;
			return 0;
		}
	}
	return fail_value(o, value, o->expected, err);
}

static void print_choice(const struct sfab_option *o, const void *base,
			 FILE *out)
{
	unsigned i = *(const unsigned *) const_field(o, base);
	const char *word = o->expected;

	while (i--)
		word += strcspn(word, "|") + 1;
	fprintf(out, "%.*s", (int) strcspn(word, "|"), word);
}

const struct sfab_value_kind sfab_kind_choice = {
	.parse = parse_choice, .print = print_choice,
};

const char *sfab_mode_name(enum sfab_mode mode)
{
	static const char *const name[] = { "off", "observe", "on" };

	return mode <= SFAB_MODE_ON ? name[mode] : "?";
}

/* -- numbers and times ------------------------------------------------------ */

/* Parse all of @value as a number between o->min and o->max. */
static int read_bounded_number(const struct sfab_option *o, const char *value,
			       double *number, struct sfab_err *err)
{
	char expected[60], *end;

	*number = strtod(value, &end);
	if (end != value && !*end && *number >= o->min && *number <= o->max)
		return 0;
	snprintf(expected, sizeof(expected), "a number, %g to %g", o->min,
		 o->max);
	return fail_value(o, value, expected, err);
}

static int parse_number_value(const struct sfab_option *o, void *base,
			      const char *value, struct sfab_err *err)
{
	return read_bounded_number(o, value, option_field(o, base), err);
}

static void print_number(const struct sfab_option *o, const void *base,
			 FILE *out)
{
	fprintf(out, "%.15g", *(const double *) const_field(o, base));
}

const struct sfab_value_kind sfab_kind_number = {
	.parse = parse_number_value, .print = print_number,
};

/*
 * Parse GB/s, which are 1e9 bytes/s as everywhere.  0 stands for the rate of the ports, which
 * is not known yet.
 */
static int parse_gbs(const struct sfab_option *o, void *base,
		     const char *value, struct sfab_err *err)
{
	char *end;
	double gbs = strtod(value, &end);

	if (end == value || *end ||
	    (gbs != 0 && !sfab_fabric_is_capacity(gbs * SFAB_GB)))
		return fail_value(o, value, "0, or " SFAB_CAPACITY_EXPECTED, err);
	*(double *) option_field(o, base) = gbs;
	return 0;
}

const struct sfab_value_kind sfab_kind_gbs = {
	.parse = parse_gbs, .print = print_number,
};

static int parse_count_value(const struct sfab_option *o, void *base,
			     const char *value, struct sfab_err *err)
{
	double number;

	if (read_bounded_number(o, value, &number, err) < 0)
		return -1;
	if (number != floor(number))
		return fail_value(o, value, "a whole number", err);
	*(uint32_t *) option_field(o, base) = (uint32_t) number;
	return 0;
}

static void print_count(const struct sfab_option *o, const void *base,
			FILE *out)
{
	fprintf(out, "%u", *(const uint32_t *) const_field(o, base));
}

const struct sfab_value_kind sfab_kind_count = {
	.parse = parse_count_value, .print = print_count,
};

/* An empty name is a number without a unit, which is in seconds. */
static const struct {
	const char *name;
	double us;
} time_units[] = {
	{ "us", 1 },	{ "ms", 1e3 },	{ "s", 1e6 },	   { "", 1e6 },
	{ "min", 6e7 }, { "h", 3.6e9 }, { "d", 8.64e10 },
};

/* Return the microseconds in the unit called @name, 0 if unknown. */
static double unit_us(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(time_units) / sizeof(*time_units); i++)
		if (strcmp(time_units[i].name, name) == 0)
			return time_units[i].us;
	return 0;
}

/*
 * Write @stored units as text, in the largest unit of time that divides them.  So 86400 s are
 * printed as 1d, and read back as the same.
 */
static const char *format_time_span(char *buf, size_t size, double stored,
				    double unit)
{
	double us = stored * unit, largest = 1;
	const char *name = "us";
	size_t i;

	for (i = 0; i < sizeof(time_units) / sizeof(*time_units); i++)
		if (*time_units[i].name && time_units[i].us >= largest &&
		    fmod(us, time_units[i].us) == 0) {
			largest = time_units[i].us;
			name = time_units[i].name;
		}
	snprintf(buf, size, "%.0f%s", us / largest, us != 0 ? name : "");
	return buf;
}

/* Parse a time into units of o->unit_us.  1.5 of a unit is refused, not rounded. */
static int parse_time_value(const struct sfab_option *o, void *base,
			    const char *value, struct sfab_err *err)
{
	char expected[96], min[20], max[20], step[20], *end;
	double stored = strtod(value, &end), unit = unit_us(end);

	stored *= unit / o->unit_us;
	if (end != value && unit > 0 && stored >= o->min && stored <= o->max &&
	    stored == floor(stored)) {
		*(uint32_t *) option_field(o, base) = (uint32_t) stored;
		return 0;
	}
	snprintf(expected, sizeof(expected),
		 "a time in us, ms, s, min, h or d, from %s to %s, in steps of "
		 "%s",
		 format_time_span(min, sizeof(min), o->min, o->unit_us),
		 format_time_span(max, sizeof(max), o->max, o->unit_us),
		 format_time_span(step, sizeof(step), 1, o->unit_us));
	return fail_value(o, value, expected, err);
}

static void print_time(const struct sfab_option *o, const void *base, FILE *out)
{
	char buf[20];

	fputs(format_time_span(buf, sizeof(buf),
			       *(const uint32_t *) const_field(o, base),
			       o->unit_us),
	      out);
}

const struct sfab_value_kind sfab_kind_time = {
	.parse = parse_time_value, .print = print_time,
};

/* -- traffic ---------------------------------------------------------------- */

static int parse_traffic_value(const struct sfab_option *o, void *base,
			       const char *value, struct sfab_err *err)
{
	const struct sfab_conf *c = base;

	if (sfab_traffic_parse(value, c->share, option_field(o, base), err) < 0)
		return sfab_fail_prefix(err, "%s", o->key);
	return 0;
}

static void print_traffic(const struct sfab_option *o, const void *base,
			  FILE *out)
{
	char buf[1024];

	sfab_traffic_text(const_field(o, base), buf, sizeof(buf));
	sfab_option_print_text(buf, out);
}

const struct sfab_value_kind sfab_kind_traffic = {
	.parse = parse_traffic_value, .print = print_traffic,
};
