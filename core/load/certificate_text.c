/* SPDX-License-Identifier: GPL-2.0-or-later */
/* certificate_text.c - a certificate in words; see certificate.h */

#include "core/load/certificate.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

struct sentence {
	char *buf;
	size_t size, n;		/* n < size */
};

/* The next part of the sentence, after a comma unless it is the first. */
__attribute__((format(printf, 2, 3))) static void
append_part(struct sentence *s, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (s->n)
		s->n += (size_t) snprintf(s->buf + s->n, s->size - s->n, ", ");
	if (s->n >= s->size)
		s->n = s->size - 1;
	va_start(ap, fmt);
	n = vsnprintf(s->buf + s->n, s->size - s->n, fmt, ap);
	va_end(ap);
	if (n > 0)
		s->n += (size_t) n < s->size - s->n ? (size_t) n :
						      s->size - s->n - 1;
}

/* "IO alone 48.5 of 55 GB/s" */
static void append_rate(struct sentence *s, const char *name,
			const struct sfab_certificate_io *io)
{
	double rate = round(io->rate / 1e8) / 10, of = round(io->of / 1e8) / 10;

	if (io->of > 0)
		append_part(s, "%s alone %.*f of %.*f GB/s", name, rate < floor(rate) ||
			    rate > floor(rate), rate, of < floor(of) || of > floor(of), of);
}

/* Both are one if they get the same, as far as it shows. */
static void append_io(struct sentence *s, const struct sfab_certificate *c)
{
	const struct sfab_certificate_io *w = &c->io[0], *r = &c->io[1];
	int same = round(w->rate / 1e8) <= round(r->rate / 1e8) &&
		   round(w->rate / 1e8) >= round(r->rate / 1e8) &&
		   round(w->of / 1e8) <= round(r->of / 1e8) &&
		   round(w->of / 1e8) >= round(r->of / 1e8);

	if (!(w->of > 0) || !(r->of > 0) || same) {
		append_rate(s, "IO", w->of > 0 ? w : r);
	} else {
		append_rate(s, sfab_class_name(SFAB_IO_WRITE), w);
		append_rate(s, sfab_class_name(SFAB_IO_READ), r);
	}
}

static void append_steps(struct sentence *s, const struct sfab_certificate *c)
{
	uint32_t total = 0, looked = 0, clear = 0;
	char of[40] = "";

	for (uint32_t i = 0; i < c->npatterns; i++) {
		total += c->steps[i].nsteps;
		looked += c->steps[i].looked;
		clear += c->steps[i].looked - c->steps[i].conflicts;
	}
	if (!total)
		return;
	if (looked < total)
		snprintf(of, sizeof(of), " sampled of %" PRIu32, total);
	append_part(s, "%" PRIu32 " of %" PRIu32 "%s step%s clear",
		    clear, looked, of, total == 1 ? "" : "s");
}

char *sfab_certificate_text(const struct sfab_certificate *c, char *buf,
			    size_t size)
{
	const char *jobs = c->running == 1 ? "job" : "jobs";
	struct sentence s = { buf, size, 0 };
	uint64_t lost = 0;

	for (uint32_t i = 0; i < c->npatterns; i++)
		lost += c->steps[i].lost;
	append_io(&s, c);
	if (c->links)
		append_steps(&s, c);
	if (!c->links)
		append_part(&s, "uses no switch link");
	else if (!c->running)
		append_part(&s, "shares no switch link at its start (no other job runs)");
	else if (!c->sharing)
		append_part(&s, "shares no switch link with %" PRIu32 " running %s "
			    "at its start", c->running, jobs);
	else
		append_part(&s, "shares %" PRIu32 " switch link%s with %" PRIu32
			    " of %" PRIu32 " running %s at its start", c->shared_links,
			    c->shared_links == 1 ? "" : "s", c->sharing,
			    c->running, jobs);
	/* A pair that cannot talk has no conflict, which is no merit. */
	if (lost)
		append_part(&s, "%" PRIu64 " pairs in these steps have no route",
			    lost);
	return buf;
}
