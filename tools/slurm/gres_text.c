/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gres_text.c - generic resources as sbatch and scontrol write them
 *
 *     gpu:2,gpu:a100:4(S:0-1),bandwidth:no_consume:4G
 *
 * NAME, perhaps TYPE, perhaps COUNT with a unit in powers of 1024.  What stands in parentheses
 * says where the devices are; for a number per node it does not matter.
 */

#include "tools/slurm/gres_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/ui/number.h"

/* A piece of a text of the caller, without a NUL. */
struct gres_part {
	const char *text;
	size_t n;
};

struct device {
	struct gres_part name, type; /* type.n 0: any */
	uint64_t count;
};

/* Parse "2" or "4G".  -1: not a number, and @count stays. */
static int parse_device_count(struct gres_part p, uint64_t *count)
{
	uint64_t n;
	const char *end = number_take(p.text, UINT64_MAX, &n);

	if (end && end < p.text + p.n)
		n <<= number_take_unit(&end, "kmgt");
	if (end != p.text + p.n)
		return -1;
	*count = n;
	return 0;
}

/* Take the text up to a colon or the end of the device, and move *@text past it. */
static struct gres_part take_part(const char **text, const char *end)
{
	struct gres_part p = {*text, 0};

	while (p.text + p.n < end && p.text[p.n] != ':')
		p.n++;
	*text = p.text + p.n + (p.text + p.n < end);
	return p;
}

/*
 * Take the next device of a list.  1: it is *@d, and *@list is what follows; 0: none is left;
 * -1: the list is wrong.  A last part that is no number is the type: "gpu:a100" is one a100.
 * Words between the name and that part are types as well, and the last of them counts, so
 * "no_consume" is taken for one.
 */
static int next_device(const char **list, struct device *d)
{
	const char *p = *list, *end;
	struct gres_part last = {0};

	if (!p || !*p)
		return 0;
	end = p + strcspn(p, ",(");
	*d = (struct device){ .name = take_part(&p, end), .count = 1 };
	while (p < end) {
		if (last.n)
			d->type = last;
		last = take_part(&p, end);
	}
	if (last.n && parse_device_count(last, &d->count) < 0)
		d->type = last;
	/* The end of a device: after the parentheses, at a comma or the end. */
	while (*end == '(') {
		end += strcspn(end, ")");
		end += *end == ')';
	}
	if (!d->name.n || (*end && *end != ','))
		return -1;
	*list = end + (*end == ',');
	return 1;
}

int gres_text_is_valid(const char *list)
{
	struct device d;
	int rc;

	do
		rc = next_device(&list, &d);
	while (rc > 0);
	return rc == 0;
}

static int is_same_part(struct gres_part a, struct gres_part b)
{
	return a.n == b.n && strncmp(a.text, b.text, a.n) == 0;
}

static uint64_t count_devices(const char *list, const struct device *kind)
{
	struct device d;
	uint64_t n = 0;

	while (next_device(&list, &d) > 0)
		if (is_same_part(d.name, kind->name) &&
		    (!kind->type.n || is_same_part(d.type, kind->type)))
			n += d.count;
	return n;
}

int gres_text_fits(const char *wanted, const char *all, const char *used)
{
	struct device want;

	while (next_device(&wanted, &want) > 0)
		if (count_devices(all, &want) < count_devices(used, &want) + want.count)
			return 0;
	return 1;
}

int gres_text_has_any(const char *list)
{
	struct device d;

	while (next_device(&list, &d) > 0)
		if (d.count)
			return 1;
	return 0;
}

int gres_text_share(const char *list, uint32_t times, uint32_t nodes, char *text,
		    size_t size)
{
	struct device d;
	size_t n = 0;

	*text = '\0';
	while (n < size && next_device(&list, &d) > 0) {
		if (!nodes || !times || d.count > UINT32_MAX ||
		    !d.count || d.count * times % nodes)
			return -1;
		n += (size_t) snprintf(text + n, size - n, "%s%.*s:%.*s%s%" PRIu64,
				       n ? "," : "", (int) d.name.n, d.name.text,
				       (int) d.type.n, d.type.n ? d.type.text : "",
				       d.type.n ? ":" : "", d.count * times / nodes);
	}
	return n < size ? 0 : -1;
}
