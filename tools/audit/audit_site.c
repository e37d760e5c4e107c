/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * audit_site.c - open what an audit looks at, and audit it; see audit_site.h
 *
 * core/audit finds, audit_print.c prints; what is silenced, and the exit status, are decided
 * here.  What is missing makes the audit smaller, not wrong: without counters it looks at no
 * errors.
 */

#include "tools/audit/audit_site.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/learn/found_traffic.h"
#include "io/readers/reader.h"
#include "tools/site/site.h"
#include "tools/site/site_counters.h"
#include "tools/site/warnings.h"
#include "tools/ui/status.h"
#include "tools/ui/xalloc.h"

/* -- opensm.conf ------------------------------------------------------------- */

/* The last three have a key for all ports, one for hosts (ca), one for switches (swe). */
enum { ENGINE, QOS, OP_VLS, SL2VL, HIGH = SL2VL + 3, LOW = HIGH + 3, KEYS = LOW + 3 };

static const char *const opensm_keys[KEYS] = {
	"routing_engine", "qos", "max_op_vls",
	"qos_sl2vl", "qos_ca_sl2vl", "qos_swe_sl2vl",
	"qos_vlarb_high", "qos_ca_vlarb_high", "qos_swe_vlarb_high",
	"qos_vlarb_low", "qos_ca_vlarb_low", "qos_swe_vlarb_low",
};

/* OpenSM's own defaults, for keys that the file lacks. */
static const char *const opensm_defaults[KEYS] = {
	[OP_VLS] = "5", [SL2VL] = "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,7",
	[HIGH] = "0:4", [LOW] = "1:4,2:4,3:4,4:4,5:4,6:4,7:4,8:4,9:4,10:4,11:4,12:4,13:4,14:4",
};

/*
 * Return the value of @key: the side's own, else that for all ports, else OpenSM's default.
 * @side: 0 hosts, 1 switches.
 */
static const char *side_value(const char *const value[KEYS], int key, int side)
{
	const char *side_text = value[key + 1 + side], *common_text = value[key];

	return side_text ? side_text : common_text ? common_text : opensm_defaults[key];
}

/*
 * Return a bit for each VL of "VL:WEIGHT,..." that has a weight.  Ports may have room for eight
 * entries.
 */
static uint16_t read_vlarb(const char *list)
{
	unsigned served = 0;
	char *end;

	for (int i = 0; *list && i < 8; i++) {
		unsigned long vl = strtoul(list, &end, 0) % 15;

		list = *end ? end + 1 : end;
		if (strtoul(list, &end, 0) & 0xFF)
			served |= 1u << vl;
		list = *end ? end + 1 : end;
	}
	return (uint16_t) served;
}

/* Set the virtual lanes.  As in OpenSM, service levels beyond the end of a short list use VL 0. */
static void set_lanes(const char *const value[KEYS], struct sfab_lanes *lanes)
{
	const char *vls = value[OP_VLS] ? value[OP_VLS] : opensm_defaults[OP_VLS];
	unsigned long code = strtoul(vls, NULL, 0);
	char *end;

	lanes->enabled = value[QOS] && strcmp(value[QOS], "TRUE") == 0;
	lanes->vls = 1u << (code < 1 ? 0 : code > 5 ? 4 : code - 1);
	for (int side = 0; side < 2; side++) {
		const char *list = side_value(value, SL2VL, side);

		for (int sl = 0; sl < 16; sl++) {
			lanes->vl[side][sl] = strtoul(list, &end, 0) & 15;
			list = *end ? end + 1 : end;
		}
		lanes->served[side] = read_vlarb(side_value(value, HIGH, side)) |
				      read_vlarb(side_value(value, LOW, side));
	}
}

/*
 * Read opensm.conf: "KEY VALUE" lines, of which the last one with a key counts.  *@engine gets
 * the routing engines, such as "ftree,updn", or NULL; the caller frees it.  *@lanes gets the
 * setup of virtual lanes, all but ->io.  -1: the file cannot be read, or has neither.
 */
static int opensm_conf_read(const char *path, char **engine, struct sfab_lanes *lanes,
			    struct sfab_err *err)
{
	const char *value[KEYS] = { NULL };
	char *text, *next, *rest;
	size_t size;
	int rc = 0;

	if (sfab_reader_read_text(path, 0, &text, &size, err) != 0)
		return -1;
	for (char *line = strtok_r(text, "\n", &next); line; line = strtok_r(NULL, "\n", &next)) {
		const char *word = strtok_r(line, " \t\r", &rest);

		for (int k = 0; word && k < KEYS; k++)
			if (strcmp(word, opensm_keys[k]) == 0) {
				rest += strspn(rest, " \t");
				rest[strcspn(rest, "\r#")] = '\0';
				/* "(null)" is what OpenSM writes for none. */
				value[k] = strcmp(rest, "(null)") == 0 ? NULL : rest;
			}
	}
	set_lanes(value, lanes);
	if (value[ENGINE])
		*engine = xstrdup(value[ENGINE]);
	else if (!value[QOS])
		rc = sfab_fail(err, SFAB_EFORMAT, "%s: no routing_engine is set", path);
	free(text);
	return rc;
}

/* -- the audit ----------------------------------------------------------------- */

/* What was opened for the audit. */
struct audit_inputs {
	struct site site;
	struct sfab_model *model;
	struct site_counters counters;
	struct sfab_link_events *events;
	char *engine;
	struct sfab_lanes lanes;
	struct sfab_audit_options options;
};

/*
 * Read which part of the traffic follows the tables.  A file that the user named must exist;
 * the file of the conf may be missing or wrong.  It counts only for the snapshot that it was
 * made with.
 */
static int read_followed(struct audit_inputs *inputs, const struct audit_request *w,
			 struct reply *r, struct sfab_err *err)
{
	const struct sfab_conf *conf = inputs->site.conf;
	struct sfab_found *found = sfab_found_load(w->found ? w->found : conf->found_traffic,
						   NULL, err);

	if (!found && w->found)
		return -1;
	if (!found && err->code != SFAB_ENOENT)
		reply_warning(r, "%s", err->text);
	if (found && inputs->site.snapshot &&
	    found->fingerprint == inputs->site.snapshot->fingerprint) {
		inputs->options.followed_known = found->followed >= 0;
		inputs->options.followed = found->followed;
	}
	inputs->options.min_followed = conf->min_followed / 100.0;
	sfab_found_destroy(found);
	return 0;
}

/* Open what the request names.  audit_site() closes everything, also after a failure. */
static int open_all(struct audit_inputs *inputs, const struct audit_request *w, struct reply *r,
		    struct sfab_err *err)
{
	if (site_open(&inputs->site, &w->options, r, err) != 0)
		return -1;
	/* Before the model: who is compute and who is IO decides what is checked. */
	site_apply_roles(&inputs->site);
	inputs->model = site_model(&inputs->site);
	inputs->options.m = inputs->model;
	inputs->options.block = w->block;
	if (w->opensm_conf &&
	    opensm_conf_read(w->opensm_conf, &inputs->engine, &inputs->lanes, err) != 0)
		return -1;
	inputs->lanes.io = w->io_level;
	inputs->options.lanes = w->opensm_conf ? &inputs->lanes : NULL;
	inputs->options.engine = w->opensm_conf ? inputs->engine : w->engine;
	if (read_followed(inputs, w, r, err) != 0)
		return -1;
	if (!inputs->site.io || !inputs->site.io->nsets)
		reply_warning(r, "the snapshot has no IO set: IO is not checked");
	/* Counters that the user named must exist; those of the conf may be missing. */
	if (!w->counters && access(inputs->site.conf->counters, F_OK) != 0)
		return 0;
	/* Wrong counters of the conf are a warning, so that routes are audited all the same. */
	if (site_counters_open(&inputs->counters, &inputs->site, w->counters, SITE_COUNTERS_HERE,
			       NULL, err) != 0) {
		if (w->counters && !w->may_lack_counters)
			return -1;
		reply_warning(r, "%s", err->text);
		return 0;
	}
	inputs->options.events = inputs->events = site_counters_events(&inputs->counters);
	return 0;
}

/*
 * Does an entry of @list, "ID;ID", name the finding, or its rule and so all of its findings?  A
 * list of NULL silences nothing.
 */
static int is_silenced(const struct sfab_finding *f, const char *list)
{
	size_t rule = strlen(sfab_rule_name(f->rule));
	char *id = audit_finding_id(f);
	int named = 0;

	for (const char *p = list; p && *p && !named; p += *p == ';') {
		size_t n = strcspn(p, ";");

		named = strncmp(id, p, n) == 0 && (n == rule || !id[n]);
		p += n;
	}
	free(id);
	return named;
}

/*
 * Set @unsilenced [found->n].  Return STATUS_FOUND if one of these is a warning or worse, which
 * somebody should look at.
 */
static int judge_findings(const struct sfab_audit *found, const char *silence, uint8_t *unsilenced,
			  struct reply *r)
{
	int status = STATUS_FINE;

	/* A rule that does not exist silences nothing: warn about it. */
	for (const char *p = silence; p && *p; p += *p == ';') {
		size_t n = strcspn(p, ";"), rule = strcspn(p, ":;");

		if (sfab_rule_parse(p, (unsigned) rule) < 0)
			reply_warning(r, "AuditSilence: no rule is called %.*s", (int) rule, p);
		p += n;
	}
	for (uint32_t i = 0; i < found->n; i++) {
		unsilenced[i] = !is_silenced(&found->finding[i], silence);
		if (unsilenced[i] && found->finding[i].severity > SFAB_NOTE)
			status = STATUS_FOUND;
	}
	return status;
}

int audit_site(const struct audit_request *w, struct answer *a, struct sfab_err *err)
{
	struct audit_inputs inputs = { 0 };
	struct sfab_audit found;
	uint8_t *unsilenced;
	int rc = open_all(&inputs, w, &a->reply, err);

	if (rc == 0)
		warnings_of_found_io(&a->reply, inputs.site.conf, inputs.site.f, inputs.site.io,
				     inputs.counters.ms ? inputs.counters.ms->rate : NULL);
	if (rc == 0)
		rc = sfab_audit(&inputs.options, &found, err);
	if (rc == 0) {
		unsilenced = xcalloc(found.n, sizeof(*unsilenced));
		rc = judge_findings(&found, inputs.site.conf->audit_silence, unsilenced, &a->reply);
		audit_print(inputs.model, &found, unsilenced, w->options.verbose, a);
		free(unsilenced);
		sfab_audit_free(&found);
	}
	/* Also what open_all() opened before it failed. */
	sfab_model_destroy(inputs.model);
	site_counters_close(&inputs.counters);
	free(inputs.events);
	free(inputs.engine);
	site_close(&inputs.site);
	return rc;
}
