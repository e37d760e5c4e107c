/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * traffic.h - what a job sends: a weight per class
 *
 *   mpi       collectives: every node to every other, evenly in the mean
 *   neighbor  a ring in node order: half to the next, half to the previous
 *   io-write  to the members of an IO set
 *   io-read   from the members of an IO set
 *
 * A weight (share) is the part of the job's time, on an ideal fabric, in which it sends such
 * traffic at the full rate of its ports, 0..1.  On average it asks for that part of the rate.
 * The weights of a job sum to at most 1.  The text form is
 *
 *   CLASS[@SET][=SHARE][+CLASS...]      e.g. io-write@scratch=0.4+mpi
 *
 * In place of mpi it may name the pattern (pattern.h) of the collectives: alltoall, allreduce,
 * ring or uniform.  That is class mpi, with its default share.
 *
 * A class without a share has its default share.  A hint in a job's --comment or --network is
 * "sfabric:" followed by this text, or "sfabric:off".  White space, comma or semicolon delimit
 * it.  Text after a comma that looks like traffic is part of the hint and makes it wrong: 0,5
 * is not a share, and classes are joined by +.
 */
#ifndef SFAB_TRAFFIC_H
#define SFAB_TRAFFIC_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "core/load/pattern.h"

enum sfab_class {
	SFAB_MPI,
	SFAB_NEIGHBOR,
	SFAB_IO_WRITE,
	SFAB_IO_READ,
};
#define SFAB_NCLASSES 4
#define SFAB_TRAFFIC_PARTS 8
#define SFAB_SET_NAME_MAX 63	/* bytes in the name of an IO set */

/* The steps (pattern.h) in which traffic of class mpi is sent. */
enum sfab_mpi_pattern {
	SFAB_PATTERN_MIX,	/* none given: the site's mix; 0, as a part without one has */
	SFAB_PATTERN_ALLTOALL = 1 + SFAB_ALLTOALL,
	SFAB_PATTERN_ALLREDUCE = 1 + SFAB_ALLREDUCE,
	SFAB_PATTERN_RING = 1 + SFAB_RING,
	SFAB_PATTERN_UNIFORM = 1 + SFAB_UNIFORM,
};
_Static_assert(SFAB_PATTERN_UNIFORM == SFAB_NPATTERNS, "each pattern of pattern.h is here");

struct sfab_traffic_part {
	enum sfab_class class;
	enum sfab_mpi_pattern pattern;		/* class mpi only */
	double share;
	char set[SFAB_SET_NAME_MAX + 1];	/* IO classes; "": the first set */
};

struct sfab_traffic {
	uint32_t nparts;	/* 0: sends nothing */
	struct sfab_traffic_part part[SFAB_TRAFFIC_PARTS];
};

/* Default share by class; DefaultTraffic of a site may have others (conf.h). */
extern const double sfab_traffic_default_share[SFAB_NCLASSES];

/*
 * Parse "CLASS[@SET][=SHARE]+...": @text ends at NUL.  @shares: default share by class, NULL
 * for the built-in ones.  If shares were defaulted and the sum exceeds 1, the defaulted ones
 * are scaled down to fit.  Any other error is SFAB_EFORMAT.  Text that *err quotes is
 * printable.
 */
int sfab_traffic_parse(const char *text, const double *shares, struct sfab_traffic *t,
		       struct sfab_err *err);

/* Write the canonical text of @t, which sfab_traffic_parse() accepts.  Return @buf. */
char *sfab_traffic_text(const struct sfab_traffic *t, char *buf, size_t size);

enum sfab_hint {
	SFAB_HINT_NONE,		/* no "sfabric:" token */
	SFAB_HINT_OFF,		/* "sfabric:off" */
	SFAB_HINT_TRAFFIC,	/* *t is set */
	SFAB_HINT_WRONG,	/* a token that cannot be understood; *err says why */
};
/* Parse the first sfabric: token of @text (NULL: none).  One of 512 bytes or more is wrong. */
enum sfab_hint sfab_hint_parse(const char *text, const double *shares,
			       struct sfab_traffic *t, struct sfab_err *err);

/* Return "mpi", "neighbor", "io-write" or "io-read". */
const char *sfab_class_name(enum sfab_class class);
/* Return the name in the text form: that of the pattern, if there is one, else of the class. */
const char *sfab_traffic_word(enum sfab_class class, enum sfab_mpi_pattern pattern);
int sfab_class_is_io(enum sfab_class class);
/* Sum the shares of the IO classes. */
double sfab_traffic_io_share(const struct sfab_traffic *t);
/* Sum the shares of all other classes. */
double sfab_traffic_net_share(const struct sfab_traffic *t);
/* Sum the shares of one class. */
double sfab_traffic_class_share(const struct sfab_traffic *t, enum sfab_class class);

/*
 * Find the part of the class, pattern and set of @wanted.  If there is none, append one with
 * share 0.  NULL: all parts are in use.
 */
struct sfab_traffic_part *sfab_traffic_find_or_add(struct sfab_traffic *t,
						   const struct sfab_traffic_part *wanted);

/*
 * Set @out to the weights of the patterns in the mpi parts of @t, by the parts' shares.  They
 * sum to 1, or all are 0 if @t sends no mpi.  @site is the mix of parts that name no pattern.
 */
void sfab_traffic_mix(const struct sfab_traffic *t, const double site[SFAB_NPATTERNS],
		      double out[SFAB_NPATTERNS]);

#endif
