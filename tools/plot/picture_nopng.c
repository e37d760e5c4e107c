/* SPDX-License-Identifier: GPL-2.0-or-later */
/* picture_nopng.c - in place of picture_png.c where cairo is missing */

#include "picture.h"

int picture_png(const struct picture *p, FILE *out, struct sfab_err *err)
{
	return sfab_fail(err, SFAB_EINVAL, "PNG: this sfabric was built without "
			 "cairo (expected another type: svg)");
}
