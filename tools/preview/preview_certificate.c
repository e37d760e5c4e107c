/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preview_certificate.c - see preview.h
 *
 * A certificate says what follows from the tables alone, without a model of time: which steps
 * of a collective meet on a link, and which running jobs use the same links.
 */

#include "tools/preview/preview.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ui/json.h"
#include "tools/ui/link_columns.h"
#include "tools/ui/printable.h"

/*
 * Certify the set, with ranks in the order of the host names, as the plugin takes them.  The
 * stepper is kept in the context for the sets that follow.
 */
int preview_certify(struct preview_context *p, struct preview *v, struct sfab_err *err)
{
	/* For explain, the shares that the job got. */
	double *cpus = preview_cpus(&v->choice, p->held_cpus ? p->held_cpus : p->request.cpus);
	const struct sfab_job job = { .n = v->choice.n, .host = v->choice.host,
				      .cpus = cpus, .traffic = &p->traffic };
	struct sfab_certificate *certificate = &v->certificate;
	int rc;

	memset(certificate, 0, sizeof(*certificate));
	/* A decision in the log has its patterns as bits. */
	for (int k = 0; k < SFAB_NPATTERNS; k++)
		if (p->patterns & 1u << k)
			certificate->pattern[certificate->npatterns++] = (enum sfab_pattern) k;
	if (!p->patterns)
		sfab_certificate_set_patterns(p->model, &p->traffic, certificate);
	if (!p->stepper)
		p->stepper = sfab_stepper_create(p->model);
	rc = p->stepper ? sfab_certificate_set_io(p->model, &job, certificate, err) :
			  sfab_no_memory(err);
	if (rc == 0)
		rc = sfab_certificate_set_steps(p->stepper, job.n, job.host, certificate, err);
	if (rc == 0)
		rc = sfab_certificate_set_candidate_shares(p->jobs, &job, certificate, err);
	free(cpus);
	return rc;
}

/* -- JSON -------------------------------------------------------------------- */

static struct json_object *patterns_json(const struct sfab_fabric *f,
					 const struct sfab_certificate *c)
{
	struct json_object *rows = json_object_new_array();

	for (uint32_t i = 0; i < c->npatterns; i++) {
		struct json_object *row = json_object_new_object();
		const struct sfab_steps *x = &c->steps[i];
		uint32_t link = x->worst.worst_link;

		json_add(row, "pattern", json_name(sfab_pattern_name(c->pattern[i])));
		json_add(row, "total", json_object_new_uint64(x->nsteps));
		json_add(row, "looked", json_object_new_uint64(x->nsampled));
		json_add(row, "conflicts", json_object_new_uint64(x->conflicts));
		json_add(row, "lost", json_object_new_uint64(x->lost));
		json_add(row, "worst", json_number(x->worst.slowdown));
		json_add(row, "worst_step", link == SFAB_NONE ? NULL :
			 json_object_new_uint64(x->worst.step + 1));
		link_columns_json_add(row, f, link);
		json_object_array_add(rows, row);
	}
	return rows;
}

/* List GB/s with all flows at one rate, and without switch-to-switch links. */
static struct json_object *io_json(const struct sfab_certificate *c)
{
	struct json_object *rows = json_object_new_array();

	for (int i = 0; i < 2; i++) {
		struct json_object *row;

		if (!(c->io[i].allowed > 0))
			continue;
		row = json_object_new_object();
		json_add(row, "class", json_name(
			sfab_class_name(i ? SFAB_IO_READ : SFAB_IO_WRITE)));
		json_add(row, "gbs", json_gbs(c->io[i].rate));
		json_add(row, "of_gbs", json_gbs(c->io[i].allowed));
		json_object_array_add(rows, row);
	}
	return rows;
}

struct json_object *preview_certificate_json(const struct preview_context *p,
					     const struct preview *v)
{
	const struct sfab_certificate *c = &v->certificate;
	struct json_object *o = json_object_new_object();
	struct json_object *ids = p->hides_ids ? NULL : json_object_new_array();
	struct json_object *fullest = NULL;	/* null if there is no such link */
	char text[SFAB_CERTIFICATE_TEXT];

	if (c->worst_link != SFAB_NONE) {
		fullest = json_object_new_object();
		link_columns_json_add(fullest, p->site.f, c->worst_link);
	}
	for (uint32_t i = 0; ids && i < c->nids; i++)
		json_object_array_add(ids, json_object_new_uint64(c->id[i]));
	json_add(o, "text", json_object_new_string(
		sfab_certificate_text(c, text)));
	json_add(o, "io", io_json(c));
	json_add(o, "steps", patterns_json(p->site.f, c));
	json_add(o, "links", json_object_new_uint64(c->links));
	json_add(o, "running", json_object_new_uint64(c->running));
	json_add(o, "shared_links", json_object_new_uint64(c->shared_links));
	json_add(o, "sharing", json_object_new_uint64(c->sharing));
	json_add(o, "fullest", fullest);
	json_add(o, "jobs", ids);
	return o;
}

/* -- text -------------------------------------------------------------------- */

/* Print "LEAF port 12 to SPINE". */
static void print_link_ends(const struct sfab_fabric *f, uint32_t link, FILE *out)
{
	char *from = printable(sfab_link_from_name(f, link), 0);
	char *to = printable(sfab_link_to_name(f, link), 0);

	fprintf(out, "%s port %u to %s", from, (unsigned) f->links[link].from_port,
		to);
	free(to);
	free(from);
}

/* Print the slowest step, or nothing if no step is slower for a link between switches. */
static void print_slowest_step(const struct sfab_fabric *f,
			       const struct sfab_certificate *c, FILE *out)
{
	uint32_t slowest = 0;

	for (uint32_t i = 1; i < c->npatterns; i++)
		if (c->steps[i].worst.slowdown > c->steps[slowest].worst.slowdown)
			slowest = i;
	if (!c->npatterns || !c->steps[slowest].conflicts)
		return;
	fprintf(out, "  slowest step: %s %" PRIu32 ", %.2f times as long, on ",
		sfab_pattern_name(c->pattern[slowest]),
		c->steps[slowest].worst.step + 1, c->steps[slowest].worst.slowdown);
	print_link_ends(f, c->steps[slowest].worst.worst_link, out);
	fputc('\n', out);
}

void preview_certificate_print(const struct preview_context *p, const struct preview *v,
			       FILE *out)
{
	const struct sfab_certificate *c = &v->certificate;
	char text[SFAB_CERTIFICATE_TEXT];

	fprintf(out, "%s\n", sfab_certificate_text(c, text));
	print_slowest_step(p->site.f, c, out);
	if (!c->sharing)
		return;
	fputs("  fullest shared link: ", out);
	print_link_ends(p->site.f, c->worst_link, out);
	fputc('\n', out);
	if (!p->hides_ids) {
		fprintf(out, "  shared with job%s ",
			c->sharing == 1 ? "" : "s");
		for (uint32_t i = 0; i < c->nids; i++)
			fprintf(out, "%s%" PRIu64, i ? ", " : "", c->id[i]);
		if (c->sharing > c->nids)
			fprintf(out, " and %" PRIu32 " more",
				c->sharing - c->nids);
		fputc('\n', out);
	}
}
