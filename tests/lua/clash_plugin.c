/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clash_plugin.c - our side of clash.c: scripts and what they decide */

#include <stdio.h>
#include <string.h>

#include "lua/script.h"

static const char script[] =
	"local t = {} for i = 1, 300 do t[i] = ('X'):lower() .. i end\n"
	"return { job = function(j) for k, v in pairs(t) do\n"
	"assert(v == 'x' .. k) end\n"
	"if number(j.name) % 7 == 0 then error('seven') end\n"
	"return { traffic = 'mpi=0.' .. number(j.name) } end }";

static int is_right(const struct sfab_script *s, const struct sfab_conf *conf,
		    int i, struct sfab_err *err)
{
	struct sfab_script_answer a;
	struct sfab_script_job job = { .name = NULL };
	char name[20], want[20], text[100];
	int rc;

	snprintf(name, sizeof(name), "job%d", i);
	snprintf(want, sizeof(want), "mpi=0.%d", i);
	job.name = name;
	rc = sfab_script_job(s, &job, conf, &a, err);
	if (i % 7 == 0)
		return rc < 0 && strstr(err->text, "seven");
	return rc == 0 && !strcmp(sfab_traffic_text(&a.traffic, text,
						    sizeof(text)), want);
}

__attribute__((visibility("default"))) const char *clash_run(int turns);

/* On a machine that was away meanwhile the bound on a script's time is hit. */
static int is_late(const struct sfab_err *err)
{
	return strstr(err->text, "of CPU time") != NULL;
}

/* NULL: all went well.  Late turns say nothing about two Luas, but half of them must be in time. */
const char *clash_run(int turns)
{
	static struct sfab_err err;
	struct sfab_conf *conf = sfab_conf_create();
	int right = 1, late = 0;

	for (int i = 1; right && i <= turns; i++) {
		struct sfab_script *s;

		err.text[0] = 0;
		s = sfab_script_parse(script, strlen(script), "clash", &err);
		right = s && is_right(s, conf, i % 9 + 1, &err);
		sfab_script_destroy(s);
		if (!right && is_late(&err) && ++late <= turns / 2)
			right = 1;
	}
	sfab_conf_destroy(conf);
	return right ? NULL : *err.text ? err.text : "a wrong answer";
}
