/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * audit.h - what is wrong with a fabric and its tables
 *
 * Every rule examines the actual tables.  The weight of a finding comes from predicted
 * throughput, never from a rule of thumb alone: 24 IO nodes on two leaves can be fine, while
 * one on each leaf at the same port is not.  A finding has an id, RULE:OBJECT, that stays the
 * same from day to day.
 */
#ifndef SFAB_AUDIT_H
#define SFAB_AUDIT_H

#include <stdint.h>

#include "core/err.h"
#include "core/load/model.h"

enum sfab_rule {
	SFAB_RULE_IO_UPLINKS,		/* a leaf uses few of its uplinks for IO */
	SFAB_RULE_IO_LEAF,		/* IO hosts share too few links into their leaf */
	SFAB_RULE_IO_SPINES,		/* IO shares links between spines */
	SFAB_RULE_IO_DOMAIN,		/* half of a set or more fails with one leaf */
	SFAB_RULE_ENGINE,		/* OpenSM fell back to another routing engine */
	SFAB_RULE_UNREACHABLE,		/* pairs of end ports have no route */
	SFAB_RULE_LOOP,			/* the tables send a LID around a loop */
	SFAB_RULE_PARTS,		/* a plane consists of parts without a cable between them */
	SFAB_RULE_LINK_DOWN,		/* a cable is down, or a leaf has fewer than others */
	SFAB_RULE_LINK_SLOW,		/* a cable is slower than comparable ones */
	SFAB_RULE_LINK_ERRORS,		/* packets with errors on a link */
	SFAB_RULE_LINK_DISCARDS,	/* packets that waited too long for a link */
	SFAB_RULE_SPINE_UNUSED,		/* no route uses a cable between switches */
	SFAB_RULE_SPINE_HOT,		/* all-to-all waits for one link: routes are uneven */
	SFAB_RULE_ASYMMETRIC,		/* a route between two leaves is longer than that back */
	SFAB_RULE_RAILS,		/* the cables of two ports of a host are swapped */
	SFAB_RULE_HOST_LEAF,		/* a host is on another leaf than its neighbors by name */
	SFAB_RULE_STATIC,		/* LIDs without a group, though routing is adaptive */
	SFAB_RULE_ADAPTIVE,		/* switches adapt, or can, and no source has their groups */
	SFAB_RULE_STRAYS,		/* packets do not go where the tables say */
	SFAB_RULE_LANES,		/* a service level keeps jobs out of IO's lane, or none */
	SFAB_RULE_HOST_NAME,		/* several nodes have one description */
};
#define SFAB_NRULES (SFAB_RULE_HOST_NAME + 1)

/* Return the name of a rule ("io-uplinks" ...), and one sentence on why it matters. */
const char *sfab_rule_name(enum sfab_rule rule);
const char *sfab_rule_why(enum sfab_rule rule);
/* Return the rule called @name, of @size bytes.  -1: there is none. */
int sfab_rule_parse(const char *name, unsigned size);

/*
 * Severity by predicted loss, if there is one: from a tenth a warning, from a half critical.  A
 * finding that slows only one host is never critical.
 */
enum sfab_severity { SFAB_NOTE, SFAB_WARNING, SFAB_CRITICAL };
const char *sfab_severity_name(enum sfab_severity s);
enum sfab_severity sfab_severity_of_loss(double loss);

struct sfab_move {		/* one step of a remedy */
	uint32_t host, peer;	/* @host and @peer swap ports; SFAB_NONE: to a free port */
	uint32_t from;		/* current end port of the host */
	uint32_t sw;		/* its new switch and port */
	uint8_t port;
};

/* What `sfabric whatif` can try for a remedy. */
enum sfab_trial {
	SFAB_TRIAL_NONE,
	SFAB_TRIAL_IO,		/* a search; @trial_of: hosts of a job */
	SFAB_TRIAL_DOWN,	/* without the cable of link @trial_of */
};

struct sfab_finding {
	enum sfab_rule rule;
	enum sfab_severity severity;
	char object[160];	/* names as given, may be unprintable */
	double number;		/* measured value, in @unit */
	const char *unit;
	char what[400];		/* what is wrong, with its numbers */
	char remedy[400];
	/* predicted effect of the remedy: from @effect_now to @effect_then */
	double effect_now, effect_then;
	const char *effect;	/* unit of both; NULL: not predicted */
	uint32_t nmoves;
	struct sfab_move *move;
	enum sfab_trial trial;
	uint32_t trial_of;
};

/* Distinct uplinks that a leaf uses toward an IO set: the first thing to check. */
struct sfab_uplinks {
	uint32_t set, leaf;
	uint32_t used;		/* distinct links out of the leaf that are used */
	uint32_t up;		/* links to other switches that are up */
	uint32_t members;	/* IO ports on other leaves */
};

/*
 * IO of some hosts, all sending all they can, in bytes/s.  "Possible" is what end ports, IO
 * servers and the cables of each leaf would carry if the tables spread the load evenly.
 */
struct sfab_io_rate {
	uint32_t set;
	enum sfab_class class;	/* io-write, io-read */
	uint32_t n;		/* number of hosts */
	uint32_t host, last;	/* the first and the last */
	double possible, lockstep;
	double maxmin;		/* 0: too many flows to predict */
	uint32_t worst_link;	/* the link that limits lockstep, or SFAB_NONE */
};
/*
 * Return 1 - rate / possible, or 0 where nothing is possible.  The rate is max-min if known,
 * else lockstep.
 */
double sfab_io_rate_loss(const struct sfab_io_rate *r);

struct sfab_io_rates {		/* of one set and class */
	struct sfab_io_rate block;	/* the block that loses most */
	struct sfab_io_rate all;	/* all compute hosts */
};

/* Counts of events on a link over some time, not rates. */
struct sfab_link_events {
	double errors, discards;
};

/*
 * How the subnet manager sets up virtual lanes (VL) by service level.  Index 0: on ports of
 * hosts, 1: on those of switches.  A link with N data VLs uses the bits of N - 1.
 */
struct sfab_lanes {
	int enabled;		/* 1: the subnet manager sets up lanes */
	uint8_t vl[2][16];	/* 15: packets are dropped */
	uint16_t served[2];	/* VLs that a port sends at all, bits */
	unsigned vls;		/* data VLs at most: 1, 2, 4, 8, 16 */
	unsigned io;		/* service level of IO */
};

struct sfab_audit_options {
	const struct sfab_model *m;
	uint32_t block;			/* hosts per block; 0: those of a leaf */
	int only_rates;			/* 1: uplinks and rates of IO, no findings */
	const char *engine;		/* engines that were requested; NULL: those that the
					   snapshot has */
	/* by link, or NULL */
	const struct sfab_link_events *events;
	const struct sfab_lanes *lanes;	/* NULL: not known */
	int followed_known;
	double followed;		/* 0..1: the part of the measured bytes that is where the
					   tables say (estimate.h) */
	double min_followed;		/* a part below this is a finding */
};

struct sfab_audit {
	uint32_t nuplinks;
	struct sfab_uplinks *uplinks;
	uint32_t nrates;
	struct sfab_io_rates *rates;
	uint32_t n;			/* worst first, then by rule */
	struct sfab_finding *finding;
};

/*
 * A smaller loss of IO is no finding: member counts that do not divide evenly over the uplinks
 * cause that much.
 */
#define SFAB_AUDIT_LOSS 0.1

/* Run all rules.  -1 with *err: SFAB_ENOMEM, and there is nothing to free. */
int sfab_audit(const struct sfab_audit_options *ask, struct sfab_audit *out,
	       struct sfab_err *err);
void sfab_audit_free(struct sfab_audit *a);	/* twice is fine */

/*
 * Set *@slowdown to the time of all-to-all of the compute hosts over the time that their own
 * ports need, in the plane where it is longest.  It is at least 1.  Finding spine-hot reports
 * it.  -1: SFAB_ENOMEM.
 */
int sfab_audit_all_to_all(const struct sfab_model *m, double *slowdown,
			  struct sfab_err *err);

/*
 * List the compute hosts outside the IO sets, by leaf and port: [*n] ids, which the caller
 * frees.  NULL: out of memory.
 */
uint32_t *sfab_audit_list_compute_hosts(const struct sfab_model *m, uint32_t *n);

#endif
