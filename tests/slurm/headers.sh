#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# headers.sh - do these versions of Slurm have what the hook needs?
#
#     headers.sh DIR...		configured source trees of Slurm
#
# Compiles plugin/slurm against the headers of each, with all warnings as errors,
# and prints a line for each.  That says nothing of how such a plugin works: it
# is run on the two versions that tests/slurm has.  Status 1: one does not compile.
: "${SFAB_SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd)}"
status=0

version () {
	sed -n 's/^#define SLURM_VERSION_STRING *"\(.*\)"/\1/p' \
		"$1/slurm/slurm_version.h" "$1/config.h" 2>/dev/null | head -n1
}

compiles () {
	for file in "$SFAB_SRCDIR"/plugin/slurm/*.c; do
		${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -Wno-unused-parameter -Werror -DNDEBUG -D_GNU_SOURCE \
			-DSFABRIC_VERSION='""' -iquote "$SFAB_SRCDIR" \
			-isystem "$1" -c -o /dev/null "$file" || return 1
	done
}

test $# -gt 0 || { echo "usage: headers.sh DIR..." >&2; exit 2; }
for dir; do
	if compiles "$dir"; then
		echo "$(version "$dir") compiles"
	else
		echo "$(version "$dir") does not compile"
		status=1
	fi
done
exit $status
