/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check_plugin.c - which select plugin Slurm loads, and whether it is right; see check.h
 *
 * Slurm takes the first select_cons_tres.so in the folders of PluginDir.  It skips one of
 * another Slurm version with a line in slurmctld.log and loads the next.  Placement is then
 * Slurm's own, and nobody notices.
 */

#include "tools/check/check.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "place/plugin_mark.h"
#include "tools/slurm/program.h"
#include "tools/ui/xalloc.h"

#define PLUGIN "select_cons_tres.so"

#define SLURMCTLD_FOLDERS "/usr/sbin:/usr/local/sbin:/opt/slurm/sbin"
#define LOADING_MAX_S 10	/* it takes no tenth of that */

char *check_find_file(const char *folders, const char *name)
{
	char *list = xstrdup(folders), *path = NULL, *rest;

	for (char *p = strtok_r(list, ":", &rest); p && !path; p = strtok_r(NULL, ":", &rest)) {
		path = xstrfmt("%s/%s", p, name);
		if (access(path, F_OK) != 0) {
			free(path);
			path = NULL;
		}
	}
	free(list);
	return path;
}

uint32_t check_slurm_number(const struct check *c)
{
	unsigned major = 0, minor = 0, micro = 0;

	sscanf(c->slurm.version, "%u.%u.%u", &major, &minor, &micro);
	return major << 16 | minor << 8 | micro;
}

/*
 * Check the folders of PluginDir, and find the plugin.  If one is missing, every Slurm command
 * and daemon refuses to start.
 */
static void check_folders(struct check *c)
{
	char *list = xstrdup(c->slurm.plugindir), *rest;

	for (char *p = strtok_r(list, ":", &rest); p; p = strtok_r(NULL, ":", &rest))
		if (access(p, X_OK) < 0)
			check_add(c, "plugindir", VERDICT_WRONG,
				  "%s: %s, and every Slurm command needs it", p, strerror(errno));
	free(list);
	c->plugin = check_find_file(c->slurm.plugindir, PLUGIN);
	if (c->plugin)
		check_add(c, "plugindir", VERDICT_FINE, "%s",
			  c->slurm.plugindir);
	else
		check_add(c, "plugindir", VERDICT_WRONG, "%s: it contains no %s",
			  c->slurm.plugindir, PLUGIN);
}

int check_plugin_mark(const char *path, char release[CHECK_RELEASE], uint32_t *slurm,
		      struct sfab_err *err)
{
	const char *mark;
	uint8_t *bytes;
	int is_ours;
	size_t size;

	if (sfab_file_read(path, NULL, &bytes, &size, err) < 0)
		return -1;
	mark = memmem(bytes, size, SFAB_PLUGIN_MARK, strlen(SFAB_PLUGIN_MARK));
	is_ours = mark && sscanf(mark + strlen(SFAB_PLUGIN_MARK), "%63s for Slurm %" SCNx32,
				 release, slurm) == 2;
	free(bytes);
	return is_ours;
}

/*
 * Add the row "plugin".  1: the file, which slurmctld knows as c->plugin, is ours, and Slurm
 * loads it.
 */
static int check_version(struct check *c, const char *file)
{
	char release[CHECK_RELEASE];
	struct sfab_err err;
	uint32_t slurm;
	int is_ours = check_plugin_mark(file, release, &slurm, &err);

	if (is_ours < 0)
		check_add(c, "plugin", VERDICT_WRONG, "%s", err.text);
	else if (!is_ours)
		check_add(c, "plugin", VERDICT_WRONG,
			  "%s is Slurm's own plugin, so Slurm places jobs (see "
			  "sfabric-slurm status)", c->plugin);
	else if (slurm != check_slurm_number(c))
		check_add(c, "plugin", VERDICT_WRONG,
			  "%s: sfabric %s for Slurm %u.%02u.%u, which Slurm %s does "
			  "not load: rebuild it", c->plugin, release,
			  slurm >> 16, slurm >> 8 & 0xff, slurm & 0xff,
			  c->slurm.version);
	else
		check_add(c, "plugin", VERDICT_FINE, "%s: sfabric %s for Slurm %s",
			  c->plugin, release, c->slurm.version);
	return is_ours > 0 && slurm == check_slurm_number(c);
}

/* Return the process id of slurmctld if it runs here, else 0. */
static long controller_pid(const struct check *c)
{
	FILE *in = fopen(c->slurm.pidfile, "r");
	long pid = 0;

	if (in && (fscanf(in, "%ld", &pid) != 1 || pid < 0))
		pid = 0;
	if (in)
		fclose(in);
	return pid;
}

/*
 * Find the dynamic loader's message about the plugin, one line of its @output, or NULL.  An
 * object that it cannot preload is only a message: the program goes on without it.
 */
static const char *find_loader_message(char *output)
{
	static const char *const words[] = {
		"undefined symbol: ", "from LD_PRELOAD cannot be preloaded",
		"error while loading", "ended with ",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		char *message = strstr(output, words[i]);

		if (message) {
			message[strcspn(message, "\n")] = '\0';
			return message;
		}
	}
	return NULL;
}

/* Is it safe to run the file?  Root runs only what nobody else can have written. */
static int is_safe_to_run(const char *path)
{
	struct stat st;

	return geteuid() != 0 ||
	       (stat(path, &st) == 0 && st.st_uid == 0 && !(st.st_mode & 022));
}

/*
 * Check that slurmctld has all symbols that the plugin needs.  Slurm loads plugins with lazy
 * binding: a symbol that slurmctld lacks would end it at its first job.  Here the loader binds
 * all symbols at once (LD_BIND_NOW), in a slurmctld that only prints its version.
 */
static void check_symbols(struct check *c, const char *file)
{
	/* If slurmctld does not run without the plugin either, the plugin is not to blame. */
	static char script[] = "\"$1\" -V >&2 || exit; "
			       "LD_BIND_NOW=1 LD_PRELOAD=\"$0\" \"$1\" -V 2>&1 || "
			       "echo \"ended with $?\"";
	char *running = xstrfmt("/proc/%ld/exe", controller_pid(c));
	char *elsewhere = check_find_file(SLURMCTLD_FOLDERS, "slurmctld");
	char *program = access(running, X_OK) == 0 ? running : elsewhere;
	char *argv[] = { "sh", "-c", script, (char *) file, program, NULL }, *output = NULL;
	const char *message;
	struct sfab_err err;

	if (!program) {
		check_add(c, "symbols", VERDICT_UNKNOWN, "slurmctld's program is not on this host");
	} else if (!is_safe_to_run(program) || !is_safe_to_run(file)) {
		check_add(c, "symbols", VERDICT_UNKNOWN, "not tried: %s or %s can be written by "
			  "others than root (run check as SlurmUser)", program, file);
	} else if (program_output(argv, LOADING_MAX_S, &output, &err) != 0) {
		check_add(c, "symbols", VERDICT_UNKNOWN, "%s", err.text);
	} else {
		message = find_loader_message(output);
		if (message)
			check_add(c, "symbols", VERDICT_WRONG, "slurmctld cannot load it: %s",
				  message);
		else
			check_add(c, "symbols", VERDICT_FINE,
				  "slurmctld has all that the plugin takes from it");
	}
	free(output);
	free(elsewhere);
	free(running);
}

/* -- the running controller ------------------------------------------------ */

/* Has process @pid mapped the file?  -1: its maps are not visible. */
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
		 * A line of maps ends with the path (proc(5)); ours is compared with links
		 * resolved.  A file that was replaced has " (deleted)" behind its name, and so
		 * is not ours.
		 */
		const char *name = strchr(line, '/');

		line[strcspn(line, "\n")] = '\0';
		found = name && strcmp(name, real) == 0;
	}
	fclose(in);
	return found;
}

/* Check that slurmctld has loaded the file.  A new one is used only after a restart. */
static void check_running(struct check *c)
{
	long pid = controller_pid(c);
	int is_loaded = pid > 0 ? has_mapped(pid, c->plugin) : -1;

	if (is_loaded < 0)
		check_add(c, "controller", VERDICT_UNKNOWN,
			  "slurmctld runs on another host or as another user: cannot "
			  "see what it has loaded");
	else if (is_loaded)
		check_add(c, "controller", VERDICT_FINE,
			  "slurmctld (process %ld) has loaded the plugin", pid);
	else
		check_add(c, "controller", VERDICT_WRONG,
			  "slurmctld (process %ld) has not loaded the plugin: "
			  "restart it", pid);
}

/*
 * Check the plugin.  Each check needs the one before it: symbols need a plugin of ours, and the
 * running process matters only for the right version.
 */
void check_plugin(struct check *c)
{
	char *file;

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
	file = xstrfmt("/proc/%ld/root%s", controller_pid(c), c->plugin);
	if (access(file, R_OK) != 0) {
		free(file);
		file = xstrdup(c->plugin);
	}
	if (check_version(c, file)) {
		check_symbols(c, file);
		check_running(c);
	}
	free(file);
}
