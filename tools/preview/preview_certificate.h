/* SPDX-License-Identifier: GPL-2.0-or-later */
/* preview_certificate.h - what the tables prove about a set of hosts */
#ifndef SFAB_PREVIEW_CERTIFICATE_H
#define SFAB_PREVIEW_CERTIFICATE_H

#include <stdio.h>

#include "tools/preview/preview.h"

/* Set v->certificate for the hosts of @v.  SFAB_ENOMEM. */
int preview_certify(struct preview_context *p, struct preview *v, struct sfab_err *err);

/* The certificate as an object that the caller owns, and as lines of text. */
struct json_object *preview_certificate_json(const struct preview_context *p,
					     const struct preview *v);
void preview_certificate_text(const struct preview_context *p, const struct preview *v,
			      FILE *out);

#endif
