/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * day.c - points of the last day in a file; see day.h
 *
 * The file is text, a line for each point, written whole each time.  A line is "TIME JOBS BUSY
 * OVERFULL FULLEST SLOWDOWN", like "1767225600 41 512 3 1.25 1.08".  Lines that are damaged are
 * skipped; a file that is not ours is never overwritten.
 */

#include "tools/web/day.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "tools/ui/xalloc.h"

/* The file may be anywhere, named on a command line, so its first line says whose it is. */
#define DAY_HEAD "sfabric-day 1\n"
#define DAY_FILE_MAX (1u << 20)		/* bytes */
#define DAY_MODE 0644	/* a web server reads it */

int day_parse(struct day *d, const char *text)
{
	const size_t head = strlen(DAY_HEAD);
	const char *next;

	d->n = 0;
	if (!*text)
		return 0;
	if (strncmp(text, DAY_HEAD, head) != 0)
		return -1;
	for (text += head; (next = strchr(text, '\n')); text = next + 1) {
		struct day_point p;
		char end = 0;

		/*
		 * All fields are there, and in the range that the charts can draw.  1e11
		 * seconds is the year 5138.  No line of ours is as long, and sscanf() takes the
		 * length of the rest each time.
		 */
		if (next - text < 200 &&
		    sscanf(text, "%" SCNu64 " %" SCNu32 " %" SCNu32 " %" SCNu32 " %lf %lf%c",
			   &p.time_s, &p.jobs, &p.busy, &p.overfull, &p.fullest, &p.slowdown,
			   &end) == 7 &&
		    end == '\n' && p.time_s < 100000000000 && p.fullest >= 0 && p.fullest < 1e9 &&
		    p.slowdown >= 0 && p.slowdown < 1e9)
			day_add(d, &p);
	}
	return 0;
}

int day_load(struct day *d, const char *path, struct sfab_err *err)
{
	const struct sfab_trust any = { .max_size = DAY_FILE_MAX };
	uint8_t *buf;
	size_t size;
	int rc;

	d->n = 0;
	/* No file yet: this is the first run. */
	if (sfab_file_read(path, &any, &buf, &size, err) != 0)
		return err->code == SFAB_ENOENT ? 0 : -1;
	rc = day_parse(d, (const char *) buf);
	free(buf);
	return rc == 0 ? 0 : sfab_fail(err, SFAB_EFORMAT, "%s: not a history of sfabric "
				       "web: it is left as it is", path);
}

/*
 * Add a point, in order of time: points that are not older go, as after a clock that was set
 * back.  The last point is replaced until it is DAY_STEP_S from the one before, so that a page
 * that is made each minute does not fill the file.
 */
void day_add(struct day *d, const struct day_point *p)
{
	uint32_t first = 0, n = d->n;

	while (n && d->point[n - 1].time_s >= p->time_s)
		n--;
	if (n >= 2 && d->point[n - 1].time_s - d->point[n - 2].time_s < DAY_STEP_S)
		n--;
	/* Drop points older than DAY_SPAN_S. */
	while (first < n && d->point[first].time_s + DAY_SPAN_S < p->time_s)
		first++;
	if (n - first == DAY_POINTS_MAX)
		first++;
	d->n = n - first;
	memmove(&d->point[0], &d->point[first], d->n * sizeof(d->point[0]));
	d->point[d->n++] = *p;
}

int day_save(const struct day *d, const char *path, struct sfab_err *err)
{
	char *text;
	size_t size;
	FILE *out = xnonnull(open_memstream(&text, &size));
	int rc;

	fputs(DAY_HEAD, out);
	for (uint32_t i = 0; i < d->n; i++) {
		const struct day_point *p = &d->point[i];

		fprintf(out, "%" PRIu64 " %" PRIu32 " %" PRIu32 " %" PRIu32 " %.6g %.6g\n",
			p->time_s, p->jobs, p->busy, p->overfull, p->fullest,
			p->slowdown);
	}
	fclose(out);
	rc = sfab_file_write(path, xnonnull(text), size, DAY_MODE, err);
	free(text);
	return rc;
}
