/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf.c - read sfabric.conf
 *
 * The text is first split into settings (option, value, FILE:LINE), with included files in
 * place.  Then the settings are applied in the order of the option table, so the order of lines
 * in a file does not matter.
 *
 * Nothing of a conf is used before all of it is right: the first error drops the whole.
 */

#include "io/conf/conf.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/resize.h"
#include "io/conf/conf_private.h"

#define INCLUDE_DEPTH 8	/* an Include that includes itself must end */

/*
 * One Key=Value of a file, kept for as long as the conf: its origin is shown to users, and its
 * value is compared when the file is read again.
 */
struct sfab_setting {
	const struct sfab_option *option;
	char *value, *origin;
};

/* A file or text being read. */
struct conf_source {
	struct sfab_conf *conf;
	const char *name;
	const struct sfab_trust *trust;
	int depth;		/* 0: no file, Include is refused */
	struct sfab_err *err;
};

static int load_file(struct sfab_conf *c, const char *path,
		     const struct sfab_trust *trust, int depth,
		     struct sfab_err *err);

struct sfab_conf *sfab_conf_create(void)
{
	struct sfab_conf *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	memcpy(c->share, sfab_traffic_default_share, sizeof(c->share));
	memcpy(c->mix, sfab_default_mix, sizeof(c->mix));
	memcpy(c->weights, sfab_default_weights, sizeof(c->weights));
	if (sfab_option_defaults(sfab_conf_options, c) < 0) {
		sfab_conf_destroy(c);
		return NULL;
	}
	return c;
}

struct sfab_conf *sfab_conf_share(struct sfab_conf *c)
{
	atomic_fetch_add(&c->sharers, 1);
	return c;
}

void sfab_conf_destroy(struct sfab_conf *c)
{
	uint32_t i;

	if (!c || atomic_fetch_sub(&c->sharers, 1) > 0)
		return;
	sfab_option_free(sfab_conf_options, c);
	sfab_conf_free_pairs(&c->fabrics);
	sfab_conf_free_pairs(&c->partitions);
	sfab_conf_free_pairs(&c->roles);
	for (i = 0; i < c->niosets; i++)
		sfab_conf_ioset_free(&c->ioset[i]);
	free(c->ioset);
	free(c->nodes);
	for (i = 0; i < c->nsettings; i++) {
		free(c->setting[i].value);
		free(c->setting[i].origin);
	}
	free(c->setting);
	sfab_conf_destroy(c->older);
	free(c);
}

/*
 * Read an included file, whose path is relative to the file that names it.  The current folder
 * does not count, because for slurmctld it can be anything.
 */
static int include_file(struct conf_source *s, const char *file)
{
	const char *slash = strrchr(s->name, '/');
	size_t n = *file == '/' || !slash ? 0 : (size_t) (slash + 1 - s->name);
	char *path;
	int rc;

	if (!s->depth)
		return sfab_fail(s->err, SFAB_EFORMAT,
				 "Include %.100s: only in a file", file);
	if (s->depth > INCLUDE_DEPTH)
		return sfab_fail(s->err, SFAB_ELIMIT, "Include %.100s: "
				 "more than %d files deep (a loop?)", file,
				 INCLUDE_DEPTH);
	if (asprintf(&path, "%.*s%s", (int) n, s->name, file) < 0)
		return sfab_no_memory(s->err);
	rc = load_file(s->conf, path, s->trust, s->depth + 1, s->err);
	free(path);
	return rc;
}

/* Read the settings of one line: several may stand on it, each with its own key. */
static int read_conf_line(struct conf_source *s, char *line, unsigned number)
{
	const struct sfab_option *option;
	struct sfab_conf *c = s->conf;
	char *value;
	int rc;

	/* "Include FILE" has no '=': checked first, or it would be an unknown key. */
	line += strspn(line, SFAB_OPTION_BLANKS);
	if (strncasecmp(line, "include", 7) == 0 && isspace((unsigned char) line[7])) {
		const char *file = line + 7 + strspn(line + 7, SFAB_OPTION_BLANKS);

		if (*file != '=')	/* "Include =" is an unknown key */
			return include_file(s, file);
	}
	for (;;) {
		struct sfab_setting *new;

		rc = sfab_option_next(sfab_conf_options, &line, &option,
				      &value, s->err);
		if (rc <= 0)
			return rc;
		if (sfab_resize_one_more(&c->setting, c->nsettings, sizeof(*new)) < 0)
			return sfab_no_memory(s->err);
		new = &c->setting[c->nsettings++];
		*new = (struct sfab_setting){ option, strdup(value), NULL };
		if (!new->value ||
		    asprintf(&new->origin, "%s:%u", s->name, number) < 0) {
			new->origin = NULL;
			return sfab_no_memory(s->err);
		}
	}
}

/* Split @size bytes at @text, followed by a NUL, into settings. */
static int read_conf_text(struct conf_source *s, char *text, size_t size)
{
	struct sfab_option_text lines = { text, text + size, 0 };
	const char *nul = memchr(text, '\0', size);
	unsigned number = 1;
	char *line;

	/* It would end the text early and hide all lines after it. */
	if (nul) {
		for (const char *p = text; p < nul; p++)
			number += *p == '\n';
		return sfab_fail(s->err, SFAB_EFORMAT,
				 "%s:%u: a NUL byte (expected text)", s->name, number);
	}
	while ((line = sfab_option_text_line(&lines, &number)))
		if (read_conf_line(s, line, number) < 0)
			return sfab_fail_prefix(s->err, "%s:%u", s->name,
						number);
	return 0;
}

/*
 * Read a file and those that it includes, which are checked like it: a file that others may
 * write to could change all settings.
 */
static int load_file(struct sfab_conf *c, const char *path,
		     const struct sfab_trust *trust, int depth,
		     struct sfab_err *err)
{
	/* The size is limited here whatever the caller trusts. */
	struct sfab_trust small = trust ? *trust : (struct sfab_trust){ 0 };
	struct conf_source s = {.conf = c,
				.name = path,
				.trust = trust,
				.depth = depth,
				.err = err};
	uint8_t *text;
	size_t size;
	int rc;

	small.max_size = SFAB_CONF_MAX;
	if (sfab_file_read(path, &small, &text, &size, err) < 0)
		return -1;
	rc = read_conf_text(&s, (char *) text, size);
	free(text);
	return rc;
}

/*
 * Apply all settings of one option in order.  Only kinds that collect values may be given more
 * than once.
 */
static int apply_option(struct sfab_conf *c, const struct sfab_option *o,
			struct sfab_err *err)
{
	const struct sfab_setting *first = NULL, *s;
	uint32_t i;

	for (i = 0; i < c->nsettings; i++) {
		s = &c->setting[i];
		if (s->option != o)
			continue;
		if (first && !o->kind->may_repeat)
			return sfab_fail(err, SFAB_EFORMAT,
					 "%s: %s: given twice (first at %s)",
					 s->origin, o->key, first->origin);
		if (o->kind->parse(o, c, s->value, err) < 0)
			return sfab_fail_prefix(err, "%s", s->origin);
		/* A record is an IO set; parse() added it as the last. */
		if (o->kind->is_record)
			c->ioset[c->niosets - 1].origin = s->origin;
		first = s;
	}
	return 0;
}

/* Apply all settings of @c, which is taken over.  Return it, or NULL. */
static struct sfab_conf *finish_conf(struct sfab_conf *c, int rc,
				     struct sfab_err *err)
{
	const struct sfab_traffic *t = &c->default_traffic;
	const struct sfab_option *o;

	/* Table order: a key whose value depends on another stands below it. */
	for (o = sfab_conf_options; o->key && rc == 0; o++)
		rc = apply_option(c, o, err);
	/* A class without a number has its share in DefaultTraffic. */
	memset(c->share, 0, sizeof(c->share));
	for (uint32_t i = 0; i < t->nparts; i++)
		c->share[t->part[i].class] += t->part[i].share;
	for (int k = 0; k < SFAB_NCLASSES; k++)
		if (!(c->share[k] > 0))
			c->share[k] = SFAB_CONF_SHARE;
	if (rc == 0)
		return c;
	sfab_conf_destroy(c);
	return NULL;
}

/* Begin at depth 1, that of the file itself; 0 would refuse Include. */
struct sfab_conf *sfab_conf_load(const char *path,
				 const struct sfab_trust *trust,
				 struct sfab_err *err)
{
	struct sfab_conf *c = sfab_conf_create();

	if (!c) {
		sfab_fail(err, SFAB_ENOMEM, "%s: out of memory", path);
		return NULL;
	}
	return finish_conf(c, load_file(c, path, trust, 1, err), err);
}

/* Copy the text, because reading cuts it into strings. */
struct sfab_conf *sfab_conf_parse(const char *text, size_t size,
				  const char *name, struct sfab_err *err)
{
	struct sfab_conf *c = sfab_conf_create();
	struct conf_source s = {.conf = c, .name = name, .err = err};
	char *copy = malloc(size + 1);
	int rc;

	if (!c || !copy) {
		free(copy);
		sfab_conf_destroy(c);
		sfab_fail(err, SFAB_ENOMEM, "%s: out of memory", name);
		return NULL;
	}
	memcpy(copy, text, size);
	copy[size] = '\0';
	rc = read_conf_text(&s, copy, size);
	free(copy);
	return finish_conf(c, rc, err);
}

enum sfab_mode sfab_conf_mode(const struct sfab_conf *c, const char *partition)
{
	const char *word = partition ? sfab_conf_find_pair(&c->partitions, partition) : NULL;
	enum sfab_mode mode = SFAB_MODE_OFF;

	/* The word was checked before, so the loop ends. */
	while (word && strcmp(sfab_mode_name(mode), word) != 0)
		mode++;
	return word ? mode : c->mode;
}

int sfab_conf_names_partition(const struct sfab_conf *c, const char *partition)
{
	return sfab_conf_find_pair(&c->partitions, partition) != NULL;
}

/* Compare origins as well: `sfabric show config` prints them. */
int sfab_conf_is_same(const struct sfab_conf *a, const struct sfab_conf *b)
{
	if (a->nsettings != b->nsettings)
		return 0;
	for (uint32_t i = 0; i < a->nsettings; i++)
		if (a->setting[i].option != b->setting[i].option ||
		    strcmp(a->setting[i].value, b->setting[i].value) != 0 ||
		    strcmp(a->setting[i].origin, b->setting[i].origin) != 0)
			return 0;
	return 1;
}

/* Return the origin of the last setting of @o, or "default". */
static const char *option_origin(const struct sfab_conf *c,
				 const struct sfab_option *o)
{
	const char *origin = "default";
	uint32_t i;

	for (i = 0; i < c->nsettings; i++)
		if (c->setting[i].option == o)
			origin = c->setting[i].origin;
	return origin;
}

/*
 * Call @fn with the value of @o in @base as text.  Without memory the option is left out, since
 * nothing else depends on it.
 */
static void visit_option(const struct sfab_option *o, const void *base,
			 const char *origin, sfab_conf_fn fn, void *ctx)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return;
	o->kind->print(o, base, out);
	if (fclose(out) == 0)
		fn(ctx, o->key, text, origin, o->doc);
	free(text);
}

const char *sfab_conf_origin(const struct sfab_conf *c, const char *key)
{
	const struct sfab_option *o = sfab_conf_options;

	while (o->key && strcasecmp(o->key, key) != 0)
		o++;
	return option_origin(c, o);
}

void sfab_conf_each(const struct sfab_conf *c, sfab_conf_fn fn, void *ctx)
{
	const struct sfab_option *o;
	uint32_t i;

	for (o = sfab_conf_options; o->key; o++) {
		if (!o->kind->is_record)
			visit_option(o, c, option_origin(c, o), fn, ctx);
		else if (!c->niosets)
			fn(ctx, o->key, "", "default", o->doc);
		for (i = 0; o->kind->is_record && i < c->niosets; i++)
			visit_option(o, &c->ioset[i], c->ioset[i].origin, fn,
				     ctx);
	}
}

const char *sfab_conf_path(const char *slurm_conf, char *buf, size_t size)
{
	const char *variable = getenv("SFABRIC_CONF");
	const char *slurm = slurm_conf && strchr(slurm_conf, '/') ? slurm_conf :
								    getenv("SLURM_CONF");
	const char *slash = slurm ? strrchr(slurm, '/') : NULL;
	int folder = slash ? (int) (slash + 1 - slurm) : 0;

	if (variable && *variable)
		snprintf(buf, size, "%s", variable);
	else if (slurm && *slurm)
		snprintf(buf, size, "%.*ssfabric.conf", folder, slurm);
	else
		snprintf(buf, size, "%s", SYSCONFDIR "/slurm/sfabric.conf");
	return buf;
}
