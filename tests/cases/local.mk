# SPDX-License-Identifier: GPL-2.0-or-later
# published cases; the names are those of the scripts in etc/cases.
# Automake takes the words of TESTS as they stand, before any substitution.
case_names = \
	cresco8 \
	livermore \
	luna \
	mustang \
	omnipath \
	ordinary \
	ring \
	shared \
	talon \
	wolf
case_tests = \
	tests/cases/cresco8.t \
	tests/cases/livermore.t \
	tests/cases/luna.t \
	tests/cases/mustang.t \
	tests/cases/omnipath.t \
	tests/cases/ordinary.t \
	tests/cases/ring.t \
	tests/cases/shared.t \
	tests/cases/talon.t \
	tests/cases/wolf.t
dist_check_SCRIPTS += $(case_tests)
TESTS += $(case_tests)
EXTRA_DIST += tests/cases/case.sh $(case_names:%=etc/cases/%) \
	etc/cases/chart.awk etc/cases/directors.sh etc/cases/lib.sh \
	etc/cases/run etc/cases/splice etc/cases/table.awk

# run all cases and put what they find into doc/cases.md
.PHONY: cases
cases: tools/sfabric$(EXEEXT)
	set -e; cd '$(srcdir)' && srcdir=$$PWD && cd '$(abs_builddir)' && \
	mkdir -p "$$srcdir/doc/cases"; \
	for name in $(case_names); do \
		"$$srcdir/etc/cases/run" . $$name cases/$$name; \
		"$$srcdir/etc/cases/splice" "$$srcdir/doc/cases.md" $$name \
			cases/$$name/table.md >cases/page.md; \
		cat cases/page.md >"$$srcdir/doc/cases.md"; \
		for made in cases/$$name/*.svg; do \
			cp $$made "$$srcdir/doc/cases/$$name-$${made##*/}"; \
		done; \
	done
