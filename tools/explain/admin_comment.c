/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * admin_comment.c - `sfabric explain` for those who cannot read the decision log
 *
 * AdminComment says in words and numbers what the log says (place/comment.c).
 * squeue shows it to everybody who may see the job, sacct later on.  No field
 * that a user can write is asked for.
 */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "place/request/reason.h"
#include "tools/explain/explain.h"
#include "tools/slurm/program.h"
#include "tools/ui/printable.h"
#include "tools/ui/say.h"

#define SECONDS 15		/* for an answer of Slurm */
#define PREFIX "sfabric:"
/*
 * Widths of squeue's fields: with -O each is cut or filled to that many
 * characters, so no text of one can pass for another.
 */
#define STATE_WIDTH 24
#define NODES_WIDTH 16384
#define COMMENT_WIDTH 4096

/* One job as Slurm shows it. */
struct commented_job {
	char *text;			/* the whole answer */
	char *state, *nodes, *comment;
};

/*
 * A copy of the next @size bytes, without the blanks at their end.  *@at moves
 * behind the field.
 */
static char *copy_field(char **at, size_t size)
{
	char *field = *at;
	size_t n = strnlen(field, size);

	*at = field + n;
	while (n && (field[n - 1] == ' ' || field[n - 1] == '\n'))
		n--;
	return need_text("%.*s", (int) n, field);
}

static void free_commented(struct commented_job *job)
{
	free(job->state);
	free(job->nodes);
	free(job->comment);
	free(job->text);
	memset(job, 0, sizeof(*job));
}

/*
 * Fields of fixed width; the first line if there are several (an array).  On
 * failure the caller frees what is there.
 */
static int ask_squeue_comment(const char *id, struct commented_job *job,
			      struct sfab_err *err)
{
	char *format = need_text("state:%d,nodelist:%d,admin_comment:%d",
				 STATE_WIDTH, NODES_WIDTH, COMMENT_WIDTH);
	char *argv[] = { (char *) "squeue", (char *) "-h", (char *) "-tall",
			 (char *) "-j", (char *) id, (char *) "-O", format, NULL };
	int rc = program_output_within(argv, SECONDS, &job->text, err);
	char *at = job->text;

	free(format);
	if (rc != 0)
		return -1;
	if (!*at)
		return sfab_fail(err, SFAB_ENOENT, "squeue does not list job %s", id);
	job->state = copy_field(&at, STATE_WIDTH);
	job->nodes = copy_field(&at, NODES_WIDTH);
	at[strcspn(at, "\n")] = '\0';
	job->comment = copy_field(&at, COMMENT_WIDTH);
	return 0;
}

/* STATE|NODES|COMMENT: the last field may have any letters. */
static int ask_sacct_comment(const char *id, struct commented_job *job,
			     struct sfab_err *err)
{
	char *argv[] = { (char *) "sacct", (char *) "-XnP", (char *) "-j",
			 (char *) id, (char *) "-o",
			 (char *) "State,NodeList,AdminComment", NULL };
	char *rest, *state, *nodes;

	if (program_output_within(argv, SECONDS, &job->text, err) != 0)
		return -1;
	rest = job->text;
	rest[strcspn(rest, "\n")] = '\0';
	state = strsep(&rest, "|");
	nodes = strsep(&rest, "|");
	if (!rest)
		return sfab_fail(err, SFAB_ENOENT, "sacct does not list job %s", id);
	job->state = need_copy(state);
	job->nodes = need_copy(nodes);
	job->comment = need_copy(rest);
	return 0;
}

/*
 * Our part, cut out of the comment, or NULL.  Other programs may write into
 * AdminComment as well; parts are separated by semicolons.
 */
static char *own_comment_part(char *comment)
{
	char *rest = comment, *part;

	while ((part = strsep(&rest, ";"))) {
		part += strspn(part, " ");
		if (strncmp(part, PREFIX, strlen(PREFIX)) == 0)
			return part + strlen(PREFIX);
	}
	return NULL;
}

/* "NAME=0.000" says nothing. */
static int is_zero(const char *word)
{
	const char *value = strchr(word, '=');

	return value && value[1] == '0' && !value[1 + strspn(value + 1, "0.")];
}

/*
 * The words without zeros and without the first @skip.  @words is cut into words in
 * place.
 */
static char *words_without_zeros(char *words, unsigned skip)
{
	char *kept = need_copy(""), *rest = words, *word;

	while ((word = strsep(&rest, " "))) {
		char *longer;

		if (skip) {
			skip--;
			continue;
		}
		if (!*word || is_zero(word))
			continue;
		longer = need_text("%s%s%s", kept, *kept ? " " : "", word);
		free(kept);
		kept = longer;
	}
	return kept;
}

/*
 * "placed ..." and "stock REASON ..." as a sentence of the reason's table.
 * *@words: how many words of @part the sentence replaces.  A word that this
 * version does not know is shown as it is.
 */
static const char *sentence_of(const char *part, unsigned *words, int *placed)
{
	size_t n = strncmp(part, "stock ", 6) == 0 ? 6 : 0;
	int reason = sfab_reason_find(part + n, strcspn(part + n, " ,"));

	*words = n ? 2 : 1;
	*placed = reason == SFAB_PLACED;
	if (reason >= 0)
		return sfab_reason_text((enum sfab_reason) reason);
	if (strncmp(part, "requeued", 8) == 0)
		return "it was requeued, or never started, and waits again";
	*words = 0;
	return "AdminComment says";
}

/* Cut @text where @mark begins; returns what is behind it, or "". */
static char *cut_at(char *text, const char *mark)
{
	char *at = strstr(text, mark);

	if (!at)
		return text + strlen(text);
	*at = '\0';
	return at + strlen(mark);
}

/*
 * "placed, 70 of 70 ..., traffic=mpi=0.3 score=0.12 ..., traffic learned from ...": the
 * reason, the proof if there is one, which is kept whole, words, and the rest.
 */
static char *line_of_job(uint64_t id, const struct commented_job *job, char *part)
{
	char *numbers = strstr(part, " traffic="), *rest, *proof, *words, *sent, *line;
	unsigned skip;
	int placed;
	const char *why = sentence_of(part, &skip, &placed);

	/* Without traffic there are no numbers, and the proof is the rest. */
	if (numbers)
		*numbers++ = '\0';
	else
		numbers = part + strlen(part);
	rest = cut_at(numbers, ", ");
	proof = cut_at(part, ", ");
	if (*proof && proof[strlen(proof) - 1] == ',')
		proof[strlen(proof) - 1] = '\0';
	part[strcspn(part, ",")] = '\0';
	words = words_without_zeros(part, skip);
	sent = words_without_zeros(numbers, 0);
	line = need_text("job %" PRIu64 ": %s%s%s%s%s%s%s%s%s%s%s", id, why,
			 *job->nodes ? "; on " : "", job->nodes,
			 *words ? "; " : "", words, *proof ? "; " : "", proof,
			 *sent ? "; " : "", sent, *rest ? "; " : "", rest);
	free(words);
	free(sent);
	return line;
}

/*
 * The keys are those of an answer from the log; what AdminComment does not have
 * is null.
 */
static void put_comment_json(uint64_t id, const struct commented_job *job,
			     const char *line, struct json_object *data)
{
	static const char *const unknown[] = {
		"time", "partition", "mode", "reason", "traffic", "hint_error",
		"policy", "fingerprint", "epoch", "waits_since", "running",
		"decided",
	};

	json_add(data, "job", json_object_new_uint64(id));
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		json_add(data, unknown[i], NULL);
	json_add(data, "why", json_name(line));
	json_add(data, "ran_on", *job->nodes ? json_name(job->nodes) : NULL);
}

static int put_commented(uint64_t id, const struct commented_job *job,
			 struct answer *a, struct sfab_err *err)
{
	char *part = own_comment_part(job->comment), *line, *safe;

	if (!part)
		return sfab_fail(err, SFAB_ENOENT, "job %" PRIu64 " (%s) has no "
				 "sfabric: in its AdminComment: it has not started, "
				 "or the plugin does not write it", id, job->state);
	line = line_of_job(id, job, part);
	safe = printable(line, 0);
	if (a->options->json)
		put_comment_json(id, job, safe, a->report.data);
	else
		fprintf(a->out.file, "%s\n", safe);
	free(safe);
	free(line);
	return 0;
}

/*
 * squeue first: slurmctld knows a job for as long as it runs, and a while
 * longer.  If both fail, squeue's reason is told.
 */
int admin_comment_explain(uint64_t id, struct answer *a, struct sfab_err *err)
{
	char *name = need_text("%" PRIu64, id);
	struct commented_job job = { .text = NULL };
	struct sfab_err past = { 0 };
	int rc = ask_squeue_comment(name, &job, err);

	if (rc != 0) {
		free_commented(&job);
		rc = ask_sacct_comment(name, &job, &past);
	}
	if (rc == 0)
		rc = put_commented(id, &job, a, err);
	free_commented(&job);
	free(name);
	return rc;
}
