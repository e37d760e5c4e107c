/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * change.c - the requested change; see change.h
 *
 * From a wish, which is text, to a variant, which is a plan and the options of
 * OpenSM.  The order of options matters: OpenSM takes the last of equal keys,
 * so those of the change come after those of the base.
 */

#include "tools/whatif/change.h"

#include <stdlib.h>
#include <string.h>

#include "tools/ui/say.h"

void words_add(struct words *l, const char *text)
{
	l->text = need_more(l->text, l->n, sizeof(*l->text));
	l->text[l->n++] = text;
}

static void add_all_words(struct words *to, const struct words *from)
{
	for (uint32_t i = 0; i < from->n; i++)
		words_add(to, from->text[i]);
}

void wish_free(struct wish *w)
{
	free(w->move.text);
	free(w->down.text);
	free(w->option.text);
	free(w->base_option.text);
	memset(w, 0, sizeof(*w));
}

void variant_free(struct variant *v)
{
	plan_free(&v->plan);
	free(v->options.text);
	free(v->engine);
	free(v->guid);
	memset(v, 0, sizeof(*v));
}

int variant_make(struct variant *v, const struct site *site,
		 const struct wish *w, struct sfab_err *err)
{
	const struct sfab_iosets *io = site->io;

	memset(v, 0, sizeof(*v));
	if (plan_init(&v->plan, site->f, err) != 0)
		return -1;
	for (uint32_t i = 0; i < w->move.n; i++)
		if (plan_move(&v->plan, w->move.text[i], err) != 0)
			return sfab_fail_prefix(err, "--move");
	/*
	 * Only after all moves: two hosts may change places, and in between
	 * both are on one port.
	 */
	if (plan_check(&v->plan, err) != 0)
		return sfab_fail_prefix(err, "--move");
	for (uint32_t i = 0; i < w->down.n; i++)
		if (plan_down(&v->plan, w->down.text[i], err) != 0)
			return sfab_fail_prefix(err, "--down");
	add_all_words(&v->options, &w->base_option);
	if (w->engine) {
		v->engine = need_text("routing_engine=%s", w->engine);
		words_add(&v->options, v->engine);
	}
	add_all_words(&v->options, &w->option);
	v->how.option = v->options.text;
	v->how.noptions = v->options.n;
	v->how.io_file = w->io_guids;
	v->how.io_order = w->io_order;
	if (!w->io_guids && !w->io_order)
		return 0;
	/* Ports of all IO sets. */
	if (!io->nioports)
		return sfab_fail(err, SFAB_EINVAL, "no IO set is known (IoSet "
				 "of sfabric.conf)");
	v->how.guid = v->guid = need(io->nioports, sizeof(*v->guid));
	for (uint32_t i = 0; i < io->nioports; i++)
		v->guid[i] = plan_port_guid(&site->f->ports[io->ioport[i]]);
	v->how.nguids = io->nioports;
	return 0;
}

/*
 * The snapshot takes over the fabric and the copy of the sets, also when it
 * fails.
 */
int wish_save(struct sfab_fabric *f, const struct sfab_iosets *sets,
	      const char *path, struct sfab_err *err)
{
	struct sfab_iosets *io = sfab_iosets_copy(f, sets, err);
	struct sfab_snapshot *s = NULL;
	int rc = -1;

	if (io)
		s = sfab_snapshot_take(f, io, err);
	else
		sfab_fabric_destroy(f);
	if (s)
		rc = sfab_snapshot_save(s, path, 0644, err);
	sfab_snapshot_destroy(s);
	return rc;
}
