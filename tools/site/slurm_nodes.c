/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm_nodes.c - the nodes in slurm.conf; see roles.h
 *
 * Only NodeName and Include lines are read, and nothing is refused: the file is Slurm's.
 * Asking slurmctld would cost every command a question, and a minute where it does not answer.
 */

#include "tools/site/roles.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "io/readers/reader.h"
#include "tools/ui/xalloc.h"

#define CONF_SIZE_MAX (16 << 20)	/* bytes; no slurm.conf is as large */
#define DEPTH_MAX 4			/* of files that include files */

struct node_lines {
	char *list;		/* hostlist so far */
	int depth;
};

static void read_node_lines(struct node_lines *nodes, const char *path);

/* Return the word after @key, cut out of @line, or NULL: another line. */
static char *conf_line_value(char *line, const char *key)
{
	size_t n = strlen(key);

	if (strncasecmp(line, key, n) != 0)
		return NULL;
	line += n;
	line[strcspn(line, " \t\r")] = '\0';
	return *line ? line : NULL;
}

/*
 * Take the nodes that a line names, or includes.  NodeName=DEFAULT sets defaults and names no
 * node.  Include files are searched beside the file that names them.
 */
static void take_conf_line(struct node_lines *nodes, const char *path, char *line)
{
	const char *slash = strrchr(path, '/');
	char *value, *included;

	line[strcspn(line, "#")] = '\0';
	line += strspn(line, " \t");
	value = conf_line_value(line, "NodeName=");
	if (value && strcasecmp(value, "DEFAULT") != 0)
		xjoin(&nodes->list, ",", "%s", value);
	value = value ? NULL : conf_line_value(line, "Include ");
	if (!value || nodes->depth == DEPTH_MAX)
		return;
	included = *value == '/' || !slash ?
		 xstrdup(value) :
		 xstrfmt("%.*s/%s", (int) (slash - path), path, value);
	nodes->depth++;
	read_node_lines(nodes, included);
	nodes->depth--;
	free(included);
}

/* Read a file's lines.  A backslash at the end of a line joins it with the next. */
static void read_node_lines(struct node_lines *nodes, const char *path)
{
	char *text, *rest, *line;
	size_t size;

	if (sfab_reader_read_text(path, CONF_SIZE_MAX, &text, &size, NULL) != 0)
		return;
	/* Both characters become blanks, so the text keeps its length. */
	for (char *p = text; (p = strstr(p, "\\\n"));)
		p[0] = p[1] = ' ';
	for (line = strtok_r(text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest))
		take_conf_line(nodes, path, line);
	free(text);
}

/*
 * Return the nodes that slurm.conf names.  The last folder is where slurmd puts the file in
 * configless clusters.
 */
char *roles_slurm_nodes(void)
{
	static const char *const usual[] = {
		SYSCONFDIR "/slurm/slurm.conf", "/etc/slurm/slurm.conf",
		"/run/slurm/conf/slurm.conf",
	};
	const char *path = getenv("SLURM_CONF");
	struct node_lines nodes = { .depth = 0 };

	for (int i = 0; !(path && *path) && i < 3; i++)
		if (access(usual[i], R_OK) == 0)
			path = usual[i];
	if (!path || !*path)
		return NULL;
	nodes.list = xstrdup("");
	read_node_lines(&nodes, path);
	if (*nodes.list)
		return nodes.list;
	free(nodes.list);
	return NULL;
}
