# SPDX-License-Identifier: GPL-2.0-or-later
dist_check_SCRIPTS += tests/deps.t tests/lua/lua.t tests/quickstart.t tests/shape.t
TESTS += tests/deps.t tests/lua/lua.t tests/quickstart.t tests/shape.t
EXTRA_DIST += tests/README.md tests/bench/README.md tests/circles.py tests/code_report.py \
	tests/comments.py tests/limit tests/names.py tests/unused.sh \
	tests/lua/clash.c tests/lua/clash_plugin.c tests/lua/job_submit.lua \
	tests/lib/cells.py tests/lib/counters.py tests/lib/decisions.py \
	tests/lib/far_tables.py tests/lib/field.py tests/lib/found_samples.py \
	tests/lib/learned.py tests/lib/sections.py tests/lib/setup.sh tests/lib/shapes.py \
	tests/lib/sim.sh tests/lib/slurm.sh tests/lib/small_log.awk tests/lib/terminal.py \
	tests/lib/valid.py

# Parts of the tests, each with only the programs that it needs.  Its recipes begin
# with +, or make sees no $(MAKE) there and runs one test at a time.
part = $(MAKE) check-TESTS TESTS='$(1)' \
	check_PROGRAMS='$(filter-out tests/bench/% tests/unit/% tests/fuzz/%,$(check_PROGRAMS))'

# What ./quickstart test runs: what breaks most often, and what must not break, in ten
# minutes.  All other tests are for ./quickstart test all.
quick_parts = rules unit cli fabrics slurm
# the rules of the tree, and documents that agree with the code
quick_rules = tests/deps.t tests/lua/lua.t tests/quickstart.t tests/shape.t \
	tests/cli/doc.t tests/cli/man.t
# units and fuzz corpora; also what a sanitizer build runs
quick_unit = $(filter tests/unit/% tests/fuzz/%,$(TESTS))
# but for a script that is replayed on ten logs: two minutes
quick_cli = $(filter-out $(quick_rules) tests/cli/replay_policy.t,$(cli_tests))
# LANL Wolf; every reader gives the fabric that OpenSM has; import --route asks OpenSM for
# tables; certificates, by a walk of every pair; the plugin of OpenSM; a live sweep
quick_fabrics = \
	tests/sim/certificate.t \
	tests/sim/collect.t \
	tests/sim/import_route.t \
	tests/sim/plugin.t \
	tests/sim/readers.t \
	tests/sim/wolf.t
# make install; every kind of job is placed; restarts, reconfigurations and nodes that
# fail; whatever is broken, jobs run as in stock Slurm; what was foretold happens
quick_slurm = \
	tests/slurm/install.t \
	tests/slurm/place_kinds.t \
	tests/slurm/place_live.t \
	tests/slurm/place_stock.t \
	tests/slurm/preview.t

check-quick-rules check-quick-unit check-quick-cli check-quick-fabrics check-quick-slurm: all-am
	+$(call part,$(quick_$(@:check-quick-%=%)))
check-unit: $(BUILT_SOURCES)
	$(MAKE) tools/sfabric$(EXEEXT)
	+$(call part,$(quick_unit))
check-slurm: all-am
	+$(call part,$(filter tests/slurm/%,$(TESTS)))

# for etc/quickstart/test
print-quick-parts:
	@echo $(quick_parts)
print-not-quick:
	@printf '%s\n' $(filter-out $(foreach part,$(quick_parts),$(quick_$(part))),$(TESTS))
.PHONY: check-unit check-slurm print-quick-parts print-not-quick
