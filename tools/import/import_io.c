/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import_io.c - the IO sets of an import; see import.h
 *
 * A set comes from --io or from the IoSet lines of sfabric.conf, not from both.  Either way
 * servers without a cable are left out, because a snapshot must also be made on a day when one
 * is down; a set without any server is an error.
 */

#include "tools/import/import.h"

#include <stdlib.h>

#include "io/conf/conf_guess.h"
#include "io/hostlist.h"

/*
 * Remove servers that do not exist or have no cable, with a warning.  Names that are removed
 * are freed, except the last one, which the warning shows.
 */
static void drop_missing(struct reply *r, const struct sfab_fabric *f, struct sfab_names *names)
{
	uint32_t kept = 0, missing = 0;
	char *example = NULL;

	for (uint32_t i = 0; i < names->n; i++) {
		uint32_t host = sfab_fabric_host(f, names->name[i]);

		if (host != SFAB_NONE && sfab_host_cabled(f, host)) {
			names->name[kept++] = names->name[i];
			continue;
		}
		missing++;
		free(example);
		example = names->name[i];
	}
	names->n = kept;
	if (missing && kept)
		reply_warning(r, "--io: %u of %u hosts are not in the fabric, or "
			      "not cabled, for example %s: ignored", missing,
			      kept + missing, example);
	free(example);
}

static struct sfab_iosets *make_named_ioset(const struct import_io *o, const struct sfab_fabric *f,
					    struct reply *r, struct sfab_err *err)
{
	struct sfab_names names = { 0 };
	struct sfab_iosets *io = NULL;
	struct sfab_ioset_spec spec = {
		.name = "io", .map = SFAB_IOMAP_ALL,
		.capacity = o->capacity,
		.holds_writes = o->holds_writes,
	};

	if (sfab_hostlist_expand(o->hosts, &names, err) != 0)
		return NULL;
	drop_missing(r, f, &names);
	spec.nhosts = names.n;
	spec.host = (const char *const *) names.name;
	if (names.n)
		io = sfab_iosets_create(f, &spec, 1, err);
	else
		sfab_fail(err, SFAB_ENOENT, "--io %.100s: none of these hosts is "
			  "in the fabric with a cable", o->hosts);
	sfab_names_free(&names);
	return io;
}

struct sfab_iosets *import_iosets(const struct import_io *o, const struct sfab_conf *conf,
				  const struct sfab_fabric *f, struct reply *r,
				  struct sfab_err *err)
{
	const struct sfab_io_facts facts = { .nodes = conf->nodes };
	uint32_t missing, named;
	struct sfab_iosets *io;

	if (o->hosts)
		return make_named_ioset(o, f, r, err);
	/* The sets of sfabric.conf that have at least one server. */
	io = sfab_conf_iosets(conf, f, &facts, &missing, err);
	/* IoSet=auto may find nothing. */
	named = conf->niosets - (uint32_t) sfab_conf_finds_io(conf);
	if (io && io->nsets < named) {
		sfab_fail(err, SFAB_ENOENT,
			  "IoSet of sfabric.conf: %u of %u sets have no host "
			  "in the fabric with a cable",
			  named - io->nsets, named);
		sfab_iosets_destroy(io);
		return NULL;
	}
	if (io && missing)
		reply_warning(r,
			      "%u hosts of IoSet lines are not in the fabric, "
			      "or not cabled: ignored",
			      missing);
	return io;
}
