/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * read_routes.c - the hand-written description of static routes; see formats.h
 *
 *     sfabric-routes 1
 *     switch s1 ports=48
 *     host   n1 ports=2 forward=0.754
 *     link   n1:1 n2:2 1.051
 *     route  n1 n3 1,2*3
 *
 * sfabric-routes(5) describes the lines.
 */

#include "io/readers/formats.h"

#include <stdlib.h>
#include <string.h>

#include "core/resize.h"
#include "io/readers/routes.h"
#include "io/scan.h"

#define WEIGHT_MAX 1e6

struct routes_input {
	struct sfab_routes routes;
	struct sfab_scan *s;
};

/*
 * Take a decimal fraction > 0, up to @max.  strtod() may take more than that, and then it is
 * none: exponents, hexadecimal numbers.  It needs the NUL behind the text (text.h), and
 * LC_NUMERIC as C has it.
 */
static int take_fraction(struct sfab_scan *s, double max, double *value)
{
	size_t n = strspn(s->pos, "0123456789.");
	char *end;
	double x = strtod(s->pos, &end);

	if (!n || end != s->pos + n || !(x > 0 && x <= max))
		return 0;
	*value = x;
	s->pos = end;
	return 1;
}

/* Parse GB/s into bytes/s in *@value. */
static int parse_capacity(struct sfab_scan *s, const char *what, double *value,
			  struct sfab_err *err)
{
	struct sfab_scan start = *s;
	double gbs;

	if (!take_fraction(s, SFAB_CAPACITY_MAX / SFAB_GB, &gbs) ||
	    !sfab_fabric_is_capacity(gbs * SFAB_GB))
		return sfab_scan_expect(&start, err, what, SFAB_CAPACITY_EXPECTED);
	*value = gbs * SFAB_GB;
	return 0;
}

/* Does the line end here?  A comment may follow anything. */
static int is_at_end(struct sfab_scan *s)
{
	sfab_scan_blanks(s);
	return s->pos == s->end || *s->pos == '#';
}

/* Take the text up to a blank or one of @stop as a name. */
static int take_node_name(struct sfab_scan *s, const char *stop,
			  char name[SFAB_ROUTES_NAME_SIZE])
{
	const char *from = s->pos;
	size_t len;

	while (s->pos < s->end && !strchr(" \t#", *s->pos) &&
	       !strchr(stop, *s->pos))
		s->pos++;
	len = (size_t) (s->pos - from);
	if (len == 0 || len >= SFAB_ROUTES_NAME_SIZE) {
		s->pos = from;
		return 0;
	}
	sfab_scan_copy(name, SFAB_ROUTES_NAME_SIZE, from, s->pos);
	return 1;
}

/* Search the nodes in order of the file: such descriptions are written by hand and are small. */
static uint32_t find_named_node(const struct sfab_routes *r, const char *name)
{
	for (uint32_t i = 0; i < r->nnodes; i++)
		if (strcmp(r->node[i].name, name) == 0)
			return i;
	return SFAB_NONE;
}

/* Parse the name of a node.  It must be defined above its use: typing errors are found at once. */
static int parse_known(struct routes_input *in, const char *stop,
		       uint32_t *node, struct sfab_err *err)
{
	char name[SFAB_ROUTES_NAME_SIZE];
	struct sfab_scan start = *in->s;

	sfab_scan_blanks(in->s);
	if (take_node_name(in->s, stop, name))
		*node = find_named_node(&in->routes, name);
	else
		*node = SFAB_NONE;
	if (*node != SFAB_NONE)
		return 0;
	return sfab_scan_expect(&start, err, "name", "a host or switch of a "
				"line above");
}

/* Parse ports=, forward= or rate=. */
static int parse_node_option(struct routes_input *in,
			     struct sfab_routes_node *n, struct sfab_err *err)
{
	struct sfab_scan *s = in->s;

	if (sfab_scan_take(s, "ports=")) {
		if (sfab_scan_dec(s, SFAB_ROUTES_PORTS_MAX, &n->nports) &&
		    n->nports)
			return 0;
		return sfab_scan_expect(s, err, "ports", "1-252");
	}
	if (!n->is_switch && sfab_scan_take(s, "forward="))
		return parse_capacity(s, "forward", &n->forward, err);
	if (!n->is_switch && sfab_scan_take(s, "rate="))
		return parse_capacity(s, "rate", &n->rate, err);
	return sfab_scan_expect(s, err, "option", n->is_switch ? "ports=N" :
				"ports=N, forward=GBS or rate=GBS");
}

/* Parse a node.  "*" stands for all hosts in route lines, so no node may have that name. */
static int parse_routes_node(struct routes_input *in, int is_switch,
			     struct sfab_err *err)
{
	struct sfab_routes_node n = { .is_switch = is_switch, .nports = 1,
				      .leaf = SFAB_NONE,
				      .line = in->s->line };
	struct sfab_routes *r = &in->routes;

	sfab_scan_blanks(in->s);
	if (!take_node_name(in->s, ":,", n.name) || strcmp(n.name, "*") == 0)
		return sfab_scan_expect(in->s, err, "name",
					"1 to 63 letters, no ':'");
	if (find_named_node(r, n.name) != SFAB_NONE)
		return sfab_scan_fail(in->s, err, "%s is defined twice", n.name);
	while (!is_at_end(in->s))
		if (parse_node_option(in, &n, err))
			return -1;
	if (r->nnodes == SFAB_ROUTES_NODES_MAX)
		return sfab_scan_fail(in->s, err, "more than %u hosts and "
				      "switches", SFAB_ROUTES_NODES_MAX);
	if (!is_switch)
		n.host = r->nhosts++;
	return sfab_resize_append(&r->node, &r->nnodes, &n, sizeof(n), err);
}

/* Parse NODE:PORT.  A port takes one cable.  A cable from a port to itself is refused as well. */
static int parse_cable_end(struct routes_input *in, struct sfab_routes_cable *c,
			   unsigned end, struct sfab_err *err)
{
	struct sfab_scan *s = in->s;
	uint32_t port;

	if (parse_known(in, ":", &c->node[end], err))
		return -1;
	if (!sfab_scan_take(s, ":") ||
	    !sfab_scan_dec(s, in->routes.node[c->node[end]].nports, &port) || !port)
		return sfab_scan_expect(s, err, "port",
					"NAME:PORT with a port that it has");
	c->port[end] = port;
	if (in->routes.node[c->node[end]].is_cabled[port] ||
	    (end && c->node[0] == c->node[1] && c->port[0] == port))
		return sfab_scan_fail(s, err, "%s:%u has two cables (expected "
				      "one)", in->routes.node[c->node[end]].name,
				      (unsigned) port);
	return 0;
}

/*
 * Parse a cable, and note at both nodes what is cabled.  A host's second cable takes back that
 * it is an end port.
 */
static int parse_cable(struct routes_input *in, struct sfab_err *err)
{
	struct sfab_routes_cable c = { .line = in->s->line };
	struct sfab_routes *r = &in->routes;

	if (parse_cable_end(in, &c, 0, err) || parse_cable_end(in, &c, 1, err))
		return -1;
	sfab_scan_blanks(in->s);
	if (parse_capacity(in->s, "capacity", &c.capacity, err) ||
	    sfab_resize_append(&r->cable, &r->ncables, &c, sizeof(c), err))
		return -1;
	for (unsigned end = 0; end < 2; end++) {
		struct sfab_routes_node *n = &r->node[c.node[end]];

		n->is_cabled[c.port[end]] = 1;
		n->cables += c.capacity;
		/*
		 * A host with one cable, to a switch, is an end port there.  With more cables,
		 * or if it forwards, it becomes switches (routes_build.c).
		 */
		n->leaf = SFAB_NONE;
		if (n->ncables++ == 0 && !n->is_switch && !(n->forward > 0) &&
		    r->node[c.node[!end]].is_switch) {
			n->leaf = c.node[!end];
			n->leaf_port = c.port[!end];
		}
	}
	return 0;
}

/* Parse PORT or PORT*WEIGHT. */
static int parse_route_port(struct routes_input *in,
			    const struct sfab_routes_node *n,
			    struct sfab_err *err)
{
	struct sfab_routes *r = &in->routes;
	uint32_t port;
	double share = 1;

	if (!sfab_scan_dec(in->s, n->nports, &port) || !port)
		return sfab_scan_expect(in->s, err, "port",
					"PORT[*WEIGHT],... that it has");
	if (sfab_scan_take(in->s, "*") &&
	    !take_fraction(in->s, WEIGHT_MAX, &share))
		return sfab_scan_expect(in->s, err, "weight", "a number > 0");
	if (sfab_resize_one_more(&r->port, r->nports, sizeof(*r->port)) < 0 ||
	    sfab_resize_one_more(&r->share, r->nports, sizeof(*r->share)) < 0)
		return sfab_no_memory(err);
	r->port[r->nports] = (uint8_t) port;
	r->share[r->nports++] = share;
	return 0;
}

/*
 * Parse a route.  Ports of all routes are in one array, of which a route has its first one and
 * a number.
 */
static int parse_route(struct routes_input *in, struct sfab_err *err)
{
	struct sfab_routes *r = &in->routes;
	struct sfab_routes_route route = { .first = r->nports,
					   .line = in->s->line };
	struct sfab_scan start;

	if (parse_known(in, "", &route.node, err))
		return -1;
	start = *in->s;
	sfab_scan_blanks(in->s);
	route.to = SFAB_ROUTES_ALL;
	/* "* " with its blank: a name may begin with a star. */
	if (!sfab_scan_take(in->s, "* ")) {
		if (parse_known(in, "", &route.to, err))
			return -1;
		if (r->node[route.to].is_switch)
			return sfab_scan_expect(&start, err, "destination", "a host or *");
	}
	sfab_scan_blanks(in->s);
	do {
		if (parse_route_port(in, &r->node[route.node], err))
			return -1;
		route.n++;
	} while (sfab_scan_take(in->s, ","));
	return sfab_resize_append(&r->route, &r->nroutes, &route, sizeof(route), err);
}

/* Parse a line by its first word.  After what it needs only a comment may follow. */
static int parse_routes_line(struct routes_input *in, struct sfab_err *err)
{
	struct sfab_scan *s = in->s;
	int rc;

	if (is_at_end(s))
		return 0;
	if (sfab_scan_take(s, "host "))
		rc = parse_routes_node(in, 0, err);
	else if (sfab_scan_take(s, "switch "))
		rc = parse_routes_node(in, 1, err);
	else if (sfab_scan_take(s, "link "))
		rc = parse_cable(in, err);
	else if (sfab_scan_take(s, "route "))
		rc = parse_route(in, err);
	else
		return sfab_scan_expect(s, err, "line",
					"host, switch, link or route");
	if (rc)
		return -1;
	return is_at_end(s) ? 0 : sfab_scan_expect(s, err, "line",
						   "nothing after it");
}

/* Look at the first line that is neither empty nor a comment. */
int sfab_routes_detect(struct sfab_scan *s)
{
	while (sfab_scan_line(s))
		if (!is_at_end(s))
			return sfab_scan_take(s, "sfabric-routes 1") &&
			       is_at_end(s);
	return 0;
}

int sfab_routes_read(const struct sfab_reader_ctx *ctx, struct sfab_scan *s,
		     struct sfab_err *err)
{
	struct routes_input in = { .s = s };
	int rc = 0;

	if (!sfab_routes_detect(s))
		rc = sfab_scan_expect(s, err, "heading",
				      "\"sfabric-routes 1\"");
	while (!rc && sfab_scan_line(s))
		rc = parse_routes_line(&in, err);
	if (!rc)
		rc = sfab_scan_finish(s, err) ||
		     sfab_routes_build(&in.routes, ctx, err) ? -1 : 0;
	free(in.routes.node);
	free(in.routes.cable);
	free(in.routes.route);
	free(in.routes.port);
	free(in.routes.share);
	return rc;
}
