/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * script.h - the site's own rules: sfabric.lua
 *
 * A script returns a table in which everything is optional:
 *
 *     return {
 *             host = function(h) ... end,     -- role and IO sets of a host
 *             job = function(j) ... end,      -- traffic, weights, mode of a job
 *             io_sets = { NAME = { map = ..., gbs = ... } },
 *     }
 *
 * sfabric.lua(5) describes what the functions get and may return.  Each question runs in a
 * fresh interpreter that loads the compiled script, so an answer depends on the question alone.
 * It is the same in slurmctld and on the command line, whatever was asked before.  A script has
 * no files, clock or random numbers, and its steps, memory and time are bounded (sandbox.h).
 *
 * A struct sfab_script never changes: any thread may ask it at any time.
 *
 * Errors: "FILE:LINE: what is wrong"; SFAB_EFORMAT: an error in the script or in its answer;
 * SFAB_ELIMIT: a limit was reached; SFAB_ENOMEM.  Without Lua, reading a script is SFAB_EINVAL.
 */
#ifndef SFAB_SCRIPT_H
#define SFAB_SCRIPT_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "core/fabric/fabric.h"
#include "core/load/ioset.h"
#include "core/load/traffic.h"
#include "core/search/score.h"
#include "io/conf/conf.h"
#include "io/file.h"

#define SFAB_SCRIPT_SIZE_MAX (256u << 10)	/* bytes of source */

struct sfab_script;		/* opaque */

/*
 * Read and compile @path, run it once, and check what it returns.  @trust as for
 * sfab_file_read().  NULL with *err.
 */
struct sfab_script *sfab_script_load(const char *path,
				     const struct sfab_trust *trust,
				     struct sfab_err *err);
/*
 * Compile the @size bytes at @text, run them once, and check what they return.  Error texts
 * begin with @name.  NULL with *err.
 */
struct sfab_script *sfab_script_parse(const char *text, size_t size,
				      const char *name, struct sfab_err *err);
void sfab_script_destroy(struct sfab_script *s);	/* NULL is fine */

/* Have both the same name and code?  Neither may be NULL. */
int sfab_script_is_same(const struct sfab_script *a, const struct sfab_script *b);

/* Return "Lua 5.4", or NULL: built without Lua. */
const char *sfab_script_language(void);

/* -- jobs ----------------------------------------------------------------- */

/*
 * Strings may be NULL: not known.  Scripts get names as printable UTF-8 (core/utf8.h), cut to
 * this many bytes, so that a long name costs no extra work.
 */
#define SFAB_SCRIPT_NAME_MAX 127
struct sfab_script_job {
	const char *partition, *account, *qos, *name;
	const char *hint;	/* text of the traffic that the job states */
	const char *learned;	/* text of the traffic that earlier runs sent */
	uint32_t user;		/* user id */
	uint32_t nodes;		/* minimum that it requests, or the number it holds */
	uint32_t minutes;	/* time limit, 0: none known */
};

enum sfab_script_says {		/* what the script decided; 0: nothing */
	SFAB_SAYS_TRAFFIC = 1,
	SFAB_SAYS_OFF = 2,	/* leave it to Slurm: traffic = "off" */
	SFAB_SAYS_WEIGHTS = 4,
	SFAB_SAYS_MODE = 8,
	SFAB_SAYS_FAILED = 16,	/* no answer, because the script failed (script_cache.h) */
};

struct sfab_script_answer {
	unsigned says;			/* enum sfab_script_says */
	enum sfab_mode mode;
	struct sfab_traffic traffic;
	double weights[SFAB_NTERMS];	/* all; those not returned are the conf's */
};

/*
 * Set *@out to the script's answer about a job; says 0: it has none.  @conf provides the
 * default shares and weights.  Takes about 40 microseconds for the examples that ship with
 * sfabric, at most 2 ms.  -1 with *err.
 */
int sfab_script_job(const struct sfab_script *s,
		    const struct sfab_script_job *job,
		    const struct sfab_conf *conf,
		    struct sfab_script_answer *out, struct sfab_err *err);

/* -- hosts ---------------------------------------------------------------- */

struct sfab_script_hosts {
	uint8_t *role;			/* [nhosts] enum sfab_host_role */
	struct sfab_iosets *io;		/* NULL: the script names none */
};

/*
 * Ask about every host in order, for at most five seconds of CPU time.  A host without an
 * answer keeps the role that the fabric gives it.  In addition to the errors above,
 * SFAB_EFORMAT: the answers about IO sets contradict each other.
 */
int sfab_script_hosts(const struct sfab_script *s, const struct sfab_fabric *f,
		      struct sfab_script_hosts *out, struct sfab_err *err);
void sfab_script_hosts_clear(struct sfab_script_hosts *h);

#endif
