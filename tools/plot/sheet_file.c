/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sheet_file.c - a sheet of heat maps as a file; see sheet_file.h */

#include "tools/plot/sheet_file.h"

#include <string.h>

#include "tools/plot/page.h"
#include "tools/plot/picture.h"
#include "tools/ui/output.h"

static const char *extension_of_path(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot ? dot + 1 : "";
}

int sheet_can_write(const char *path)
{
	const char *end = extension_of_path(path);

	return strcmp(end, "svg") == 0 || strcmp(end, "html") == 0;
}

int sheet_write(const struct sheet *s, const char *path, struct sfab_err *err)
{
	struct picture picture;
	struct output out;

	if (output_open(&out, path, err) != 0)
		return -1;
	picture_init(&picture, s, s->nmaps);
	if (strcmp(extension_of_path(path), "html") == 0)
		page_html(&picture, out.file);
	else
		picture_svg(&picture, SVG_FILE, out.file);
	picture_free(&picture);
	return output_close(&out, err);
}
