/* SPDX-License-Identifier: GPL-2.0-or-later */
/* launch_list.c - nodes in rank order, as launchers read them */

#include "tools/order/launch_list.h"

#include <string.h>

enum launch_format launch_format_parse(const char *word)
{
	static const char *const names[] = {
		[LAUNCH_HOSTFILE] = "hostfile",
		[LAUNCH_RANKFILE] = "rankfile",
		[LAUNCH_MPICH] = "mpich",
		[LAUNCH_NCCL] = "nccl",
		[LAUNCH_SLURM] = "slurm",
	};
	int i = 0;

	while (i < LAUNCH_NONE && strcmp(names[i], word) != 0)
		i++;
	return (enum launch_format) i;
}

void launch_list_print(enum launch_format format, char *const *node, uint32_t n,
		       uint32_t tasks, FILE *out)
{
	for (uint32_t i = 0; i < n; i++) {
		if (format == LAUNCH_HOSTFILE)
			fprintf(out, "%s slots=%u\n", node[i], tasks);
		else if (format == LAUNCH_MPICH)
			fprintf(out, "%s:%u\n", node[i], tasks);
		else if (format == LAUNCH_NCCL)
			fprintf(out, "%u %s\n", i, node[i]);
		for (uint32_t t = 0; t < tasks; t++)
			if (format == LAUNCH_RANKFILE)
				fprintf(out, "rank %u=%s slot=%u\n",
					i * tasks + t, node[i], t);
			else if (format == LAUNCH_SLURM)
				fprintf(out, "%s\n", node[i]);
	}
}
