/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * launch_list.c - nodes in rank order, as launchers read them
 *
 * The formats are those of the launchers' manuals: Open MPI's mpirun(1) and its
 * rankfile, MPICH's Hydra, srun(1) with SLURM_HOSTFILE.  All put the ranks of a
 * node one after the other.
 */

#include "tools/order/launch_list.h"

#include <string.h>

/* In the order of the enum, so an unknown word ends at LAUNCH_NONE. */
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
		/* A line for each node: "n7 slots=4", "n7:4" or "3 n7". */
		if (format == LAUNCH_HOSTFILE)
			fprintf(out, "%s slots=%u\n", node[i], tasks);
		else if (format == LAUNCH_MPICH)
			fprintf(out, "%s:%u\n", node[i], tasks);
		else if (format == LAUNCH_NCCL)
			fprintf(out, "%u %s\n", i, node[i]);
		for (uint32_t t = 0; t < tasks; t++)
			/*
			 * A line for each rank: "rank 12=n7 slot=0", or "n7" as
			 * often as it has tasks.
			 */
			if (format == LAUNCH_RANKFILE)
				fprintf(out, "rank %u=%s slot=%u\n",
					i * tasks + t, node[i], t);
			else if (format == LAUNCH_SLURM)
				fprintf(out, "%s\n", node[i]);
	}
}
