/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * audit_print.c - findings of an audit, as text or JSON; see audit_site.h
 *
 * Text folds findings with the same words into one and leaves out those without effect, unless
 * -v is given.  JSON has all of them, also the silenced ones.
 */

#include "tools/audit/audit_site.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/same_text.h"
#include "tools/ui/printable.h"
#include "tools/ui/shell.h"
#include "tools/ui/xalloc.h"

#define WIDTH 78		/* columns of the text */
#define INDENT 10		/* columns before a paragraph, for its heading */
#define GROUP_MIN 3		/* similar findings that are combined */
#define GROUP_SHOWN 3		/* of these, shown by name */
#define EFFECT_MIN 0.01		/* relative; rounding of predictions is less */

char *audit_finding_id(const struct sfab_finding *f)
{
	char *object = printable(f->object, 0);
	char *id = xstrfmt("%s:%s", sfab_rule_name(f->rule), object);

	free(object);
	return id;
}

/* -- IO sets -------------------------------------------------------------------- */

static const struct column io_columns[] = {
	{ "set", "IO set", COLUMN_TEXT, 0, SHOWN },
	{ "class", "io-write or io-read", COLUMN_TEXT, 0, SHOWN },
	{ "leaves", "leaves with hosts that use the set", COLUMN_COUNT, 0, SHOWN },
	{ "fewest", "fewest distinct uplinks of a leaf toward the set", COLUMN_COUNT,
	  0, SHOWN },
	{ "mean", "mean of them over the leaves", COLUMN_NUMBER, 1, SHOWN },
	{ "most", "most of them at one leaf", COLUMN_COUNT, 0, SHOWN },
	{ "uplinks", "all uplinks of a leaf, at the leaf that has most", COLUMN_COUNT, 0, SHOWN },
	{ "block", "hosts in a block of neighbors", COLUMN_COUNT, 0, SHOWN },
	{ "gbs", "what the worst block gets, max-min", COLUMN_NUMBER, 1, SHOWN },
	{ "lockstep_gbs", "likewise, all at one rate", COLUMN_NUMBER, 1,
	  SHOWN_IF_ASKED },
	{ "possible_gbs", "what its cables and servers could carry",
	  COLUMN_NUMBER, 1, SHOWN },
	{ "all_gbs", "what all compute hosts get, at one rate", COLUMN_NUMBER,
	  1, SHOWN_IF_ASKED },
	{ "all_possible_gbs", "what cables and servers could carry",
	  COLUMN_NUMBER, 1, SHOWN_IF_ASKED },
	{ 0 }
};

/*
 * Fill the cells about uplinks: over all leaves of a set, how many different uplinks the routes
 * of one leaf to the set take.
 */
static void add_uplink_cells(const struct sfab_audit *a, uint32_t set, struct table *t)
{
	uint32_t leaves = 0, fewest = UINT32_MAX, max = 0, uplinks = 0, sum = 0;

	for (uint32_t i = 0; i < a->nuplinks; i++) {
		const struct sfab_uplinks *u = &a->uplinks[i];

		if (u->set != set)
			continue;
		leaves++;
		sum += u->used;
		fewest = u->used < fewest ? u->used : fewest;
		max = u->used > max ? u->used : max;
		uplinks = u->up > uplinks ? u->up : uplinks;
	}
	table_count(t, "leaves", leaves);
	if (!leaves)
		return;
	table_count(t, "fewest", fewest);
	table_number(t, "mean", (double) sum / leaves);
	table_count(t, "most", max);
	table_count(t, "uplinks", uplinks);
}

/* Make the table of IO.  A max-min rate of 0 was not computed and stays empty. */
static struct table *io_table(const struct sfab_model *m, const struct sfab_audit *a)
{
	struct table *t = table_create(io_columns);

	for (uint32_t i = 0; i < a->nrates; i++) {
		const struct sfab_io_rate *b = &a->rates[i].block;
		const struct sfab_io_rate *all = &a->rates[i].all;

		table_row(t);
		table_text(t, "set", m->io->set[b->set].name);
		table_text(t, "class", sfab_class_name(b->class));
		add_uplink_cells(a, b->set, t);
		table_count(t, "block", b->n);
		if (b->maxmin > 0)
			table_gbs(t, "gbs", b->maxmin);
		table_gbs(t, "lockstep_gbs", b->lockstep);
		table_gbs(t, "possible_gbs", b->possible);
		table_gbs(t, "all_gbs", all->lockstep);
		table_gbs(t, "all_possible_gbs", all->possible);
	}
	return t;
}

/* -- JSON ----------------------------------------------------------------------- */

/*
 * Return the command that tries the remedy, or NULL; caller frees.  Users paste it, so names
 * from the fabric are quoted for the shell.
 */
static char *try_command(const struct sfab_fabric *f, const struct sfab_finding *finding)
{
	const struct sfab_link *l;
	char *port, *word, *text;

	switch (finding->trial) {
	case SFAB_TRIAL_IO:
		return xstrfmt("sfabric whatif --suggest io --nodes %u",
			       finding->trial_of);
	case SFAB_TRIAL_DOWN:
		l = &f->links[finding->trial_of];
		port = xstrfmt("%s:%u", f->switches[l->from].name, l->from_port);
		word = shell_word(port);
		text = xstrfmt("sfabric whatif --down %s", word);
		free(port);
		free(word);
		return text;
	default:
		return NULL;
	}
}

/* Make JSON of one finding, as in doc/schema/audit.json.  Silenced ones are included and marked. */
static struct json_object *audit_finding_json(const struct sfab_fabric *f,
					      const struct sfab_finding *finding, int unsilenced)
{
	struct json_object *o = json_object_new_object(), *effect = NULL;
	struct json_object *moves = json_object_new_array();
	char *id = audit_finding_id(finding), *command = try_command(f, finding);

	/* null: the effect cannot be predicted. */
	if (finding->effect) {
		effect = json_object_new_object();
		json_add(effect, "now", json_number(finding->effect_now));
		json_add(effect, "then", json_number(finding->effect_then));
		json_add(effect, "unit", json_object_new_string(finding->effect));
	}
	/* An IO host, and the host with which it swaps ports. */
	for (uint32_t i = 0; i < finding->nmoves; i++) {
		struct json_object *move = json_object_new_object();

		json_add(move, "host", json_name(f->hosts[finding->move[i].host].name));
		json_add(move, "place", json_name(f->hosts[finding->move[i].peer].name));
		json_object_array_add(moves, move);
	}
	json_add(o, "id", json_object_new_string(id));
	json_add(o, "rule", json_object_new_string(sfab_rule_name(finding->rule)));
	json_add(o, "severity",
		 json_object_new_string(sfab_severity_name(finding->severity)));
	json_add(o, "object", json_name(finding->object));
	json_add(o, "number", json_number(finding->number));
	json_add(o, "unit", json_object_new_string(finding->unit));
	json_add(o, "what", json_name(finding->what));
	json_add(o, "why", json_object_new_string(sfab_rule_why(finding->rule)));
	json_add(o, "remedy", json_name(finding->remedy));
	json_add(o, "effect", effect);
	json_add(o, "moves", moves);
	json_add(o, "try", command ? json_object_new_string(command) : NULL);
	json_add(o, "silenced", json_object_new_boolean(!unsilenced));
	free(command);
	free(id);
	return o;
}

/* Add data.io, data.uplinks and data.findings.  Findings that are silenced are there, too. */
static void add_audit_json(const struct sfab_model *m, const struct sfab_audit *a,
			   const uint8_t *unsilenced, struct json_object *data)
{
	struct json_object *uplinks = json_object_new_array(), *list = json_object_new_array();

	json_add(data, "io", table_take_json(io_table(m, a)));
	/* A row for each leaf and set, of which text has the sum. */
	for (uint32_t i = 0; i < a->nuplinks; i++) {
		const struct sfab_uplinks *u = &a->uplinks[i];
		const struct sfab_switch *sw =
			&m->f->switches[m->f->leaves[u->leaf].sw];
		struct json_object *o = json_object_new_object();

		json_add(o, "set", json_name(m->io->set[u->set].name));
		json_add(o, "leaf", json_name(sw->name));
		json_add(o, "guid", json_guid(sw->guid));
		json_add(o, "uplinks", json_object_new_int64(u->used));
		json_add(o, "up", json_object_new_int64(u->up));
		json_add(o, "members", json_object_new_int64(u->members));
		json_object_array_add(uplinks, o);
	}
	json_add(data, "uplinks", uplinks);
	for (uint32_t i = 0; i < a->n; i++)
		json_object_array_add(
		    list, audit_finding_json(m->f, &a->finding[i], unsilenced[i]));
	json_add(data, "findings", list);
}

/* -- text ----------------------------------------------------------------------- */

/*
 * Print "  found   ", then words wrapped at WIDTH.  Words longer than a line stay whole: they
 * are names or commands.
 */
static void print_wrapped_words(const char *head, const char *text, FILE *out)
{
	char *safe = printable(text, 0);
	int column = fprintf(out, "  %-*s", INDENT - 2, head);

	for (const char *p = safe; *p;) {
		int n = (int) strcspn(p, " ");

		if (column + n > WIDTH && column > INDENT)
			column = fprintf(out, "\n%*s", INDENT, "") - 1;
		column += fprintf(out, "%s%.*s", column > INDENT ? " " : "", n, p);
		p += n;
		p += *p == ' ';
	}
	fputc('\n', out);
	free(safe);
}

/*
 * Do both report the same, for different objects?  A trial names an object, so findings with
 * one stay by themselves.
 */
static int is_alike(const struct sfab_finding *x, const struct sfab_finding *y)
{
	return x->rule == y->rule && x->severity == y->severity &&
	       x->trial == SFAB_TRIAL_NONE && y->trial == SFAB_TRIAL_NONE &&
	       strcmp(x->remedy, y->remedy) == 0 &&
	       sfab_same_text(x->effect, y->effect);
}

/*
 * Return how much the remedy changes, in the unit of the effect.  Units differ by rule, so
 * compare within a rule only.
 */
static double size_of_effect(const struct sfab_finding *f)
{
	return f->effect ? fabs(f->effect_now - f->effect_then) : 0;
}

/* Does the remedy change nothing?  It is then not worth a line every day. */
static int is_without_effect(const struct sfab_finding *f)
{
	return f->severity == SFAB_NOTE && f->effect &&
	       size_of_effect(f) <= EFFECT_MIN * fabs(f->effect_now);
}

/* Compare two findings: largest effect first, else in the order of the audit. */
static int compare_effects(const void *a, const void *b)
{
	const struct sfab_finding *x = *(const struct sfab_finding *const *) a;
	const struct sfab_finding *y = *(const struct sfab_finding *const *) b;
	double p = size_of_effect(x), q = size_of_effect(y);

	return p != q ? (p < q ? 1 : -1) : x < y ? -1 : 1;
}

/*
 * Print five paragraphs: found, why, remedy, effect, and the command that tries the remedy,
 * which is not wrapped, so that it can be pasted.  @n findings that differ in object and
 * numbers only are one: what the worst says, the names of the next two, and how many more.
 * Sorts them.
 */
static void print_finding_group(const struct sfab_fabric *fabric, const struct sfab_finding **f,
				uint32_t n, FILE *out)
{
	const char *severity = sfab_severity_name(f[0]->severity);
	char *found, *effect, *command = n > 1 ? NULL : try_command(fabric, f[0]);

	qsort(f, n, sizeof(*f), compare_effects);
	if (n > 1) {
		fprintf(out, "%-9s %s: %u findings\n", severity, sfab_rule_name(f[0]->rule), n);
		found = xstrfmt("%s: %s", f[0]->object, f[0]->what);
	} else {
		char *id = audit_finding_id(f[0]);

		fprintf(out, "%-9s %s\n", severity, id);
		found = xstrdup(f[0]->what);
		free(id);
	}
	for (uint32_t i = 1; i < n && i < GROUP_SHOWN; i++)
		xjoin(&found, i == 1 ? "; also " : ", ", "%s", f[i]->object);
	if (n > GROUP_SHOWN)
		xjoin(&found, "", " and %u more (-v lists all)", n - GROUP_SHOWN);
	effect = f[0]->effect ? xstrfmt("%s%.6g to %.6g %s", n > 1 ? "at most " : "",
					f[0]->effect_now, f[0]->effect_then, f[0]->effect) :
				xstrdup("not predicted");
	print_wrapped_words("found", found, out);
	print_wrapped_words("why", sfab_rule_why(f[0]->rule), out);
	print_wrapped_words("remedy", f[0]->remedy, out);
	print_wrapped_words("effect", effect, out);
	if (command)
		fprintf(out, "  %-*s%s\n", INDENT - 2, "try", command);
	fputc('\n', out);
	free(command);
	free(effect);
	free(found);
}

/*
 * Print the findings marked in @shown; with @lists_all, each by itself.  They stay in the order
 * of the audit, rule by rule; a group stands where its first finding would.
 */
static void print_findings(const struct sfab_fabric *f, const struct sfab_audit *a,
			   const uint8_t *shown, int lists_all, FILE *out)
{
	const struct sfab_finding **group = xcalloc(a->n, sizeof(*group));
	uint8_t *pending = xcalloc(a->n, sizeof(*pending));

	for (uint32_t i = 0; i < a->n; i++)
		pending[i] = shown[i] && (lists_all || !is_without_effect(&a->finding[i]));
	for (uint32_t i = 0; i < a->n; i++) {
		const struct sfab_finding *x = &a->finding[i];
		uint32_t n = 0;

		if (!pending[i])
			continue;
		for (uint32_t k = i; k < a->n && a->finding[k].rule == x->rule; k++)
			if (!lists_all && pending[k] && is_alike(x, &a->finding[k]))
				group[n++] = &a->finding[k];
		if (n < GROUP_MIN) {
			group[0] = x;
			n = 1;
		}
		for (uint32_t k = 0; k < n; k++)
			pending[group[k] - a->finding] = 0;
		print_finding_group(f, group, n, out);
	}
	free(pending);
	free(group);
}

/*
 * Print the table of IO, the findings, and a last line like "critical: 1, warnings: 3, notes:
 * 12 (4 without effect: -v lists them), silenced: 2".
 */
static void print_audit_text(const struct sfab_model *m, const struct sfab_audit *a,
			     const uint8_t *unsilenced, int lists_all, FILE *out)
{
	uint32_t n[SFAB_CRITICAL + 1] = { 0 }, nidle = 0, nsilenced = 0;

	if (a->nrates) {
		fputs("Distinct uplinks of a leaf toward each IO set, and how much "
		      "of the possible rate\nthe worst block of neighbors gets:\n",
		      out);
		table_take_print(io_table(m, a), out);
		fputc('\n', out);
	}
	print_findings(m->f, a, unsilenced, lists_all, out);
	for (uint32_t i = 0; i < a->n; i++) {
		n[a->finding[i].severity] += unsilenced[i];
		nsilenced += !unsilenced[i];
		nidle += unsilenced[i] && is_without_effect(&a->finding[i]);
	}
	fprintf(out, "critical: %u, warnings: %u, notes: %u", n[SFAB_CRITICAL],
		n[SFAB_WARNING], n[SFAB_NOTE]);
	if (nidle && !lists_all)
		fprintf(out, " (%u without effect: -v lists them)", nidle);
	if (nsilenced)
		fprintf(out, ", silenced: %u", nsilenced);
	fputc('\n', out);
}

void audit_print(const struct sfab_model *m, const struct sfab_audit *found,
		 const uint8_t *unsilenced, int lists_all, struct answer *a)
{
	if (a->options->json)
		add_audit_json(m, found, unsilenced, a->reply.data);
	else
		print_audit_text(m, found, unsilenced, lists_all, a->out.file);
}
