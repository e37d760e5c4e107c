#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# deps.t - the dependency rule, from the #includes and from the symbols
#
#   core <- io, lua <- place <- plugin/slurm
#   plugin/opensm uses core and io; tools use core, io, lua and place
#
# and inside of them
#
#   core, core/fabric <- core/load <- core/search
#   core/load <- core/predict <- core/audit, core/estimate
#   io <- io/readers <- io/counters <- io/wire; io <- io/conf, io/snapshot
#   tools/ui <- tools/slurm <- tools/site <- tools/preview <- the others
#   tools/ui <- tools/log, tools/opensm
#
# An include of our own is written from the top of the tree.
test_description='who may include and call whom'
. "$(dirname "$0")/lib/setup.sh"

# All includes of a folder: "FILE:LINE TARGET"; our own files as a path from
# the top, all others as <TARGET>.
includes () {
	find "$1" -name '*.[ch]' -exec grep -Hn '^[ 	]*#[ 	]*include' {} + |
	sed -E 's/^([^:]*:[0-9]+):[^<"]*([<"][^>"]*[>"]).*/\1 \2/' |
	while read -r where target; do
		name=${target#?} name=${name%?}
		test -f "$name" && echo "$where $name" || echo "$where <$name>"
	done
}

# may_include FOLDER OWN...: own files only from OWN folders
may_include () {
	folder=$1
	shift
	allowed=$(printf '|%s/' "$@")
	(cd "$SFAB_SRCDIR" && test ! -d "$folder" || includes "$folder") >list
	grep -v ' <' list | grep -Ev " (${allowed#|})" >bad
	show_bad "$folder may include only: $*"
}

# Pass when the file bad is empty, else say what the rule is.
show_bad () {
	test ! -s bad && return 0
	echo "$1" >&2
	cat bad >&2
	return 1
}

# foreign FOLDER: the headers of others that a folder includes
foreign () {
	(cd "$SFAB_SRCDIR" && test ! -d "$1" || includes "$1") | grep ' <'
}

# All quoted includes: "FILE NAME"
quoted () {
	grep -rH --include='*.[ch]' '^[ 	]*#[ 	]*include[ 	]*"' "$@" |
	sed -E 's/^([^:]*):[^"]*"([^"]*)".*/\1 \2/'
}

# Those that name a header by its place beside the file
beside () {
	while read -r file name; do
		test -f "$name" || test ! -f "$(dirname "$file")/$name" ||
			echo "$file: $name"
	done
}

test_expect_success 'own headers are included from the top' '
	(cd "$SFAB_SRCDIR" && quoted core io lua place plugin tools tests >"$OLDPWD/all" &&
		beside <"$OLDPWD/all") >bad &&
	test $(wc -l <all) -gt 500 &&
	show_bad "write an include from the top, as core/fabric/route.h"'

test_expect_success 'a file is known by its name: none is there twice' '
	(cd "$SFAB_SRCDIR" && find core io lua place plugin tools tests \
		-path tests/run -prune -o -name "*.[ch]" -print) |
		sed "s|.*/||" | sort | uniq -d >bad
	show_bad "give one of the two files another name"'

(cd "$SFAB_SRCDIR" && for d in core io lua place plugin tools; do includes "$d"; done) >all_includes

test_expect_success 'what is private in a folder stays there' '
	sed -nE "s|^(.*)/([^/]*) (.*)/([^/]*_private\.h)\$|\1 \3 \2 \4|p" all_includes >list &&
	test -s list && awk "\$1 != \$2" list >bad
	show_bad "name a header _private only if no other folder needs it"'

# NAME_private.h includes NAME.h
test_expect_success 'a .c includes its own header first' '
	sed -n "s/\.c:[0-9]* / /p" all_includes | awk "!seen[\$1]++" >first &&
	while read -r file header; do
		test ! -f "$SFAB_SRCDIR/$file.h" || case $header in
		$file.h | ${file}_private.h) ;;
		*) echo "$file.c: $header" ;;
		esac
	done <first >bad
	show_bad "a header that its own .c includes first needs no other before it"'

test_expect_success 'core includes only core' '
	may_include core core'
test_expect_success 'io includes only io and core' '
	may_include io io core'
test_expect_success 'lua includes only lua, core and io' '
	may_include lua lua core io'
test_expect_success 'place includes only place, core, io and lua' '
	may_include place place core io lua'
test_expect_success 'plugin/slurm includes nothing of tools or OpenSM' '
	may_include plugin/slurm plugin/slurm place core io lua'
test_expect_success 'plugin/opensm includes only itself, core and io' '
	may_include plugin/opensm plugin/opensm core io'
test_expect_success 'tools include no plugin' '
	may_include tools tools place core io lua'

# room FOLDER OTHER...: of the same part of the tree, the files of a folder use
# only their own folder and the others named
room () {
	room=$1
	allowed=$(printf '|%s/[^/]*' "$@")
	(cd "$SFAB_SRCDIR" && includes "$room") >list
	grep "^$room/[^/]* ${room%%/*}/" list | grep -Ev " (${allowed#|})\$" >bad
	show_bad "$room may include only: $*" && test -s list
}

test_expect_success 'core: the fabric, then loads, then the search' '
	room core && room core/fabric core && room core/load core/fabric core &&
	room core/search core/load core/fabric core &&
	room core/predict core/load core/fabric core &&
	room core/audit core/predict core/load core/fabric core &&
	room core/estimate core/predict core/load core/fabric core'
test_expect_success 'io: each kind of file for itself' '
	room io && room io/readers io && room io/counters io/readers io &&
	room io/wire io/counters io && room io/conf io && room io/snapshot io &&
	room io/learn io'
test_expect_success 'place: a request knows no state' '
	room place/request place place/log lua io core'
test_expect_success 'tools: what commands share knows no command' '
	room tools/ui && room tools/slurm tools/ui && room tools/log tools/ui &&
	room tools/opensm tools/ui && room tools/site tools/slurm tools/ui &&
	room tools/preview tools/site tools/slurm tools/ui'

# What the includes may hide.  The first lines of graph are circles of files.
all_objects () {
	(cd "$SFAB_BUILDDIR" && find core io lua place plugin tools -name "lib*.a" \
		-o -path "tools/*" -name "sfabric-*.o" | sed "s|^|$SFAB_BUILDDIR/|")
}
test_expect_success 'who calls whom is known' '
	"${PYTHON:-/usr/bin/python3}" "$SFAB_SRCDIR/tests/circles.py" $(all_objects) >graph &&
	test $(grep -c " uses " graph) -gt 100'

# calls FOLDER OTHER...: of the same part of the tree it calls only these
calls () {
	allowed=$(printf '|%s' "$@")
	grep "^$1 uses ${1%%/*}[/:]" graph | grep -Ev " uses (${allowed#|}):" >bad
	show_bad "$1 may call only: $*"
}

test_expect_success 'rooms call whom they may include' '
	calls core && calls core/fabric core && calls core/load core/fabric core &&
	calls core/search core/load core/fabric core &&
	calls core/predict core/load core/fabric core &&
	calls core/audit core/predict core/load core/fabric core &&
	calls core/estimate core/predict core/load core/fabric core &&
	calls io && calls io/readers io/counters io && calls io/counters io/readers io &&
	calls io/wire io/counters io && calls io/conf io && calls io/snapshot io &&
	calls io/learn io &&
	calls tools/ui && calls tools/slurm tools/ui && calls tools/log tools/ui &&
	calls tools/opensm tools/ui && calls tools/site tools/slurm tools/ui &&
	calls tools/preview tools/site tools/slurm tools/ui'
test_expect_success 'only main calls a command' '
	grep " uses tools/cmd:" graph | grep -v "^tools uses " >bad
	show_bad "a command calls what it shares with others in a folder of their own"'

# a number that may only fall: files of a circle can only be understood together
circles_most=0
test_expect_success "circles of more than two files: at most $circles_most" '
	grep "^circle:" graph >bad
	test $(wc -l <bad) -le $circles_most || show_bad "a new circle"'

pure='assert|errno|float|inttypes|limits|math|stdalign|stdarg|stdbool|stddef'
pure="$pure|stdint|stdio|stdlib|string|strings|uthash|utlist"
test_expect_success 'core knows no header but the C library and uthash' '
	foreign core | grep -Ev " <($pure)\.h>" >bad
	show_bad "core: only <${pure}.h>"'

test_expect_success 'only plugin/slurm includes Slurm headers' '
	for d in core io lua place plugin/opensm tools; do
		foreign $d | grep -E " <(slurm/|src/|slurm)" 
	done >bad
	show_bad "Slurm headers belong to plugin/slurm"'

test_expect_success 'who asks the wire includes InfiniBand headers' '
	for d in core io lua place plugin/slurm tools; do
		foreign $d | grep " <infiniband/"
	done | sed "s/:.*//" | sort -u >files
	grep -vxE "io/wire/(wire|performance).c" files >bad
	show_bad "infiniband/*.h: two files of io/wire, and plugin/opensm"'

# What the pure model may call.  Anything with a file, a clock, an
# environment, a log or an exit in it is not here.
libc='malloc|calloc|realloc|free|mem(cpy|move|set|cmp|chr)|qsort|bsearch'
libc="$libc|str(len|cmp|ncmp|casecmp|ncasecmp|chr|rchr|str|dup|ndup|cspn|spn)"
libc="$libc|strtou?ll?|strtod|v?snprintf|__(ctype_b|ctype_tolower|errno)_?loc.*"
libm='(f?abs|sqrt|pow|exp2?|log2?|floor|ilogb|ceil|l?l?round|fmin|fmax|fmod|hypot)f?'
made='_GLOBAL_OFFSET_TABLE_|__stack_chk_fail|__(a|ub)san_.*|__sanitizer_.*'
# __popcountdi2: the compiler's own, where the processor has no instruction for it
core_calls="^($libc|$libm|$made|sfab_.*|__(.*)_chk|__popcountdi2)\$"

# objects PROGRAM...: of all that core's libraries are made of
objects () {
	"$@" "$SFAB_BUILDDIR"/core/lib*.a
}

test_expect_success 'core calls only its own and allow-listed functions' '
	objects nm -u >undefined &&
	awk "/:\$/ { file = \$1 } \$1 == \"U\" { print \$2, file }" undefined |
	sed "s/^\([^ @]*\)@[^ ]*/\1/" | sort -u >calls &&
	test -s calls &&
	awk -v ok="$core_calls" "\$1 !~ ok" calls >bad &&
	show_bad "core calls what a pure model must not"'

# sanitizers put data of their own into every object
grep -q 'SANITIZERS_TRUE.*"#"' "$SFAB_BUILDDIR/config.status" &&
	test_set_prereq PLAIN

test_expect_success PLAIN 'core has no global variables' '
	objects size -A >sections && test -s sections &&
	awk "/:\$/ { file = \$1 }
	     \$1 ~ /^\.(data|bss|tdata|tbss)\$/ && \$2 > 0 { print file, \$1, \$2 }" \
		sections >bad &&
	show_bad "core: state belongs to the caller"'

# needed FILE: the libraries it names
needed () {
	readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'
}

select_plugin=$SFAB_BUILDDIR/plugin/slurm/select_cons_tres.so
test -f "$select_plugin" && test_set_prereq SLURM_PLUGIN

test_expect_success SLURM_PLUGIN 'slurmctld gets libc, libm and stock' '
	needed "$select_plugin" >libs &&
	grep -qx "select_cons_tres.so" libs &&
	grep -Ev "^(libc|libm|ld-linux.*|select_cons_tres)\.so" libs |
		grep -Ev "^lib(lua[0-9.-]*|asan|ubsan)\.so" >bad
	show_bad "the Slurm plugin links only libc, libm and stock"'

test_expect_success SLURM_PLUGIN 'slurmctld sees only what a plugin has' '
	nm -D --defined-only "$select_plugin" | awk "{ print \$3 }" |
	grep -Ev "^(init|fini|plugin_[a-z]+|select_p_[a-z_]+|sfabric_version)$" \
		>bad
	show_bad "the Slurm plugin exports only its entry points"'

# what OpenSM loads
osm_plugin=$SFAB_BUILDDIR/plugin/opensm/libosmsfabric.so
test -f "$osm_plugin" && test_set_prereq OPENSM_PLUGIN

test_expect_success 'OpenSM headers: only where OpenSM is copied from' '
	foreign plugin/opensm | grep -E " <(opensm|complib|iba|vendor|infiniband)/" |
	grep -Ev "^plugin/opensm/(osm\.h|plugin\.c):" >bad
	show_bad "OpenSM headers: plugin/opensm/osm.h and plugin.c"'

test_expect_success OPENSM_PLUGIN 'opensm gets libc, libm and its own' '
	needed "$osm_plugin" >libs &&
	grep -Ev "^(libc|libm|ld-linux.*|libopensm|libosmcomp|libosmvendor)\.so" \
		libs | grep -Ev "^lib(asan|ubsan)\.so" >bad
	show_bad "the OpenSM plugin links only libc, libm and OpenSM"'

test_expect_success OPENSM_PLUGIN 'opensm sees one symbol of it' '
	nm -D --defined-only "$osm_plugin" | awk "{ print \$3 }" >exported &&
	grep -qx osm_event_plugin exported &&
	{ grep -vx osm_event_plugin exported >bad
	show_bad "the OpenSM plugin exports only osm_event_plugin"; }'

test_done
