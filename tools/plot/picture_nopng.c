/* SPDX-License-Identifier: GPL-2.0-or-later */
/* picture_nopng.c - replaces picture_png.c if cairo is missing */

#include "tools/plot/picture.h"

static int refuse_picture(const char *what, struct sfab_err *err)
{
	return sfab_fail(err, SFAB_EINVAL, "%s: this sfabric was built without "
			 "cairo (expected another type: svg)", what);
}

int picture_png(const struct picture *p, FILE *out, struct sfab_err *err)
{
	return refuse_picture("PNG", err);
}

int picture_pdf(const struct picture *p, FILE *out, struct sfab_err *err)
{
	return refuse_picture("PDF", err);
}
