/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pattern.h - patterns: who sends to whom in the steps of a collective
 *
 * With one rank on each of n hosts:
 *
 *   alltoall   step s = 1 .. n-1: rank i sends to i + s mod n.  Open MPI sends a large
 *              all-to-all this way (ompi coll_base_alltoall.c, pairwise), and so does MPICH if
 *              n is not a power of two (alltoall_intra_pairwise.c).
 *   allreduce  ranks i and i xor d exchange, d = 1, 2, 4, ... (recursive doubling, and halving
 *              for reduce-scatter).  If n is not a power of two, as in MPICH
 *              (allreduce_intra_recursive_doubling.c): let p be the largest power of two below
 *              n, and r = n - p.  In the first step each even rank below 2r sends to the next
 *              rank and then waits.  The odd ranks below 2r become ranks 0 .. r-1 of the p that
 *              continue, and ranks from 2r on follow.  In the last step the odd ones send back.
 *              The first and the last step count like the others.
 *   ring       rank i sends to i + 1 mod n.  All steps are the same, so there is one.
 *   uniform    everyone sends to everyone at once, evenly: the mean load of all steps of
 *              alltoall.  MPICH and Open MPI send middle-sized all-to-alls this way
 *              (alltoall_intra_scattered.c, coll_base_alltoall.c, basic_linear), and so do
 *              irregular exchanges by non-blocking sends.  It counts as one step, in which no
 *              rank has one peer.
 *
 * A large pattern is sampled, and the sample depends on n alone.  It has each s that is a power
 * of two, and one step from each of equal spans.  The position in the span varies from span to
 * span, so that no leaf size coincides with all of them.  In the mean the powers of two count
 * once each, and the other samples stand for all remaining steps.
 */
#ifndef SFAB_PATTERN_H
#define SFAB_PATTERN_H

#include <stdint.h>

enum sfab_pattern {
	SFAB_ALLTOALL,
	SFAB_ALLREDUCE,
	SFAB_RING,
	SFAB_UNIFORM,
};
#define SFAB_NPATTERNS 4

#define SFAB_STEPS_MAX 128	/* steps sampled; with this many or fewer, all */

/*
 * Weights of the patterns in mpi traffic whose pattern nobody gave.  They sum to 1.  An
 * assumption that a site configures: alltoall for large MPI_Alltoall (Fourier transforms,
 * transposes), uniform for smaller and irregular ones, halving for MPI_Allreduce,
 * MPI_Reduce_scatter and barriers (most solvers).  Ring is how long MPI_Allgather and MPI_Bcast
 * of MPICH, and long MPI_Allreduce of Open MPI, are sent; halos are class neighbor.  Ring
 * weighs least: with ranks leaf by leaf it has hardly a conflict on any set.
 */
extern const double sfab_default_mix[SFAB_NPATTERNS];

/* Return its name in hints, sfabric.conf and reports: alltoall, allreduce, ring, uniform. */
const char *sfab_pattern_name(enum sfab_pattern pattern);

/* Return the number of steps of @pattern among @n ranks, 0 for fewer than two. */
uint32_t sfab_pattern_steps(enum sfab_pattern pattern, uint32_t n);

/* Return the rank that @rank sends to in @step (0 .. steps - 1), or SFAB_NONE: none, or all. */
uint32_t sfab_pattern_peer(enum sfab_pattern pattern, uint32_t n, uint32_t step,
			   uint32_t rank);

/*
 * Write the sampled steps to @step, ascending.  Return their number, at most @max.  @max is
 * above the number of powers of two below @n, and at most SFAB_STEPS_MAX.
 */
uint32_t sfab_pattern_sample(enum sfab_pattern pattern, uint32_t n, uint32_t max,
			     uint32_t step[SFAB_STEPS_MAX]);

/* Is @step in the sample of every n? */
int sfab_pattern_always(enum sfab_pattern pattern, uint32_t step);

#endif
