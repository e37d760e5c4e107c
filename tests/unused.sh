#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# unused.sh - functions that nobody calls, from the objects of a build
#
# usage: sh ../tests/unused.sh        in the build folder, after "make" and,
#                                     for what only tests call, "make check"
#
# Run by hand.  Prints a function, what is wrong with it, and its object:
#
#   nobody      neither other files nor tests call it; its own file may, inlined
#   tests       only tests call it
#   own file    only its own file calls it: it could be static
#
# Not seen: inline functions of headers, and calls through a table of another
# file count as calls.
set -eu
test -x tools/sfabric || { echo "unused.sh: run it in a build folder" >&2; exit 1; }

# objects FOLDER...: "OBJECT defines|uses FUNCTION"
objects () {
	find "$@" -name '*.o' ! -path '*/run/*' | while read -r object; do
		readelf -sW "$object" | awk -v o="$object" \
			'$4 == "FUNC" && $5 == "GLOBAL" { print o, "defines", $8 }'
		readelf -rW "$object" | awk -v o="$object" \
			'$1 ~ /^[0-9a-f]+$/ && $5 ~ /^[a-z_]/ { print o, "uses", $5 }' |
			sort -u
	done
}

# what programs that load us look up by name
entry='^(main|init|fini|plugin_[a-z]+|select_p_[a-z_]+)$'

{
	objects $(ls -d core io lua place plugin tools 2>/dev/null || :)
	objects tests
} | awk -v entry="$entry" '
	$2 == "defines" && $1 !~ /^tests\// && $3 !~ entry { at[$3] = $1 }
	$2 == "uses" { users[$3] = users[$3] " " $1 }
	END {
		for (f in at) {
			n = split(users[f], user, " ")
			own = other = test = 0
			for (i = 1; i <= n; i++)
				if (user[i] ~ /^tests\//)
					test = 1
				else if (user[i] == at[f])
					own = 1
				else
					other = 1
			if (!other)
				print f, own ? "own file" : test ? "tests" : \
					"nobody", at[f]
		}
	}' | sort
