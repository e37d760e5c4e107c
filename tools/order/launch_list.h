/* SPDX-License-Identifier: GPL-2.0-or-later */
/* launch_list.h - nodes in rank order, as launchers read them */
#ifndef SFAB_LAUNCH_LIST_H
#define SFAB_LAUNCH_LIST_H

#include <stdint.h>
#include <stdio.h>

enum launch_format {
	LAUNCH_HOSTFILE,	/* Open MPI, mpirun --hostfile */
	LAUNCH_RANKFILE,	/* Open MPI, mpirun --rankfile */
	LAUNCH_MPICH,		/* MPICH and Intel MPI, mpiexec -f */
	LAUNCH_NCCL,		/* "RANK NODE": node ranks, for torchrun */
	LAUNCH_SLURM,		/* SLURM_HOSTFILE, srun --distribution=arbitrary */
	LAUNCH_NONE,
};

/* LAUNCH_NONE: there is no such format. */
enum launch_format launch_format_parse(const char *word);

/* Print @n nodes; each has @tasks ranks, one after the other. */
void launch_list_print(enum launch_format format, char *const *node, uint32_t n,
		       uint32_t tasks, FILE *out);

#endif
