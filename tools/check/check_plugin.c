/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check_plugin.c - which select plugin Slurm loads, and whether it is right
 *
 * Slurm takes the first select_cons_tres.so in the folders of PluginDir.  It
 * skips one of another Slurm version with a line in slurmctld.log and loads the
 * next.  Placement is then Slurm's own, and nobody notices.
 */

#include "tools/check/check.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/check/elf.h"
#include "tools/ui/say.h"

#define PLUGIN "select_cons_tres.so"

/* Symbols that identify our plugin; plugin/slurm/ defines them. */
#define OUR_VERSION "sfabric_version"	/* char[] */
#define SLURM_OF_PLUGIN "plugin_version"	/* uint32_t */

/* The next folder of a list A:B:C at *@list; NULL: no more.  Caller frees. */
static char *next_folder(const char **list)
{
	size_t n = strcspn(*list, ":");
	char *folder;

	if (!n)
		return NULL;
	folder = need_text("%.*s", (int) n, *list);
	*list += n + ((*list)[n] == ':');
	return folder;
}

char *check_find(const char *folders, const char *name)
{
	char *folder, *path;

	while ((folder = next_folder(&folders))) {
		path = need_text("%s/%s", folder, name);
		free(folder);
		if (access(path, F_OK) == 0)
			return path;
		free(path);
	}
	return NULL;
}

/* 22.05.8 is 0x160508. */
uint32_t check_slurm_number(const struct check *c)
{
	unsigned major = 0, minor = 0, micro = 0;

	sscanf(c->slurm.version, "%u.%u.%u", &major, &minor, &micro);
	return major << 16 | minor << 8 | micro;
}

/* If a folder is missing, every Slurm command and daemon refuses to start. */
static void check_folders(struct check *c)
{
	const char *list = c->slurm.plugindir;
	char *folder;

	while ((folder = next_folder(&list))) {
		if (access(folder, X_OK) < 0)
			check_add(c, "plugindir", VERDICT_WRONG,
				  "%s: %s, and every Slurm command needs it",
				  folder, strerror(errno));
		free(folder);
	}
	c->plugin = check_find(c->slurm.plugindir, PLUGIN);
	if (c->plugin)
		check_add(c, "plugindir", VERDICT_FINE, "%s",
			  c->slurm.plugindir);
	else
		check_add(c, "plugindir", VERDICT_WRONG, "%s: it contains no %s",
			  c->slurm.plugindir, PLUGIN);
}

/* 1: it is ours, and Slurm loads it. */
static int check_version(struct check *c, const struct sfab_elf *e)
{
	uint32_t number = 0;
	char ours[64] = "";

	if (!sfab_elf_object(e, OUR_VERSION, ours, sizeof(ours) - 1)) {
		check_add(c, "plugin", VERDICT_WRONG,
			  "%s is Slurm's own plugin, so Slurm places jobs (see "
			  "sfabric-slurm status)", c->plugin);
		return 0;
	}
	sfab_elf_object(e, SLURM_OF_PLUGIN, &number, sizeof(number));
	if (number != check_slurm_number(c)) {
		check_add(c, "plugin", VERDICT_WRONG,
			  "%s: sfabric %s for Slurm %u.%02u.%u, which Slurm %s does "
			  "not load: rebuild it", c->plugin, ours,
			  number >> 16, number >> 8 & 0xff, number & 0xff,
			  c->slurm.version);
		return 0;
	}
	check_add(c, "plugin", VERDICT_FINE, "%s: sfabric %s for Slurm %s",
		  c->plugin, ours, c->slurm.version);
	return 1;
}

/* -- symbols --------------------------------------------------------------- */

#define PROVIDERS 3

/* What look_for() needs, and what it found. */
struct symbols {
	struct sfab_elf *provider[PROVIDERS];
	char *missing;		/* comma-separated, NULL: none */
	unsigned n;		/* number of symbols looked up */
};

/*
 * Called for each symbol that the plugin needs: does slurmctld, libslurm or Slurm's
 * own plugin have it?
 */
static void look_for(void *ctx, const char *symbol)
{
	/* referenced by every start code, but never defined */
	static const char *const optional[] = {
		"__gmon_start__", "_ITM_deregisterTMCloneTable",
		"_ITM_registerTMCloneTable",
	};
	struct symbols *s = ctx;

	for (size_t i = 0; i < sizeof(optional) / sizeof(optional[0]); i++)
		if (strcmp(symbol, optional[i]) == 0)
			return;
	s->n++;
	for (int i = 0; i < PROVIDERS; i++)
		if (sfab_elf_defines(s->provider[i], symbol))
			return;
	need_joined(&s->missing, ", ", "%s", symbol);
}

/* The process id of slurmctld if it runs here, else 0. */
static long controller_pid(const struct check *c)
{
	FILE *in = fopen(c->slurm.pidfile, "r");
	long pid = 0;

	if (!in)
		return 0;
	if (fscanf(in, "%ld", &pid) != 1 || pid < 0)
		pid = 0;
	fclose(in);
	return pid;
}

/* Finds the files that define symbols; -1 with *err if one cannot be read. */
static int open_providers(const struct check *c, struct symbols *s,
			  struct sfab_err *err)
{
	char *library = check_find(c->slurm.plugindir, "libslurmfull.so");
	char *stock = library ? need_text("%.*s/%s", (int) (strrchr(library, '/')
				- library), library, PLUGIN) : NULL;
	/* Of slurmctld that of the running one, if that can be seen. */
	char *running = need_text("/proc/%ld/exe", controller_pid(c));
	char *path[PROVIDERS] = { running, library, stock };
	int rc = 0;

	if (access(running, R_OK) != 0) {
		free(running);
		path[0] = check_find("/usr/sbin:/usr/local/sbin:/opt/slurm/sbin",
				     "slurmctld");
	}
	for (int i = 0; i < PROVIDERS; i++) {
		if (!path[i] && rc == 0)
			rc = sfab_fail(err, SFAB_ENOENT, "%s is not on this "
				       "host", i ? "libslurmfull.so"
				       : "slurmctld's program");
		if (rc == 0)
			s->provider[i] = sfab_elf_open(path[i], err);
		if (!s->provider[i])
			rc = -1;
		free(path[i]);
	}
	return rc;
}

static void check_symbols(struct check *c, const struct sfab_elf *e)
{
	struct symbols s = { 0 };
	struct sfab_err err;

	if (open_providers(c, &s, &err) < 0) {
		check_add(c, "symbols", VERDICT_UNKNOWN, "%s", err.text);
	} else {
		sfab_elf_each_undefined(e, look_for, &s);
		if (s.missing)
			check_add(c, "symbols", VERDICT_WRONG,
				  "slurmctld has no %s", s.missing);
		else
			check_add(c, "symbols", VERDICT_FINE,
				  "slurmctld has all %u that the plugin takes "
				  "from it", s.n);
	}
	free(s.missing);
	for (int i = 0; i < PROVIDERS; i++)
		sfab_elf_close(s.provider[i]);
}

/* -- the running controller ------------------------------------------------ */

/* 1: process @pid has mapped the file; -1: not visible */
static int has_mapped(long pid, const char *path)
{
	char maps[64], real[PATH_MAX], line[PATH_MAX + 128];
	int found = 0;
	FILE *in;

	snprintf(maps, sizeof(maps), "/proc/%ld/maps", pid);
	in = fopen(maps, "r");
	if (!in)
		return -1;
	if (!realpath(path, real))
		real[0] = '\0';
	while (!found && fgets(line, sizeof(line), in)) {
		/*
		 * A line of maps ends with the path (proc(5)); ours is compared
		 * with links resolved.  A file that was replaced has "
		 * (deleted)" behind its name, and so is not ours.
		 */
		const char *name = strchr(line, '/');

		line[strcspn(line, "\n")] = '\0';
		found = name && strcmp(name, real) == 0;
	}
	fclose(in);
	return found;
}

/* A new plugin file is used only after a restart of slurmctld. */
static void check_running(struct check *c)
{
	long pid = controller_pid(c);
	int loaded = pid > 0 ? has_mapped(pid, c->plugin) : -1;

	if (loaded < 0)
		check_add(c, "controller", VERDICT_UNKNOWN,
			  "slurmctld runs on another host or as another user: cannot "
			  "see what it has loaded");
	else if (loaded)
		check_add(c, "controller", VERDICT_FINE,
			  "slurmctld (process %ld) has loaded the plugin", pid);
	else
		check_add(c, "controller", VERDICT_WRONG,
			  "slurmctld (process %ld) has not loaded the plugin: "
			  "restart it", pid);
}

/*
 * Each step needs the one before: no symbols without a plugin of ours, no
 * process without the right version.
 */
void check_plugin(struct check *c)
{
	struct sfab_err err;
	struct sfab_elf *e;
	char *path;

	if (!c->has_slurm)
		return;
	if (strcmp(c->slurm.select_type, "select/cons_tres") == 0)
		check_add(c, "selecttype", VERDICT_FINE, "%s",
			  c->slurm.select_type);
	else
		check_add(c, "selecttype", VERDICT_WRONG,
			  "%s: the plugin is not used (expected "
			  "select/cons_tres)", c->slurm.select_type);
	check_folders(c);
	if (!c->plugin)
		return;
	/* As slurmctld sees it: sfabric-slurm covers Slurm's file for that process alone. */
	path = need_text("/proc/%ld/root%s", controller_pid(c), c->plugin);
	e = sfab_elf_open(access(path, R_OK) == 0 ? path : c->plugin, &err);
	free(path);
	if (!e) {
		check_add(c, "plugin", VERDICT_WRONG, "%s", err.text);
		return;
	}
	if (check_version(c, e)) {
		check_symbols(c, e);
		check_running(c);
	}
	sfab_elf_close(e);
}
