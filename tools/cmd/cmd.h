/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd.h - the subcommands of `sfabric`
 *
 * Each command is one row of the table in main.c and one file.  A command gets only its own
 * arguments: argv[0] is "sfabric NAME", so that usage texts and option errors name it.  It
 * returns an exit status (tools/ui/status.h) and frees what it allocated.
 */
#ifndef SFAB_CMD_H
#define SFAB_CMD_H

struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *doc;	/* one line for `sfabric --help` */
};

/* The commands in order of their names; the rows are in main.c. */
int cmd_audit(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_collect(int argc, char **argv);	/* if HAVE_INFINIBAND */
int cmd_explain(int argc, char **argv);
int cmd_import(int argc, char **argv);
int cmd_learn(int argc, char **argv);
int cmd_load(int argc, char **argv);
int cmd_metrics(int argc, char **argv);
int cmd_order(int argc, char **argv);
int cmd_place(int argc, char **argv);
int cmd_plot(int argc, char **argv);
int cmd_policy(int argc, char **argv);
int cmd_predict(int argc, char **argv);
int cmd_receive(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_rotate(int argc, char **argv);
int cmd_route(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_synth(int argc, char **argv);
int cmd_top(int argc, char **argv);
int cmd_topology(int argc, char **argv);
int cmd_web(int argc, char **argv);
int cmd_whatif(int argc, char **argv);

#endif
