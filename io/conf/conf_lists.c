/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf_lists.c - values of sfabric.conf that are lists NAME:VALUE[,...]; see conf_private.h
 *
 * Weights that are not named keep their defaults.  A mix is different: it is a whole, so
 * patterns that are not named have no part.
 */

#include "io/conf/conf_private.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/resize.h"

int sfab_conf_parse_pairs(const struct sfab_option *o, void *base, const char *text,
			  struct sfab_err *err)
{
	char *copy = strdup(text), *rest = copy, *pair, *value;
	int rc = 0;

	if (!copy)
		return sfab_no_memory(err);
	while (rc == 0 && (pair = strsep(&rest, o->kind->separator))) {
		value = strchr(pair, ':');
		if (!value || value == pair) {
			rc = sfab_fail(err, SFAB_EFORMAT, "%s: \"%.60s\" "
				       "(expected %s)", o->key, pair,
				       o->kind->pair_form);
			break;
		}
		*value++ = '\0';
		rc = o->kind->take_pair(o, base, pair, value, err);
	}
	free(copy);
	return rc;
}

/* -- numbers by pattern or by term ------------------------------------------ */

/* Return the name of number @i of the array at o->offset.  NULL: it has no more. */
static const char *number_name(const struct sfab_option *o, size_t i)
{
	if (o->kind == &sfab_kind_mix)
		return i < SFAB_NPATTERNS ? sfab_pattern_name((enum sfab_pattern) i) : NULL;
	return i < SFAB_NTERMS ? sfab_term_name((enum sfab_term) i) : NULL;
}

/*
 * Parse one number in the array at o->offset.  A copy of the option points to that number
 * alone, so limits and messages are those of single numbers; an error calls it "KEY: NAME".
 */
static int take_number_pair(const struct sfab_option *o, void *base, char *name, char *value,
			    struct sfab_err *err)
{
	struct sfab_option single = *o;
	char key[60], expected[200] = "";
	const char *known;
	size_t length = 0;

	for (size_t i = 0; (known = number_name(o, i)) && length < sizeof(expected); i++) {
		length += (size_t) snprintf(expected + length, sizeof(expected) - length, "%s%s",
					    i ? "|" : "", known);
		if (strcasecmp(known, name) != 0)
			continue;
		snprintf(key, sizeof(key), "%s: %s", o->key, name);
		single.key = key;
		single.offset += i * sizeof(double);
		return sfab_kind_number.parse(&single, base, value, err);
	}
	return sfab_fail(err, SFAB_EFORMAT, "%s: \"%.60s\" (expected %s)", o->key, name,
			 expected);
}

/*
 * Parse the whole mix: a pattern that is not named has no part.  Three thirds may be written as
 * 0.333.
 */
static int parse_mix(const struct sfab_option *o, void *base, const char *value,
		     struct sfab_err *err)
{
	double *mix = ((struct sfab_conf *) base)->mix, sum = 0;

	memset(mix, 0, SFAB_NPATTERNS * sizeof(*mix));
	if (sfab_conf_parse_pairs(o, base, value, err) < 0)
		return -1;
	for (int i = 0; i < SFAB_NPATTERNS; i++)
		sum += mix[i];
	if (sum < 0.99 || sum > 1.01)
		return sfab_fail(err, SFAB_EFORMAT, "%s: the parts sum to %g "
				 "(expected 1)", o->key, sum);
	return 0;
}

/* Print all numbers of the array, also those that have their default. */
static void print_named(const struct sfab_option *o, const void *base, FILE *out)
{
	const double *number = (const double *) ((const char *) base + o->offset);
	const char *name;

	for (size_t i = 0; (name = number_name(o, i)); i++)
		fprintf(out, "%s%s:%.15g", i ? "," : "", name, number[i]);
}

const struct sfab_value_kind sfab_kind_mix = {
	.pair_form = "NAME:VALUE", .separator = ",", .take_pair = take_number_pair,
	.parse = parse_mix, .print = print_named,
};
const struct sfab_value_kind sfab_kind_weights = {
	.may_repeat = 1, .pair_form = "NAME:VALUE", .separator = ",", .take_pair = take_number_pair,
	.parse = sfab_conf_parse_pairs, .print = print_named,
};

/* -- IDs of findings -------------------------------------------------------- */

/*
 * Add a list of IDs, which may contain blanks and colons.  Each begins with the name of a rule:
 * lowercase letters and dashes.  AuditSilence may be repeated: lists are joined with ';', and
 * an empty value adds nothing.
 */
static int parse_ids(const struct sfab_option *o, void *base,
		     const char *value, struct sfab_err *err)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz-";
	char **text = (char **) ((char *) base + o->offset);
	size_t length = *text ? strlen(*text) : 0, size = strlen(value);
	int are_ids = !value[strcspn(value, "\"#\\")];

	for (const char *p = value; *p && are_ids; p += *p == ';') {
		size_t n = strspn(p, letters);

		are_ids = n && strchr(":;", p[n]);
		p += strcspn(p, ";");
	}
	if (!are_ids)
		return sfab_fail(err, SFAB_EFORMAT, "%s: \"%.60s\" (expected %s)",
				 o->key, value, o->expected);
	if (sfab_resize(text, length + size + 2, 1) < 0)
		return sfab_no_memory(err);
	if (length && size)
		(*text)[length++] = ';';
	memcpy(*text + length, value, size + 1);
	return 0;
}

const struct sfab_value_kind sfab_kind_ids = {
	.is_text = 1, .may_repeat = 1, .parse = parse_ids, .print = sfab_conf_print_text,
};

/* -- pairs of names and texts ----------------------------------------------- */

int sfab_conf_add_pair(struct sfab_conf_pairs *list, const char *name, const char *value,
		       struct sfab_err *err)
{
	struct sfab_conf_pair *new;

	if (sfab_resize_one_more(&list->pair, list->n, sizeof(*new)) < 0)
		return sfab_no_memory(err);
	new = &list->pair[list->n++];
	new->name = strdup(name);
	new->value = strdup(value);
	return new->name && new->value ? 0 : sfab_no_memory(err);
}

void sfab_conf_free_pairs(struct sfab_conf_pairs *list)
{
	for (uint32_t i = 0; i < list->n; i++) {
		free(list->pair[i].name);
		free(list->pair[i].value);
	}
	free(list->pair);
}

const char *sfab_conf_find_pair(const struct sfab_conf_pairs *list, const char *name)
{
	for (uint32_t i = 0; i < list->n; i++)
		if (strcmp(list->pair[i].name, name) == 0)
			return list->pair[i].value;
	return NULL;
}

/* Put quotes around the whole value, if any part needs them: the parser knows no others. */
void sfab_conf_print_pairs(const struct sfab_option *o, const void *base, FILE *out)
{
	const struct sfab_conf_pairs *list =
		(const void *) ((const char *) base + o->offset);
	const char *quote = "";

	for (uint32_t i = 0; i < list->n; i++)
		if (strpbrk(list->pair[i].value, SFAB_OPTION_QUOTED))
			quote = "\"";
	fputs(quote, out);
	for (uint32_t i = 0; i < list->n; i++)
		fprintf(out, "%s%s:%s", i ? o->kind->separator : "", list->pair[i].name,
			list->pair[i].value);
	fputs(quote, out);
}

/* Check that @name, of a @what, can be written back and is not in the list yet. */
static int check_new_name(const struct sfab_option *o, const struct sfab_conf_pairs *list,
			  const char *name, const char *what, struct sfab_err *err)
{
	if (name[strcspn(name, SFAB_OPTION_QUOTED)])
		return sfab_fail(err, SFAB_EFORMAT, "%s: \"%.60s\" (expected a %s's name)",
				 o->key, name, what);
	if (sfab_conf_find_pair(list, name))
		return sfab_fail(err, SFAB_EFORMAT, "%s: %s %.60s given twice", o->key,
				 what, name);
	return 0;
}

static int take_fabric_pair(const struct sfab_option *o, void *base, char *name,
			    char *path, struct sfab_err *err)
{
	struct sfab_conf_pairs *fabrics = &((struct sfab_conf *) base)->fabrics;

	if (check_new_name(o, fabrics, name, "fabric", err) < 0)
		return -1;
	if (*path != '/')
		return sfab_fail(err, SFAB_EFORMAT, "%s: %.60s: \"%.60s\" (expected %s)",
				 o->key, name, path, o->expected);
	if (fabrics->n == SFAB_CONF_FABRICS)
		return sfab_fail(err, SFAB_ELIMIT, "%s: more than %d fabrics",
				 o->key, SFAB_CONF_FABRICS);
	return sfab_conf_add_pair(fabrics, name, path, err);
}

const struct sfab_value_kind sfab_kind_fabrics = {
	.may_repeat = 1, .pair_form = "NAME:VALUE", .separator = ",", .take_pair = take_fabric_pair,
	.parse = sfab_conf_parse_pairs, .print = sfab_conf_print_pairs,
};

/* Add a partition and its mode, which is parsed like that of the cluster. */
static int take_partition_pair(const struct sfab_option *o, void *base, char *name,
			       char *word, struct sfab_err *err)
{
	struct sfab_conf_pairs *partitions = &((struct sfab_conf *) base)->partitions;
	struct sfab_option single = *o;
	enum sfab_mode mode;

	single.offset = 0;
	if (check_new_name(o, partitions, name, "partition", err) < 0 ||
	    sfab_kind_choice.parse(&single, &mode, word, err) < 0)
		return -1;
	return sfab_conf_add_pair(partitions, name, sfab_mode_name(mode), err);
}

const struct sfab_value_kind sfab_kind_partitions = {
	.may_repeat = 1, .pair_form = "NAME:VALUE", .separator = ",",
	.take_pair = take_partition_pair, .parse = sfab_conf_parse_pairs,
	.print = sfab_conf_print_pairs,
};
