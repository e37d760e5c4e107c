/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * blocks.c - which topologies of Slurm consist of blocks; see blocks.h
 *
 *     - topology: racks
 *       cluster_default: false
 *       block:
 *         block_sizes:
 *       tree: {}
 *
 * slurmctld prints all kinds for each topology; those that it is not of are "{}".
 *
 * Only this text is looked at.  A full YAML reader is not needed for what one
 * program prints in one way, and would be one more thing that hostile input
 * could reach.
 */

#include "tools/slurm/blocks.h"

#include <stddef.h>
#include <string.h>

#define BEGIN "- topology: "

/* Is the line at @at exactly @words? */
static int is_line(const char *at, const char *words)
{
	size_t n = strlen(words);

	return strncmp(at, words, n) == 0 && (at[n] == '\n' || !at[n]);
}

/* Past the line's newline, or at the final NUL. */
static const char *line_after(const char *at)
{
	const char *end = strchr(at, '\n');

	return end ? end + 1 : at + strlen(at);
}

/*
 * Looks at one topology, whose first line is at @at.  A NULL name stands for
 * the cluster's default: then one of the lines up to the next topology must say
 * so.
 */
static int block_is_meant(const char *at, const char *name)
{
	if (name)
		return is_line(at + strlen(BEGIN), name);
	for (at = line_after(at); *at && strncmp(at, BEGIN, strlen(BEGIN)) != 0;
	     at = line_after(at))
		if (is_line(at, "  cluster_default: true"))
			return 1;
	return 0;
}

int blocks_in_topology(const char *text, const char *name)
{
	/* -1: not in the topology that is meant; 0: in it; 1: it has blocks. */
	int found = -1;

	for (const char *at = text; *at; at = line_after(at)) {
		if (strncmp(at, BEGIN, strlen(BEGIN)) == 0) {
			if (found >= 0)
				return found;
			found = block_is_meant(at, name) ? 0 : -1;
		} else if (found == 0 && is_line(at, "  block:")) {
			found = 1;
		}
	}
	return found;
}
