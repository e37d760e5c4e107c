/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * linkload.c - routes and bytes/s on links between two sets; see linkload.h
 *
 * A route count becomes bytes/s when multiplied by the rate of its source divided by the
 * source's number of destinations.  Sources that agree in both are counted together: a handful
 * of classes, whatever the number of hosts.
 */

#include "tools/site/linkload.h"

#include <stdlib.h>
#include <string.h>

#include "core/fabric/route.h"
#include "tools/ui/reply.h"
#include "tools/ui/xalloc.h"

/* Can the port be an end of routes?  SHARP nodes inside switches send nothing by them. */
static int is_usable_port(const struct sfab_fabric *f, uint32_t port)
{
	const struct sfab_port *p = &f->ports[port];

	return p->lid && p->sw != SFAB_NONE &&
	       f->hosts[p->host].role != SFAB_HOST_SHARP;
}

/*
 * Add up the bytes of each link, in one pass for each different value in @bytes, which is
 * overwritten.  0 is a source that sends nothing, or was counted before.
 */
static int add_classes(const struct sfab_fabric *f, double *bytes,
		       const uint8_t *dst, struct linkload *l)
{
	uint8_t *is_in_class = xcalloc(f->nports, sizeof(*is_in_class));
	double *routes = xcalloc(f->nlinks, sizeof(*routes));
	int rc = 0;

	for (uint32_t p = 0; p < f->nports && rc == 0; p++) {
		/* Equal rates are equal bits here: they come from the same division. */
		double value = bytes[p];

		if (value == 0.0)
			continue;
		memset(is_in_class, 0, f->nports);
		for (uint32_t q = p; q < f->nports; q++)
			if (bytes[q] == value) {
				is_in_class[q] = 1;
				bytes[q] = 0.0;
			}
		rc = sfab_route_counts(f, is_in_class, dst, NULL, routes, NULL);
		for (uint32_t i = 0; rc == 0 && i < f->nlinks; i++)
			l->bytes[i] += routes[i] * value;
	}
	free(is_in_class);
	free(routes);
	return rc;
}

int linkload_count(const struct sfab_fabric *f, const uint8_t *src,
		   const uint8_t *dst, struct linkload *l, struct sfab_err *err)
{
	uint64_t pairs = 0;
	double *bytes;
	int rc;
	uint32_t *ndst;

	memset(l, 0, sizeof(*l));
	l->dlids = xcalloc(f->nlinks, sizeof(*l->dlids));
	l->routes = xcalloc(f->nlinks, sizeof(*l->routes));
	l->bytes = xcalloc(f->nlinks, sizeof(*l->bytes));
	/* Count the destinations of each plane. */
	ndst = xcalloc(f->nplanes, sizeof(*ndst));
	for (uint32_t p = 0; p < f->nports; p++)
		ndst[f->ports[p].plane] +=
		    dst[p] && is_usable_port(f, p);
	bytes = xcalloc(f->nports, sizeof(*bytes));
	for (uint32_t p = 0; p < f->nports; p++) {
		const struct sfab_port *port = &f->ports[p];
		/* A source that is also a destination does not send to itself. */
		uint32_t n =
		    ndst[port->plane] - (dst[p] && is_usable_port(f, p));

		if (!src[p] || !is_usable_port(f, p) || !n)
			continue;
		bytes[p] = port->rate / n;
		pairs += n;
	}
	free(ndst);
	rc = sfab_route_counts(f, src, dst, l->dlids, l->routes, &l->pairs);
	if (rc == 0)
		rc = add_classes(f, bytes, dst, l);
	free(bytes);
	if (rc != 0) {
		linkload_free(l);
		return sfab_no_memory(err);
	}
	l->lost = pairs > l->pairs ? pairs - l->pairs : 0;
	return 0;
}

void linkload_warn(const struct linkload *l, struct reply *r)
{
	if (l->lost)
		reply_warning(r, "%llu of %llu pairs have no route",
			      (unsigned long long) l->lost,
			      (unsigned long long) (l->lost + l->pairs));
}

void linkload_free(struct linkload *l)
{
	free(l->dlids);
	free(l->routes);
	free(l->bytes);
	memset(l, 0, sizeof(*l));
}
