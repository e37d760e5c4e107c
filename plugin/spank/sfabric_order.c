/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sfabric_order.c - SPANK plugin: srun gives ranks to nodes in the order of the routes
 *
 *     optional sfabric_order.so dir=/shared/sfabric/orders [default=yes]
 *
 * sfabric-order-prolog leaves the order of each job in DIR/JOBID before the job begins: "#
 * NODELIST", then a node a line.  For `srun --route-order`, and with default=yes for every step
 * of all tasks of a job, srun reads it as SLURM_HOSTFILE, which must be set while options are
 * parsed: in the option's callback, or in slurm_spank_init().
 *
 * Whatever does not fit exactly leaves srun as it is: a hostfile that is wrong would end the
 * step.  What users say about nodes or tasks of a step counts more than any order; SPANK does
 * not show srun's options, so its command line is read.
 */
#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <slurm/spank.h>

SPANK_PLUGIN(sfabric_order, 1);

/* The mark of place/plugin_mark.h, by which `sfabric check` knows this file. */
#define MARK_OF(slurm) MARK_TEXT(slurm)
#define MARK_TEXT(slurm) "sfabric plugin " SFABRIC_VERSION " for Slurm " #slurm
const char sfabric_version[] = MARK_OF(SLURM_VERSION_NUMBER);

#define ORDER_BYTES_MAX (8 << 20)	/* 30,000 of the longest names */
#define COMMAND_BYTES_MAX (1 << 20)	/* longer command lines are not read */
#define HOSTFILE "SLURM_HOSTFILE"

static char order_dir[4096] = "/var/spool/sfabric/orders";
static int hostfile_fd = -1;		/* the file that SLURM_HOSTFILE names; -1: none */

static const char *env_text(const char *name)
{
	const char *text = getenv(name);

	return text ? text : "";
}

/* Return the number in the environment; @missing if it is not set, 0 if it is none. */
static unsigned long env_number(const char *name, unsigned long missing)
{
	const char *text = getenv(name);
	char *end;
	unsigned long x;

	if (!text)
		return missing;
	x = isdigit((unsigned char) *text) ? strtoul(text, &end, 10) : 0;
	return x && !*end && x <= 10000000 ? x : 0;
}

/* Read a file of at most @max bytes, with a 0 after them; NULL: none. */
static char *read_whole(int fd, size_t max, size_t *size)
{
	char *text = malloc(max + 1);
	ssize_t n = 1;

	*size = 0;
	while (text && n > 0 && *size < max) {
		n = read(fd, text + *size, max - *size);
		*size += n > 0 ? (size_t) n : 0;
	}
	if (text && n == 0) {
		text[*size] = '\0';
		return text;
	}
	free(text);
	return NULL;
}

/* -- is the step one of all tasks on all nodes? ------------------------------ */

/* Is the word about nodes, tasks or their distribution? */
static int is_about_nodes(const char *word)
{
	static const char *const words[] = {
		"--nodes", "--nodel", "--nodef", "--nt", "--dis", "--rel", "--excl",
		"--het", "--no-alloc", "--arb",
	};

	if (strcmp(word, ":") == 0)
		return 1;
	if (word[0] == '-' && word[1] != '-')
		return strpbrk(word, "nNmwrxFZ") != NULL;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strncmp(word, words[i], strlen(words[i])) == 0)
			return 1;
	return 0;
}

/*
 * Tell why the command line does not allow an order; NULL: it does.  A word of the program
 * itself looks the same, unless it stands after "--".
 */
static const char *command_line_reason(void)
{
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	size_t size = 0;
	char *text = fd < 0 ? NULL : read_whole(fd, COMMAND_BYTES_MAX, &size);
	const char *reason = text ? NULL : "its command line cannot be read";

	if (fd >= 0)
		close(fd);
	for (size_t offset = 0; !reason && offset < size; offset += strlen(text + offset) + 1) {
		if (strcmp(text + offset, "--") == 0)
			break;
		if (offset && is_about_nodes(text + offset))
			reason = "the command line chooses nodes or tasks (words after "
				 "-- do not count)";
	}
	free(text);
	return reason;
}

/* Return the tasks on each node; 0: not the same on all. */
static unsigned long tasks_per_node(unsigned long nodes)
{
	unsigned long tasks = env_number("SLURM_NTASKS", nodes);

	if (!nodes || tasks % nodes ||
	    (getenv("SLURM_NTASKS") && strchr(env_text("SLURM_TASKS_PER_NODE"), ',')))
		return 0;
	return tasks / nodes;
}

/* -- the order --------------------------------------------------------------- */

/* Read the job's order as text, if nobody else could have written it. */
static char *read_order(void)
{
	char path[sizeof(order_dir) + 32];
	struct stat dir, file;
	size_t size;
	char *text = NULL;
	int fd;

	snprintf(path, sizeof(path), "%s/%lu", order_dir,
		 env_number("SLURM_JOB_ID", 0));
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	if (stat(order_dir, &dir) == 0 && fstat(fd, &file) == 0 &&
	    S_ISREG(file.st_mode) && !((dir.st_mode | file.st_mode) & 022) &&
	    (file.st_uid == dir.st_uid || file.st_uid == 0))
		text = read_whole(fd, ORDER_BYTES_MAX, &size);
	close(fd);
	return text;
}

static int is_node_name(const char *name)
{
	size_t n = strlen(name);

	return n && n < 256 && name[0] != '-' &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		      "0123456789._-") == n;
}

/* Write each node @tasks times.  Return how many nodes there are; 0: something is wrong. */
static unsigned long write_nodes(FILE *out, char *text, unsigned long tasks)
{
	char *save = NULL, *line = strtok_r(text, "\n", &save);
	unsigned long nodes = 0;

	/* It may be of another run of this job id, or the job was resized since. */
	if (!line || strncmp(line, "# ", 2) != 0 ||
	    strcmp(line + 2, env_text("SLURM_JOB_NODELIST")) != 0)
		return 0;
	while ((line = strtok_r(NULL, "\n", &save))) {
		if (!is_node_name(line))
			return 0;
		nodes++;
		for (unsigned long t = 0; t < tasks; t++)
			fprintf(out, "%s\n", line);
	}
	return nodes;
}

/* Make a file in memory with a line a task; -1: there is no order that fits. */
static int make_hostfile(unsigned long nodes, unsigned long tasks)
{
	char *text = read_order();
	int fd = text ? memfd_create("sfabric-order", MFD_CLOEXEC) : -1;
	int copy = fd < 0 ? -1 : dup(fd);
	FILE *out = copy < 0 ? NULL : fdopen(copy, "w");
	int is_good = 0;

	if (out) {
		is_good = write_nodes(out, text, tasks) == nodes;
		is_good &= fclose(out) == 0;
	} else if (copy >= 0) {
		close(copy);
	}
	free(text);
	if (is_good)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static void drop_hostfile(void)
{
	if (hostfile_fd < 0)
		return;
	unsetenv(HOSTFILE);
	close(hostfile_fd);
	hostfile_fd = -1;
}

/* Make srun use the order.  NULL: it will.  Otherwise the reason why not is returned. */
static const char *use_order(void)
{
	unsigned long nodes = env_number("SLURM_JOB_NUM_NODES", 0);
	unsigned long tasks = tasks_per_node(nodes);
	const char *reason;
	char path[64];

	if (!*env_text("SLURM_JOB_ID") || !*env_text("SLURM_JOB_NODELIST"))
		return "it works only within a job";
	if (getenv("SLURM_HET_SIZE"))
		return "the job is heterogeneous";
	if (getenv(HOSTFILE) || getenv("SLURM_DISTRIBUTION"))
		return "the environment has a distribution";
	reason = command_line_reason();
	if (reason)
		return reason;
	if (!tasks)
		return "the nodes have different numbers of tasks";
	hostfile_fd = make_hostfile(nodes, tasks);
	if (hostfile_fd < 0)
		return "no order was left for these nodes";
	/* A copy of the descriptor has its own offset when it is opened by path. */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", hostfile_fd);
	if (setenv(HOSTFILE, path, 1) == 0)
		return NULL;
	drop_hostfile();
	return "out of memory";
}

/* -- SPANK ------------------------------------------------------------------- */

static int take_option(int val, const char *arg, int remote)
{
	const char *reason;

	if (remote)
		return 0;
	drop_hostfile();
	if (arg && strcmp(arg, "no") == 0)
		return 0;
	if (arg && strcmp(arg, "yes") != 0) {
		slurm_error("sfabric: --route-order=%.40s (expected yes or no)", arg);
		return -1;
	}
	reason = use_order();
	if (reason)
		slurm_info("sfabric: ranks stay as they are: %s", reason);
	return 0;
}

static struct spank_option route_order = {
	(char *) "route-order", (char *) "yes|no",
	(char *) "give ranks to nodes in the order of the fabric's routes (yes)",
	2, 0, take_option,
};

int slurm_spank_init(spank_t sp, int argc, char **argv)
{
	int is_default = 0;	/* does the site want it for all steps? */

	if (spank_context() != S_CTX_LOCAL)
		return 0;
	if (spank_option_register(sp, &route_order) != ESPANK_SUCCESS)
		slurm_error("sfabric_order: --route-order cannot be registered");
	for (int i = 0; i < argc; i++) {
		if (strncmp(argv[i], "dir=/", 5) == 0 &&
		    strlen(argv[i]) < sizeof(order_dir))
			strcpy(order_dir, argv[i] + 4);
		else if (strcmp(argv[i], "default=yes") == 0)
			is_default = 1;
		else if (strcmp(argv[i], "default=no") != 0)
			slurm_error("sfabric_order: %.200s (expected dir=/DIR or "
				    "default=yes|no)", argv[i]);
	}
	if (is_default)
		use_order();
	return 0;
}

/* Drop the file, which srun has read: its tasks must not inherit a name that only srun can open. */
int slurm_spank_init_post_opt(spank_t sp, int argc, char **argv)
{
	drop_hostfile();
	return 0;
}
