# SPDX-License-Identifier: GPL-2.0-or-later
# hardened.sh - what the compiler's and linker's hardening left in a program
#
#	. "$SFAB_SRCDIR/tests/package/hardened.sh"
#	is_hardened FILE && binds_now FILE

# is_hardened FILE: read-only relocations, no code that is written to, no stack
# that is run, canaries, checked copies
is_hardened () {
	readelf -W -l "$1" >segments &&
	grep -q GNU_RELRO segments &&
	grep "GNU_STACK.* RW " segments &&
	readelf -W -d "$1" >dynamic &&
	! grep TEXTREL dynamic &&
	nm -D --undefined-only "$1" >open &&
	grep " __stack_chk_fail" open &&
	grep " __[a-z]*_chk\(@\|\$\)" open && return 0
	echo "$1 is not hardened" >&2
	return 1
}

# binds_now FILE: every symbol when it is loaded, all of the table read-only then
binds_now () {
	readelf -W -d "$1" >dynamic &&
	grep "FLAGS.* \(BIND_\)\{0,1\}NOW" dynamic
}

# is_pie FILE: a program that loads anywhere
is_pie () {
	readelf -W -d "$1" >dynamic &&
	grep "FLAGS_1.* PIE" dynamic
}
