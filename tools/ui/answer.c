/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * answer.c - do a command's work and print its answer; see answer.h
 *
 * The text of an answer is written while the work goes on, its JSON only at the end.  An answer
 * that failed halfway therefore prints no partial JSON, but one object whose "errors" says why.
 * The output file is then left as it was.
 */

#include "tools/ui/answer.h"

int answer_table(struct answer *a, const char *key, struct table *t,
		 struct sfab_err *err)
{
	int status = STATUS_FINE;

	if (a->options->json)
		json_add(a->reply.data, key, table_json(t));
	else
		status = table_print(t, &a->options->view, a->out.file, err);
	table_destroy(t);
	return status;
}

int answer_run(const char *command, const struct options *o, answer_fn work,
	       void *ctx)
{
	struct answer a = { .options = o };
	struct sfab_err err = { 0 };
	int status;

	reply_init(&a.reply, command);
	status = output_open(&a.out, o->output, &err);
	if (status == 0)
		status = work(ctx, &a, &err);
	if (status >= 0 && o->json)
		reply_print(&a.reply, a.out.file);
	if (status >= 0 && output_close(&a.out, &err) != 0)
		status = -1;
	/*
	 * The file of -o may be what could not be written, so the reason goes to standard
	 * output.
	 */
	if (status < 0) {
		output_drop(&a.out);
		reply_error(&a.reply, &err);
		if (a.options->json)
			reply_print(&a.reply, stdout);
		status = STATUS_ERROR;
	}
	reply_free(&a.reply);
	return status;
}
