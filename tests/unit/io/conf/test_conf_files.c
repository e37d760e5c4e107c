/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_conf_files.c - sfabric.conf as a file, what it includes, where it is; that man page,
 * example and option table name the same keys
 */

#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/fixtures/conf_text.h"
#include "tests/unit/fixtures/unit.h"

static const char *path, *more;		/* sfabric.conf, and a file beside it */

static void set_up(void)
{
	path = unit_path("sfabric.conf");
	more = unit_path("more.conf");
}

TEST(included_file_is_beside_its_includer)
{
	struct sfab_trust trust = { .check = 1, .uid = getuid() };
	struct conf_value shown = { .key = "Mode" };
	struct sfab_conf *c;
	char origin[300];

	unit_write(path, "Debug=yes\ninclude more.conf # rest\n"
		   "MaxSteps=7\n");
	unit_write(more, "\nMode=on\n");
	c = sfab_conf_load(path, &trust, &unit_err);
	ck_assert_msg(c != NULL, "%s", unit_err.text);
	ck_assert_int_eq(c->mode, SFAB_MODE_ON);
	ck_assert_uint_eq(c->max_steps, 7);
	sfab_conf_each(c, remember, &shown);
	snprintf(origin, sizeof(origin), "%s:2", more);
	ck_assert_str_eq(shown.origin, origin);
	sfab_conf_destroy(c);
}

/* Check that loading fails with the path of the file, then @rest. */
static void assert_fails(const struct sfab_trust *trust, const char *rest)
{
	struct sfab_err err = { 0 };

	ck_assert_ptr_null(sfab_conf_load(path, trust, &err));
	ck_assert_msg(strncmp(err.text, path, strlen(path)) == 0, "%s",
		      err.text);
	ck_assert_msg(strstr(err.text, rest) != NULL, "\"%s\" says not \"%s\"",
		      err.text, rest);
}

TEST(included_files_fail_with_their_place)
{
	struct sfab_trust trust = { .check = 1, .uid = getuid() };

	unit_write(path, "Include more.conf");
	assert_fails(NULL, ":1: ");
	assert_fails(NULL, "more.conf: No such file");
	unit_write(more, "\nModus=on\n");
	assert_fails(NULL, "more.conf:2: unknown key \"Modus\"");
	unit_write(more, "Mode=on");
	chmod(more, 0666);
	assert_fails(&trust, "more.conf: the file is writable by group");
}

TEST(include_loop_ends)
{
	unit_write(path, "Include sfabric.conf\n");
	assert_fails(NULL, ":1: ");
}

TEST(missing_file_is_enoent)
{
	ck_assert_ptr_null(sfab_conf_load("/nowhere/sfabric.conf", NULL, &unit_err));
	ck_assert_int_eq(unit_err.code, SFAB_ENOENT);
}

TEST(path_follows_the_environment)
{
	char buf[100];

	unsetenv("SFABRIC_CONF");
	unsetenv("SLURM_CONF");
	ck_assert_str_eq(sfab_conf_path(NULL, buf, sizeof(buf)),
			 SYSCONFDIR "/slurm/sfabric.conf");
	setenv("SLURM_CONF", "/etc/other/slurm.conf", 1);
	ck_assert_str_eq(sfab_conf_path(NULL, buf, sizeof(buf)),
			 "/etc/other/sfabric.conf");
	ck_assert_str_eq(sfab_conf_path("/run/conf/slurm.conf", buf, sizeof(buf)),
			 "/run/conf/sfabric.conf");
	setenv("SLURM_CONF", "slurm.conf", 1);
	ck_assert_str_eq(sfab_conf_path(NULL, buf, sizeof(buf)), "sfabric.conf");
	setenv("SFABRIC_CONF", "/x/y", 1);
	ck_assert_str_eq(sfab_conf_path("/run/conf/slurm.conf", buf, sizeof(buf)), "/x/y");
}

/* -- documents -------------------------------------------------------------- */

static char *read_document(const char *name)
{
	const char *source = getenv("SFAB_SRCDIR");
	char full[600];
	uint8_t *text;
	size_t size;

	snprintf(full, sizeof(full), "%s/%s", source ? source : ".", name);
	ck_assert_msg(sfab_file_read(full, NULL, &text, &size, &unit_err) == 0,
		      "%s", unit_err.text);
	unit_cleanup(text, free);
	return (char *) text;
}

/* Each key begins a line of @ctx as "<mark>Key<mark>=". */
static void assert_key_in_man_page(void *ctx, const char *key,
				   const char *value, const char *origin,
				   const char *doc)
{
	char heading[100];

	snprintf(heading, sizeof(heading), "\n*%s*=", key);
	ck_assert_msg(strstr(ctx, heading) != NULL, "%s is not there", key);
}

static void assert_key_in_example(void *ctx, const char *key,
				  const char *value, const char *origin,
				  const char *doc)
{
	char line[100];

	snprintf(line, sizeof(line), "\n#%s=", key);
	ck_assert_msg(strstr(ctx, line) != NULL, "%s is not there", key);
}

TEST(man_page_names_every_key)
{
	struct sfab_conf *c = sfab_conf_create();
	char *page = read_document("doc/sfabric.conf.5.scd");

	sfab_conf_each(c, assert_key_in_man_page, page);
	sfab_conf_destroy(c);
}

TEST(man_page_names_no_other_key)
{
	char *page = read_document("doc/sfabric.conf.5.scd"), *line, text[100];
	struct sfab_err err = { 0 };

	for (line = page; (line = strstr(line, "\n*")); line++) {
		if (line[2 + strcspn(line + 2, "*")] == '\0' ||
		    line[3 + strcspn(line + 2, "*")] != '=')
			continue;
		snprintf(text, sizeof(text), "%.*s=!",
			 (int) strcspn(line + 2, "*"), line + 2);
		ck_assert_ptr_null(parse(text, &err));
		ck_assert_msg(!strstr(err.text, "unknown key"), "%s", err.text);
	}
}

/* Marked bold, underscores escaped. */
static void assert_bold(const char *page, const char *word)
{
	char bold[100] = "*";
	size_t n = 1;

	for (; *word; word++) {
		if (*word == '_')
			bold[n++] = '\\';
		bold[n++] = *word;
	}
	bold[n] = '*';
	ck_assert_msg(strstr(page, bold) != NULL, "%s is not there", bold);
}

/* The text of @key in the man page, its lines joined by single blanks. */
static void read_section(const char *page, const char *key, char *text, size_t size)
{
	char heading[100];
	const char *at, *end;
	size_t n = 0;

	snprintf(heading, sizeof(heading), "\n*%s*=", key);
	at = strstr(page, heading);
	ck_assert_msg(at != NULL, "%s is not there", key);
	end = strstr(at, "\n\n");
	ck_assert_ptr_nonnull(end);
	for (; at < end; at++)
		if (!strchr("\n\t", *at) || (n && text[n - 1] != ' ')) {
			ck_assert_uint_lt(n + 1, size);
			text[n++] = strchr("\n\t", *at) ? ' ' : *at;
		}
	text[n] = '\0';
}

/* Each key's own text ends with its default, as `show config` prints it. */
static void assert_default_in_man_page(void *ctx, const char *key,
				       const char *value, const char *origin,
				       const char *doc)
{
	char section[4096], want[200] = "Default: *";

	/* The weights change; `show config` prints them, and the page says so. */
	if (strcmp(key, "Weights") == 0)
		return;
	read_section(ctx, key, section, sizeof(section));
	if (!*value || *value == '"') {	/* nothing, or a file derived from another */
		ck_assert_msg(strstr(section, "Default: none") ||
			      strstr(section, want), "%s: %s", key, section);
		return;
	}
	snprintf(want, sizeof(want), "Default: *%s*", value);
	ck_assert_msg(strstr(section, want) != NULL, "%s: no %s in: %s", key, want,
		      section);
}

TEST(man_page_names_terms_classes_and_defaults)
{
	struct sfab_conf *c = sfab_conf_create();
	char *page = read_document("doc/sfabric.conf.5.scd");

	for (int i = 0; i < SFAB_NTERMS; i++)
		assert_bold(page, sfab_term_name((enum sfab_term) i));
	for (int i = 0; i < SFAB_NCLASSES; i++)
		assert_bold(page, sfab_class_name((enum sfab_class) i));
	for (int i = 0; i < SFAB_NPATTERNS; i++)
		assert_bold(page, sfab_pattern_name((enum sfab_pattern) i));
	sfab_conf_each(c, assert_default_in_man_page, page);
	sfab_conf_destroy(c);
}

TEST(man_page_example_is_understood)
{
	char *page = read_document("doc/sfabric.conf.5.scd");
	char *begin = strstr(page, "```\n") + 4;
	struct sfab_conf *c;

	*strstr(begin, "```") = '\0';
	c = parse_well(begin);
	ck_assert_uint_eq(c->niosets, 2);
}

TEST(example_as_it_stands_changes_nothing)
{
	char *text = read_document("etc/sfabric.conf.example");
	struct sfab_conf *c = parse_well(text), *plain = sfab_conf_create();
	char *have = write_conf(c), *want = write_conf(plain);

	ck_assert_str_eq(have, want);
	free(have);
	free(want);
	sfab_conf_destroy(plain);
}

/* "#Key=value" without the sign; "# prose" stays. */
static void enable_keys(char *text)
{
	char *line;

	for (line = text; (line = strstr(line, "\n#")); line++)
		if (line[2] != ' ' && line[2] != '\n')
			line[1] = ' ';
}

TEST(example_has_exactly_the_keys)
{
	char *text = read_document("etc/sfabric.conf.example");
	struct sfab_conf *c = sfab_conf_create();

	sfab_conf_each(c, assert_key_in_example, text);
	sfab_conf_destroy(c);
	enable_keys(text);
	c = parse_well(text);
	ck_assert_uint_eq(c->niosets, 1);
	ck_assert_uint_eq(c->partitions.n, 2);
	ck_assert_int_eq(c->mode, SFAB_MODE_OBSERVE);
}

UNIT_MAIN_WITH("conf_files", set_up, NULL)
