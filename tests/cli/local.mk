# SPDX-License-Identifier: GPL-2.0-or-later
# the longest one first
cli_tests = \
	tests/cli/replay_policy.t \
	tests/cli/check.t \
	tests/cli/counters.t \
	tests/cli/audit.t \
	tests/cli/every.t \
	tests/cli/explain.t \
	tests/cli/collide.t \
	tests/cli/completion.t \
	tests/cli/doc.t \
	tests/cli/import.t \
	tests/cli/learn.t \
	tests/cli/load.t \
	tests/cli/man.t \
	tests/cli/messages.t \
	tests/cli/metrics.t \
	tests/cli/mistakes.t \
	tests/cli/nnls.t \
	tests/cli/order.t \
	tests/cli/place.t \
	tests/cli/policy.t \
	tests/cli/plot.t \
	tests/cli/plot_page.t \
	tests/cli/receive.t \
	tests/cli/replay.t \
	tests/cli/report.t \
	tests/cli/roles.t \
	tests/cli/rotate.t \
	tests/cli/route.t \
	tests/cli/routes.t \
	tests/cli/schema.t \
	tests/cli/show.t \
	tests/cli/top.t \
	tests/cli/topology.t \
	tests/cli/units.t \
	tests/cli/usage.t \
	tests/cli/web.t \
	tests/cli/warnings.t
TESTS += $(cli_tests)
check_PROGRAMS += tests/cli/solve_nnls
tests_cli_solve_nnls_SOURCES = tests/cli/solve_nnls.c
tests_cli_solve_nnls_LDADD = $(core_link)
dist_check_SCRIPTS += $(cli_tests)
EXTRA_DIST += tests/cli/collide.py tests/cli/contrast.py tests/cli/counted.sh \
	tests/cli/every.sh tests/cli/expect tests/cli/golden.sh tests/cli/loses.py \
	tests/cli/nnls.py tests/cli/same_rows.py tests/data/small

# what commands print now becomes what they should: read the difference
.PHONY: golden
golden: all
	mkdir -p '$(srcdir)/tests/cli/expect'
	SFAB_GOLDEN=1 $(MAKE) check TESTS='$(cli_tests)'
	cd '$(srcdir)' && git diff --stat tests/cli/expect
