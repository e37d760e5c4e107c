/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check_spank.c - whether srun loads the SPANK plugin that plugstack.conf names; see check.h
 *
 * srun skips a SPANK plugin of another major or minor version of Slurm.  It then does not know
 * --route-order, and each script that has this option fails.
 */

#include "tools/check/check.h"

#include <glob.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ui/xalloc.h"

#define SPANK_FILE "sfabric_order.so"
#define DEPTH_MAX 4		/* of files that include files */
#define MICRO UINT32_C(0xff)	/* of a version: SPANK plugins fit any */

/* Check @path if it has the name of our plugin.  Slurm looks in PluginDir for a mere name. */
static void check_spank_file(struct check *c, const char *path)
{
	const char *slash = strrchr(path, '/');
	char release[CHECK_RELEASE], *file;
	struct sfab_err err;
	uint32_t slurm;
	int is_ours;

	if (strcmp(slash ? slash + 1 : path, SPANK_FILE) != 0)
		return;
	file = slash ? xstrdup(path) : check_find_file(c->slurm.plugindir, path);
	is_ours = file ? check_plugin_mark(file, release, &slurm, &err) : 0;
	if (!file)
		check_add(c, "spank", VERDICT_WRONG, "%s is not in PluginDir", path);
	else if (is_ours < 0)
		check_add(c, "spank", VERDICT_WRONG, "%s", err.text);
	else if (!is_ours)
		check_add(c, "spank", VERDICT_WRONG, "%s is no plugin of sfabric", file);
	else if ((slurm ^ check_slurm_number(c)) & ~MICRO)
		check_add(c, "spank", VERDICT_WRONG,
			  "%s is for Slurm %u.%02u, which srun of Slurm %s does not "
			  "load: srun --route-order fails until you rebuild it", file,
			  slurm >> 16, slurm >> 8 & 0xff, c->slurm.version);
	else
		check_add(c, "spank", VERDICT_FINE, "%s: for Slurm %u.%02u", file,
			  slurm >> 16, slurm >> 8 & 0xff);
	free(file);
}

/* Read a file with lines "required|optional FILE ARGUMENT..." or "include PATTERN". */
static void read_plugstack(struct check *c, const char *path, int depth)
{
	FILE *in = fopen(path, "r");
	char *line = NULL, *save, *word, *name;
	size_t size = 0;
	glob_t files;

	while (in && getline(&line, &size, in) > 0) {
		line[strcspn(line, "#\n")] = '\0';
		word = strtok_r(line, " \t", &save);
		name = word ? strtok_r(NULL, " \t", &save) : NULL;
		if (name && strcmp(word, "include") != 0)
			check_spank_file(c, name);
		else if (name && depth < DEPTH_MAX && glob(name, 0, NULL, &files) == 0) {
			for (size_t i = 0; i < files.gl_pathc; i++)
				read_plugstack(c, files.gl_pathv[i], depth + 1);
			globfree(&files);
		}
	}
	free(line);
	if (in)
		fclose(in);
}

/*
 * Check our plugin in plugstack.conf, which without PlugStackConfig is in the folder of
 * slurm.conf.  If nothing there names our plugin, no row is added: most sites do not use it.
 */
void check_spank(struct check *c)
{
	const char *conf = c->slurm.conf, *slash = strrchr(conf, '/');
	const char *plugstack = slurmfacts_get(&c->slurm, "PlugStackConfig");
	char *path = plugstack ? xstrdup(plugstack) :
	       xstrfmt("%.*s/plugstack.conf", slash ? (int) (slash - conf) : 0, conf);

	read_plugstack(c, path, 0);
	free(path);
}
