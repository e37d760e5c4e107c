/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * builder.c - collect what readers find; freeze.c turns it into a fabric
 *
 * Readers call in any order and may say the same thing twice, as ibnetdiscover does.  The
 * builder keeps each thing once, with the file and line where it was first, and refuses
 * contradictions at once.  Checks that need the whole subnet are in freeze.c.
 */

#include "core/fabric/builder_private.h"
#include "core/resize.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Fail with as much of the origin as is known before the text: file and line, the file, or
 * neither.
 */
int sfab_builder_fail(const struct built_origin *origin, struct sfab_err *err,
		      enum sfab_errcode code, const char *fmt, ...)
{
	char text[sizeof(err->text)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (!origin->file)
		return sfab_fail(err, code, "%s", text);
	if (!origin->line)
		return sfab_fail(err, code, "%s: %s", origin->file, text);
	return sfab_fail(err, code, "%s:%u: %s", origin->file, origin->line, text);
}

struct sfab_builder *sfab_builder_create(unsigned flags)
{
	struct sfab_builder *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	b->flags = flags;
	b->source = "";
	return b;
}

int sfab_builder_wants_tables(const struct sfab_builder *b)
{
	return (b->flags & SFAB_BUILD_UNROUTED) != SFAB_BUILD_UNROUTED;
}

void sfab_builder_destroy(struct sfab_builder *b)
{
	if (!b)
		return;
	for (struct built_node *n = b->nodes; n; n = n->hh.next) {
		sfab_lid_pages_free(&n->lft);
		free(n->group);
	}
	HASH_CLEAR(hh, b->nodes);
	HASH_CLEAR(hh, b->eports);
	free(b->plane);
	free(b->cable);
	sfab_arena_free(&b->mem);
	sfab_arena_free(&b->scratch);
	free(b);
}

/*
 * Set the origin.  Keep one copy per change of file name, since readers repeat the last name on
 * each call.  Without memory the name is dropped: it is only used in error texts.
 */
void sfab_builder_set_origin(struct sfab_builder *b, const char *file, unsigned line)
{
	b->origin.line = line;
	if (!file)
		b->origin.file = NULL;
	else if (!b->origin.file || strcmp(b->origin.file, file) != 0)
		b->origin.file = sfab_arena_strdup(&b->mem, file);
}

int sfab_builder_add_plane(struct sfab_builder *b, const char *name,
			   struct sfab_err *err)
{
	struct built_plane *p;

	if (sfab_resize_one_more(&b->plane, b->nplanes, sizeof(*p)) < 0)
		return sfab_no_memory(err);
	p = &b->plane[b->nplanes];
	*p = (struct built_plane){ .result = { .engine = "", .asked = "", .lid_end = 1,
					       .name = sfab_arena_strdup(&b->mem, name) } };
	if (!p->result.name)
		return sfab_no_memory(err);
	return (int) b->nplanes++;
}

/* Replace a name.  Running out of memory for it is no failure: the old one stays. */
static void replace_text(struct sfab_builder *b, const char **text, const char *replacement)
{
	const char *copy = sfab_arena_strdup(&b->mem, replacement);

	if (copy)
		*text = copy;
}

void sfab_builder_set_engine(struct sfab_builder *b, uint32_t plane,
			     const char *engine)
{
	if (plane < b->nplanes)
		replace_text(b, &b->plane[plane].result.engine,
			     sfab_plane_engines_are_names(engine) ? engine : "");
}

void sfab_builder_set_engines_asked(struct sfab_builder *b, uint32_t plane,
				    const char *engines)
{
	if (plane < b->nplanes)
		replace_text(b, &b->plane[plane].result.asked,
			     sfab_plane_engines_are_names(engines) ? engines : "");
}

void sfab_builder_set_sm(struct sfab_builder *b, uint32_t plane, uint64_t guid)
{
	if (plane < b->nplanes)
		b->plane[plane].result.sm_guid = guid;
}

void sfab_builder_allow_wide_lids(struct sfab_builder *b, uint32_t plane)
{
	if (plane < b->nplanes)
		b->plane[plane].has_wide_lids = 1;
}

void sfab_builder_set_source(struct sfab_builder *b, const char *text)
{
	replace_text(b, &b->source, text);
}

void sfab_builder_set_time(struct sfab_builder *b, uint64_t seconds)
{
	b->time = seconds;
}

void sfab_builder_forget_unknown(struct sfab_builder *b)
{
	b->forget_unknown = 1;
}

uint64_t sfab_builder_forgotten(const struct sfab_builder *b)
{
	return b->forgotten;
}

/* Find a node by a hash, in O(1): all calls about a switch begin with it. */
struct built_node *sfab_builder_find_node(const struct sfab_builder *b, uint32_t plane,
					  uint64_t guid)
{
	struct built_node_key k = { guid, plane };
	struct built_node *n;

	HASH_FIND(hh, b->nodes, &k, sizeof(k), n);
	return n;
}

struct built_port *sfab_builder_find_eport(const struct sfab_builder *b, uint32_t plane,
					   uint64_t guid, unsigned num)
{
	struct built_port_key k = { guid, plane, num };
	struct built_port *p;

	HASH_FIND(hh, b->eports, &k, sizeof(k), p);
	return p;
}

static int check_plane(const struct sfab_builder *b, uint32_t plane, struct sfab_err *err)
{
	if (plane < b->nplanes)
		return 0;
	return sfab_fail(err, SFAB_EINVAL, "no plane %u (%u made)", plane,
			 b->nplanes);
}

unsigned sfab_builder_lid_max(const struct sfab_builder *b, uint32_t plane)
{
	return b->plane[plane].has_wide_lids ? SFAB_LID_MAX : SFAB_IB_LID_MAX;
}

/* Check that the plane exists and may have the @span LIDs from @lid on. */
static int check_lids(const struct sfab_builder *b, uint32_t plane, unsigned lid,
		      unsigned span, struct sfab_err *err)
{
	unsigned max = sfab_builder_lid_max(b, plane);

	if (lid <= max && span <= max + 1 - lid)
		return 0;
	return sfab_builder_fail(&b->origin, err, SFAB_EFORMAT,
				 "LID 0x%x (expected at most 0x%x)", lid, max);
}

/* Find or add a node.  One that only a table has named is no switch until the topology says so. */
struct built_node *sfab_builder_node(struct sfab_builder *b, uint32_t plane, uint64_t guid,
				     unsigned lid, unsigned span, struct sfab_err *err)
{
	struct built_node *n;

	if (check_plane(b, plane, err) < 0 || check_lids(b, plane, lid, span, err) < 0)
		return NULL;
	n = sfab_builder_find_node(b, plane, guid);
	if (n)
		return n;
	n = sfab_arena_take(&b->mem, 1, sizeof(*n));
	if (n) {
		n->key.guid = guid;
		n->key.plane = plane;
		HASH_ADD(hh, b->nodes, key, sizeof(n->key), n);
	}
	/* uthash sets n->unhashed when it has no memory for its own table. */
	if (n && !n->unhashed)
		return n;
	sfab_no_memory(err);
	return NULL;
}

int sfab_builder_add_switch(struct sfab_builder *b, uint32_t plane, uint64_t guid,
			    const char *name, unsigned nports, unsigned lid,
			    struct sfab_err *err)
{
	struct built_node *n;

	if (nports > SFAB_SWITCH_PORTS_MAX)
		return sfab_builder_fail(&b->origin, err, SFAB_EFORMAT,
					 "switch with %u ports (expected at most %u)",
					 nports, SFAB_SWITCH_PORTS_MAX);
	n = sfab_builder_node(b, plane, guid, lid, 1, err);
	if (!n)
		return -1;
	if (n->is_switch) {
		/* A switch given twice must be the same both times. */
		if (n->nports != nports || (n->lid && lid && n->lid != lid))
			return sfab_builder_fail(
			    &b->origin, err, SFAB_EFORMAT,
			    "duplicate GUID 0x%016llx: %s with %u ports, LID "
			    "%u (expected %s with %u ports, LID %u as before)",
			    (unsigned long long) n->key.guid, name, nports, lid,
			    n->name, n->nports, n->lid);
		if (lid)
			n->lid = lid;
		return 0;
	}
	n->name = sfab_arena_strdup(&b->mem, name);
	if (!n->name)
		return sfab_no_memory(err);
	n->is_switch = 1;
	n->nports = nports;
	n->lid = lid;
	n->origin = b->origin;
	return 0;
}

void sfab_builder_set_switch_lmc(struct sfab_builder *b, uint32_t plane,
				 uint64_t guid, unsigned lmc)
{
	struct built_node *n = sfab_builder_find_node(b, plane, guid);

	if (!n || lmc > 7)
		return;
	n->lmc = lmc;
	n->has_lmc = 1;
}

int sfab_builder_switch_ports(const struct sfab_builder *b, uint32_t plane,
			      uint64_t guid, uint32_t *nports)
{
	const struct built_node *n = sfab_builder_find_node(b, plane, guid);

	if (!n || !n->is_switch)
		return -1;
	*nports = n->nports;
	return 0;
}

/* Return how many LIDs of an end port can be checked: only the base LID if its LMC is unknown. */
static unsigned lids_of(unsigned lmc)
{
	return lmc < SFAB_LMC_UNKNOWN ? 1u << lmc : 1;
}

/*
 * Merge what is known of a port.  An LMC of 0 or SFAB_LMC_UNKNOWN is no contradiction: some
 * formats do not list it.
 */
static int merge_eport(struct sfab_builder *b, struct built_port *p,
		       uint64_t port_guid, const char *desc, unsigned lid,
		       unsigned lmc, struct sfab_err *err)
{
	if (p->port_guid != port_guid || (p->lid && lid && p->lid != lid))
		return sfab_builder_fail(&b->origin, err, SFAB_EFORMAT,
					 "duplicate GUID 0x%016llx: %s, port 0x%016llx, LID %u "
					 "(expected %s, port 0x%016llx, LID %u as before)",
					 (unsigned long long) p->key.node_guid, desc,
					 (unsigned long long) port_guid, lid, p->desc,
					 (unsigned long long) p->port_guid, p->lid);
	if (!lid)
		lid = p->lid;
	if (p->lmc != SFAB_LMC_UNKNOWN && (!lmc || lmc == SFAB_LMC_UNKNOWN))
		lmc = p->lmc;
	if (p->lmc && p->lmc != SFAB_LMC_UNKNOWN && p->lmc != lmc)
		return sfab_builder_fail(&b->origin, err, SFAB_EFORMAT,
					 "%s: LMC %u (expected %u as before)", desc,
					 lmc, p->lmc);
	if (check_lids(b, p->key.plane, lid, lids_of(lmc), err) < 0)
		return -1;
	p->lid = lid;
	p->lmc = lmc;
	return 0;
}

/* Add an end port by node and number, not by its own GUID, because some formats have none. */
int sfab_builder_add_port(struct sfab_builder *b, uint32_t plane,
			  uint64_t node_guid, unsigned num, uint64_t port_guid,
			  const char *desc, const char *host, unsigned lid,
			  unsigned lmc, struct sfab_err *err)
{
	const char *word = host ? host : desc + strspn(desc, " \t");
	struct built_port *p;

	if (check_plane(b, plane, err) < 0)
		return -1;
	if (num < 1 || num > SFAB_SWITCH_PORTS_MAX || lmc > SFAB_LMC_UNKNOWN)
		return sfab_builder_fail(&b->origin, err, SFAB_EFORMAT,
					 "end port %u, LMC %u (expected 1-%u, 0-7)",
					 num, lmc, SFAB_SWITCH_PORTS_MAX);
	if (check_lids(b, plane, lid, lids_of(lmc), err) < 0)
		return -1;
	if (!*word)
		return sfab_builder_fail(&b->origin, err, SFAB_EFORMAT,
					 "host without a name: GUID 0x%016llx has no description "
					 "(expected one, or a line in the node-name map)",
					 (unsigned long long) node_guid);
	p = sfab_builder_find_eport(b, plane, node_guid, num);
	if (p)
		return merge_eport(b, p, port_guid, desc, lid, lmc, err);
	p = sfab_arena_take(&b->mem, 1, sizeof(*p));
	if (!p)
		return sfab_no_memory(err);
	*p = (struct built_port){
		.key = { node_guid, plane, num }, .port_guid = port_guid, .lid = lid, .lmc = lmc,
		.origin = b->origin, .is_named = host != NULL,
		.desc = sfab_arena_strdup(&b->mem, desc),
		.host = sfab_arena_strndup(&b->mem, word, host ? strlen(host) :
					   strcspn(word, " \t")),
	};
	if (p->desc && p->host)
		HASH_ADD(hh, b->eports, key, sizeof(p->key), p);
	/* uthash sets p->unhashed if it has no memory. */
	return !p->desc || !p->host || p->unhashed ? sfab_no_memory(err) : 0;
}

void sfab_builder_mark_router(struct sfab_builder *b, uint32_t plane,
			      uint64_t node_guid, unsigned num)
{
	struct built_port *p = sfab_builder_find_eport(b, plane, node_guid, num);

	if (p)
		p->is_router = 1;
}

int sfab_builder_add_link(struct sfab_builder *b, uint32_t plane, uint64_t guid,
			  unsigned num, uint64_t to_guid, unsigned to_num,
			  double capacity, enum sfab_cable state, struct sfab_err *err)
{
	if (check_plane(b, plane, err) < 0)
		return -1;
	if (capacity == 0)
		return sfab_builder_fail(&b->origin, err, SFAB_EFORMAT,
					 "link of 0x%016llx port %u: unknown rate",
					 (unsigned long long) guid, num);
	if (!sfab_fabric_is_capacity(capacity))
		return sfab_builder_fail(&b->origin, err, SFAB_EFORMAT,
					 "link of 0x%016llx port %u: capacity %g GB/s (expected "
					 SFAB_CAPACITY_EXPECTED ")",
					 (unsigned long long) guid, num, capacity / SFAB_GB);
	return sfab_resize_append(&b->cable, &b->ncables,
				  &(struct built_cable){ plane, guid, to_guid, num, to_num,
							 capacity,
					    state, b->origin }, sizeof(*b->cable), err);
}

/*
 * Add table entries.  Those that two files both give must have the same port.  This is not
 * checked if the switch has groups: its table then holds the first port of the group.
 */
int sfab_builder_add_lft(struct sfab_builder *b, uint32_t plane, uint64_t guid,
			 unsigned lid0, const uint8_t *ports, unsigned n,
			 struct sfab_err *err)
{
	struct built_node *node;
	int must_agree;

	node = sfab_builder_node(b, plane, guid, lid0, n, err);
	if (!node)
		return -1;
	must_agree = b->origin.file && node->lft_origin.file && !node->ngroups;
	for (unsigned i = 0; must_agree && i < n; i++) {
		uint8_t old = sfab_lid_pages_port(&node->lft, lid0 + i);

		if (old != SFAB_PORT_NONE && old != ports[i])
			return sfab_builder_fail(&b->origin, err, SFAB_EFORMAT,
						 "two tables of switch 0x%016llx: LID 0x%x to "
						 "port %u (expected port %u as before)",
						 (unsigned long long) guid, lid0 + i, ports[i],
						 old);
	}
	if (sfab_lid_pages_put(&node->lft, lid0, ports, n) < 0)
		return sfab_no_memory(err);
	node->has_lft |= lid0 + n > 0;
	if (!node->lft_origin.file)
		node->lft_origin = b->origin;
	return 0;
}

uint8_t sfab_builder_lft_port(const struct sfab_builder *b, uint32_t plane,
			      uint64_t guid, unsigned lid)
{
	const struct built_node *n = sfab_builder_find_node(b, plane, guid);

	return n ? sfab_lid_pages_port(&n->lft, lid) : SFAB_PORT_NONE;
}

/*
 * Set the line of the first LID of a table.  Only for tables whose lines follow their LIDs
 * without a gap: then the line of an entry needs no memory of its own.
 */
void sfab_builder_set_lft_line(struct sfab_builder *b, uint32_t plane,
			       uint64_t guid, unsigned lid, unsigned line)
{
	struct built_node *n = sfab_builder_find_node(b, plane, guid);

	if (!n || n->lft_origin.file != b->origin.file)
		return;		/* the table in use is from another file */
	n->row_lid = lid;
	n->row_line = line;
}

struct built_origin sfab_builder_entry_at(const struct built_node *n, unsigned lid)
{
	struct built_origin origin = n->lft_origin;

	if (n->row_line && lid >= n->row_lid)
		origin.line = n->row_line + (lid - n->row_lid);
	return origin;
}
