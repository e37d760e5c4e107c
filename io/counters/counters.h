/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counters.h - what the ports of a fabric count: traffic, waits, discards
 *
 * counters.snap holds one row per port of a switch or host (node GUID and port number), sorted
 * by both.  Totals are as the port counts them.  Rates and wait shares are exponential means
 * with half-life half_life_s.  The sampler computes them (sfab_counters_follow()), so that all
 * readers of a file see the same values.  The format is doc/snapshot-format.md.
 */
#ifndef SFAB_COUNTERS_H
#define SFAB_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "core/load/measured.h"
#include "io/file.h"

#define SFAB_COUNTERS_MAGIC "SFABCNTR"
#define SFAB_COUNTERS_VERSION 1u
#define SFAB_COUNTERS_NAME "counters.snap"
#define SFAB_COUNTERS_HEADER 56u	/* bytes before the rows */
#define SFAB_COUNTERS_ROW 96u		/* bytes of a row */
#define SFAB_COUNTERS_MAX (1u << 22)	/* rows: more than any fabric has */

#define SFAB_HALF_LIFE_S 60u		/* of rates and wait shares */
#define SFAB_HALF_LIFE_MAX_S 86400u
#define SFAB_WORD 4.0			/* bytes per count of *XmitData */
#define SFAB_RATE_MAX 1e12		/* bytes/s: faster than any port */

enum sfab_counter_flag {
	SFAB_COUNTER_NO_RATE = 1,	/* rates unknown: first sample, reset */
	SFAB_COUNTER_NO_WAIT = 2,	/* wait share unknown */
	SFAB_COUNTER_STUCK = 4,		/* a 32-bit XmitWait is at its maximum; NO_WAIT too */
	SFAB_COUNTER_NO_DATA = 8,	/* no total of data sent was read: it is 0; NO_RATE too */
};
#define SFAB_COUNTER_FLAGS 15u

struct sfab_counter {
	uint64_t guid;				/* node GUID, for a host too */
	uint8_t port;				/* 1..254 */
	uint8_t flags;				/* enum sfab_counter_flag */
	uint32_t interval_ms;			/* since the previous sample; 0: none, or no mean
						   rate is kept (counters_follow.c) */
	uint64_t time_ms;			/* of the sample, since 1970 */
	uint64_t xmit_words, rcv_words;		/* 4 bytes each; wrap at 2^64 */
	uint64_t wait_ticks;			/* XmitWait */
	uint64_t discards;			/* XmitDiscards */
	uint64_t errors;			/* all other error counters, added up */
	uint32_t new_discards, new_errors;	/* since the previous sample */
	double xmit_rate, rcv_rate;		/* bytes/s of data, smoothed */
	double wait_share;			/* 0..1, smoothed; 0 when unknown */
};

struct sfab_counters {
	uint64_t time_ms;	/* when the sweep ended, since 1970 */
	uint32_t half_life_s;	/* 1..SFAB_HALF_LIFE_MAX_S */
	uint32_t missed;	/* ports that did not answer; > 0: partial */
	char source[16];	/* the sampler: "collect", "perfmgr" */
	uint32_t n;
	struct sfab_counter row[];
};

void sfab_counters_destroy(struct sfab_counters *c);	/* NULL is fine */

/* Make counters with @n rows of zeros.  The caller sets time and source.  NULL: no memory. */
struct sfab_counters *sfab_counters_create(uint32_t n);

/* Find the row of a port, or NULL.  O(log n). */
const struct sfab_counter *sfab_counters_find(const struct sfab_counters *c,
					      uint64_t guid, uint8_t port);

/* Sort rows into file order.  SFAB_EINVAL: a duplicate port. */
int sfab_counters_sort(struct sfab_counters *c, struct sfab_err *err);

/*
 * Compute rates, shares and new events of @sample from its totals and those of @previous (NULL:
 * none); both are sorted.  The caller sets in each row of @sample guid, port, time_ms, all
 * totals, and these flags:
 *   NO_WAIT   the port has no XmitWait
 *   STUCK     as the enum says, with NO_WAIT
 *   NO_RATE   a data counter is at its maximum
 *   NO_DATA   the source has no 64-bit total of what the port sent
 * @tick_s: seconds per tick of XmitWait.  If it is unknown (0), the wait share is wait / (wait
 * + words sent).
 *
 * Totals may wrap at 2^64.  If a total grows faster than any port can send (SFAB_RATE_MAX), the
 * port was reset: its rates are unknown until the next sample, which goes on with the mean of
 * before.  After two such samples the mean starts over.  If XmitWait decreases, only the wait
 * share is unknown, and its mean starts over.  If a row has the time of its previous sample,
 * the port did not answer, and the row becomes a copy of the previous one.
 */
void sfab_counters_follow(struct sfab_counters *sample,
			  const struct sfab_counters *previous, double tick_s);

/*
 * Return the measured load of the links of @f, by the row of the sending port, or if that has
 * none, of the receiving port.  Set *@unknown to the number of rows whose port no link of @f
 * leaves.  NULL: no memory.  O(links x log rows).
 */
struct sfab_measured *sfab_counters_measure(const struct sfab_counters *c,
					    const struct sfab_fabric *f,
					    uint32_t *unknown);

/* Encode as file content.  The rows are sorted.  The caller frees *@buf. */
sfab_file_encode_fn sfab_counters_encode;

/* Return the size of the file from its beginning. */
sfab_file_size_fn sfab_counters_size;

/*
 * Verify @buf completely (length, checksum, order, range of every number).  SFAB_EFORMAT with
 * what is wrong; SFAB_ENOMEM.
 */
sfab_file_decode_fn sfab_counters_decode;

/* Replace @path, as sfab_file_write() does. */
int sfab_counters_save(const struct sfab_counters *c, const char *path,
		       unsigned mode, struct sfab_err *err);
/* Read and decode @path, as sfab_file_decode() does. */
struct sfab_counters *sfab_counters_load(const char *path,
					 const struct sfab_trust *trust,
					 struct sfab_err *err);

#endif
