/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * script_none.c - a build without Lua: there are no scripts; see script.h
 *
 * All functions of script.h are here, so that no caller has to know about the build.  A conf
 * that names a script gets an error that says why there is none.
 */

#include "lua/script.h"

#include <string.h>

const char *sfab_script_language(void)
{
	return NULL;
}

struct sfab_script *sfab_script_parse(const char *text, size_t size,
				      const char *name, struct sfab_err *err)
{
	sfab_fail(err, SFAB_EINVAL, "%s: sfabric was built without Lua", name);
	return NULL;
}

struct sfab_script *sfab_script_load(const char *path,
				     const struct sfab_trust *trust,
				     struct sfab_err *err)
{
	return sfab_script_parse("", 0, path, err);
}

void sfab_script_destroy(struct sfab_script *s)
{
}

int sfab_script_is_same(const struct sfab_script *a, const struct sfab_script *b)
{
	return a == b;
}

int sfab_script_job(const struct sfab_script *s,
		    const struct sfab_script_job *job,
		    const struct sfab_conf *conf,
		    struct sfab_script_answer *out, struct sfab_err *err)
{
	memset(out, 0, sizeof(*out));
	return 0;
}

int sfab_script_hosts(const struct sfab_script *s, const struct sfab_fabric *f,
		      struct sfab_script_hosts *out, struct sfab_err *err)
{
	memset(out, 0, sizeof(*out));
	return 0;
}

void sfab_script_hosts_clear(struct sfab_script_hosts *h)
{
}
