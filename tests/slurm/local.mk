# SPDX-License-Identifier: GPL-2.0-or-later
dist_check_SCRIPTS += tests/slurm/check.t tests/slurm/stock.t
TESTS += tests/slurm/check.t tests/slurm/stock.t
dist_check_SCRIPTS += tests/slurm/tree.t tests/slurm/demo.t
TESTS += tests/slurm/tree.t tests/slurm/demo.t
EXTRA_DIST += tests/slurm/headers.sh

# the plugin on a private cluster
EXTRA_DIST += tests/slurm/place.sh
dist_check_SCRIPTS += tests/slurm/place_kinds.t tests/slurm/place_live.t tests/slurm/place_stock.t \
	tests/slurm/policy.t tests/slurm/preview.t tests/slurm/matrix.t \
	tests/slurm/delays.t tests/slurm/plan.t tests/slurm/gres.t tests/slurm/soak.t \
	tests/slurm/takeover.t tests/slurm/hostile.t
TESTS += tests/slurm/place_kinds.t tests/slurm/place_live.t tests/slurm/place_stock.t \
	tests/slurm/policy.t tests/slurm/preview.t tests/slurm/matrix.t \
	tests/slurm/delays.t tests/slurm/plan.t tests/slurm/gres.t tests/slurm/soak.t \
	tests/slurm/takeover.t tests/slurm/hostile.t
EXTRA_DIST += tests/slurm/stream.py tests/slurm/pairs.py tests/slurm/previews.py \
	tests/slurm/launches.py
dist_check_SCRIPTS += tests/slurm/governor.t tests/slurm/preview_kinds.t tests/slurm/rules.t
TESTS += tests/slurm/governor.t tests/slurm/preview_kinds.t tests/slurm/rules.t
EXTRA_DIST += tests/slurm/kinds.sh tests/slurm/rules tests/slurm/versions.md
dist_check_SCRIPTS += tests/slurm/pairs.t tests/slurm/limits.t tests/slurm/topology.t
TESTS += tests/slurm/pairs.t tests/slurm/limits.t tests/slurm/topology.t
dist_check_SCRIPTS += tests/slurm/install.t
TESTS += tests/slurm/install.t
# not in TESTS: installs, and starts a systemd; make check-long runs it
EXTRA_DIST += tests/slurm/dropin.t tests/slurm/dropin_cases.sh
dist_check_SCRIPTS += tests/slurm/sacct.t
TESTS += tests/slurm/sacct.t
EXTRA_DIST += tests/slurm/accounting.sh tests/slurm/launched.sh
dist_check_SCRIPTS += tests/slurm/order.t tests/slurm/ranks.t tests/slurm/launches.t \
	tests/slurm/web.t
TESTS += tests/slurm/order.t tests/slurm/ranks.t tests/slurm/launches.t tests/slurm/web.t
check_PROGRAMS += tests/slurm/make_snapshot
tests_slurm_make_snapshot_SOURCES = tests/slurm/make_snapshot.c
tests_slurm_make_snapshot_LDADD = $(io_link)

# what jobs sent before, and what they send now
check_PROGRAMS += tests/slurm/make_learned
tests_slurm_make_learned_SOURCES = tests/slurm/make_learned.c
tests_slurm_make_learned_LDADD = $(io_link)
dist_check_SCRIPTS += tests/slurm/learned.t tests/slurm/learn_live.t
TESTS += tests/slurm/learned.t tests/slurm/learn_live.t

# the fabric and its counters change under running jobs; faults.t and learn_wire.t
# are for check-long only
EXTRA_DIST += tests/slurm/live.sh tests/slurm/wire.sh tests/slurm/faults.t \
	tests/slurm/learn_wire.t
dist_check_SCRIPTS += tests/slurm/fabric_live.t tests/slurm/counters_live.t \
	tests/slurm/day_one.t
TESTS += tests/slurm/fabric_live.t tests/slurm/counters_live.t tests/slurm/day_one.t
