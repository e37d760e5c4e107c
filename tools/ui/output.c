/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output.c - where a command writes; see output.h
 *
 * Standard output is written at once; a file collects in memory, and output_close() delivers
 * it.  Programs that read our files (Prometheus, a web server, slurmctld) never see half of
 * one.
 */

#include "tools/ui/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/file.h"

int output_open(struct output *o, const char *path, struct sfab_err *err)
{
	memset(o, 0, sizeof(*o));
	if (!path || strcmp(path, "-") == 0) {
		o->file = stdout;
		return 0;
	}
	o->path = path;
	o->file = open_memstream(&o->text, &o->size);
	if (!o->file)
		return sfab_no_memory(err);
	return 0;
}

int output_is_terminal(FILE *file)
{
	return file == stdout && isatty(STDOUT_FILENO);
}

void output_drop(struct output *o)
{
	if (o->file && o->path)
		fclose(o->file);
	free(o->text);
	memset(o, 0, sizeof(*o));
}

int output_close(struct output *o, struct sfab_err *err)
{
	int rc;

	if (!o->path) {
		/*
		 * A full disk or a closed pipe shows only here.  Without this check `sfabric
		 * show >/full/file` would end with 0.
		 */
		rc = fflush(stdout) == 0 && !ferror(stdout) ? 0 : -1;
		o->file = NULL;
		if (rc != 0)
			sfab_fail(err, SFAB_EIO, "standard output: %s",
				  strerror(errno));
		return rc;
	}
	rc = fclose(o->file);
	o->file = NULL;
	if (rc != 0)
		sfab_fail(err, SFAB_EIO, "%s: %s", o->path, strerror(errno));
	else
		rc = sfab_file_write(o->path, o->text, o->size, SFAB_FILE_USUAL_MODE, err);
	output_drop(o);
	return rc == 0 ? 0 : -1;
}
