/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_scontrol.c - the texts of scontrol and squeue: nodes, jobs, partitions */

#include "tests/fuzz/fuzz.h"
#include "tools/slurm/jobtext.h"
#include "tools/slurm/scontrol.h"

static void touch(const char *text)
{
	fuzz_check(!text || strlen(text) <= SIZE_MAX / 2);
}

static void check_job(const struct scontrol_job *job)
{
	touch(job->run.nodes);
	touch(job->run.comment);
	for (uint32_t i = 0; i < job->nshares; i++) {
		touch(job->share[i].nodes);
		fuzz_check(job->share[i].cpus <= 65536);
	}
}

static void check_jobs(const struct scontrol_list *list)
{
	for (uint32_t i = 0; i < list->n; i++)
		check_job(&list->job[i]);
}

static void check_nodes(const struct scontrol_list *list)
{
	for (uint32_t i = 0; i < list->n; i++) {
		touch(list->node[i].name);
		touch(list->node[i].features);
	}
}

static void check_partitions(const struct scontrol_list *list)
{
	for (uint32_t i = 0; i < list->n; i++)
		touch(list->partition[i].nodes);
}

static void check_reservations(const struct scontrol_list *list)
{
	for (uint32_t i = 0; i < list->n; i++)
		touch(list->reservation[i].nodes);
}

#define MARK "m0"

/* Both answers in one input: what is behind the first \1 is scontrol's. */
static void make_text(const uint8_t *data, size_t size)
{
	char *squeue = fuzz_copy(data, size), *scontrol = strchr(squeue, 1), *own;
	struct scontrol_list list;
	struct sfab_err err = { 0 };
	struct jobtext_lost lost;

	if (scontrol)
		*scontrol++ = '\0';
	own = jobtext_make(squeue, scontrol ? scontrol : "", MARK, &lost);
	if (scontrol_parse(&list, &scontrol_job_type, own, &err) == 0)
		check_jobs(&list);
	scontrol_free(&list);
	free(squeue);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct {
		const struct record_type *type;
		void (*check)(const struct scontrol_list *);
	} kinds[] = {
		{ &scontrol_node_type, check_nodes },
		{ &scontrol_job_type, check_jobs },
		{ &scontrol_partition_type, check_partitions },
		{ &scontrol_reservation_type, check_reservations },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct scontrol_list list;
		struct sfab_err err = { 0 };

		if (scontrol_parse(&list, kinds[i].type, fuzz_copy(data, size), &err) == 0)
			kinds[i].check(&list);
		else
			fuzz_check(!list.n && strncmp(err.text, "scontrol show ", 14) == 0);
		scontrol_free(&list);
	}
	make_text(data, size);
	return 0;
}
