/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outcome.c - the result of the question to the plugin, in words; see outcome.h
 *
 * One struct has all that is known in the end, and each function prints its
 * part of it, as text or as JSON.  What is not known is null in JSON and left
 * out of the text.
 */

#include "tools/preview/outcome.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tools/ui/printable.h"
#include "tools/ui/say.h"

/*
 * Local time in the form of Slurm; caller frees.  An empty text if the time
 * cannot be broken down, which no time of Slurm's is.
 */
static char *time_text(time_t time)
{
	char text[40] = "";
	struct tm tm;

	if (localtime_r(&time, &tm))
		strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
	return need_copy(text);
}

/* Names of licenses and reservations are in it. */
static void put_waits(const struct outcome *o, FILE *out)
{
	char *text = printable(*o->waits ? o->waits : sfab_reason_text(o->reason),
			       0);

	fprintf(out, "The job cannot start now: %s.\n", text);
	free(text);
}

/*
 * In observe mode the plugin has decided but Slurm does not listen, so the text
 * says what it would take.
 */
void outcome_say_decision(const struct outcome *o, struct answer *a)
{
	if (a->options->json) {
		struct json_object *data = a->report.data;
		struct json_object *d = json_object_new_object();

		json_add(d, "by", json_object_new_string(
			o->reason == SFAB_PLACED ? "sfabric" : "slurm"));
		json_add(d, "mode",
			 json_object_new_string(sfab_mode_name(o->mode)));
		json_add(d, "reason",
			 json_object_new_string(sfab_reason_word(o->reason)));
		json_add(d, "text", *o->waits ? json_name(o->waits) :
			 json_object_new_string(sfab_reason_text(o->reason)));
		json_add(data, "decision", d);
	} else {
		FILE *out = a->out.file;

		if (o->reason == SFAB_PLACED)
			fprintf(out, "The plugin places this job.\n");
		else if (o->reason == SFAB_STOCK_OBSERVE)
			fprintf(out,
				"Slurm places this job itself: %s. The plugin "
				"would take:\n",
				sfab_reason_text(o->reason));
		else if (o->reason == SFAB_STOCK_FEW_NODES)
			put_waits(o, out);
		else
			fprintf(out, "Slurm places this job itself: %s.\n",
				sfab_reason_text(o->reason));
	}
}

/* A refusal is an answer too: it has a reason and no nodes. */
void outcome_say_verify(const struct outcome *o, struct answer *a)
{
	if (!o->verified)
		return;
	if (a->options->json) {
		struct json_object *data = a->report.data;
		struct json_object *v = json_object_new_object();
		char *start = time_text(o->verify.start);

		json_add(v, "same", o->same < 0 ? NULL :
			 json_object_new_boolean(o->same));
		json_add(v, "nodes",
			 o->verify.nodes ? json_name(o->verify.nodes) : NULL);
		json_add(v, "start",
			 o->verify.nodes ? json_object_new_string(start)
					 : NULL);
		json_add(v, "refusal", o->verify.refusal ?
			 json_name(o->verify.refusal) : NULL);
		json_add(data, "verify", v);
		free(start);
	} else {
		FILE *out = a->out.file;
		/* By o->same, which begins at -1. */
		static const char *const words[] = {
		    "Slurm says",
		    "Slurm says something else",
		    "Slurm says the same",
		};
		char *start = time_text(o->verify.start);
		char *nodes = printable(o->verify.nodes ? o->verify.nodes :
					o->verify.refusal, 0);

		if (o->verify.nodes)
			fprintf(out, "\n%s: %s, from %s\n", words[o->same + 1],
				nodes, start);
		else
			fprintf(out, "\nSlurm refuses the job: %s\n", nodes);
		free(nodes);
		free(start);
	}
}

void outcome_free(struct outcome *o)
{
	free(o->host);
	verify_free(&o->verify);
	memset(o, 0, sizeof(*o));
}
