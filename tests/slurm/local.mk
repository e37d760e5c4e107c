# SPDX-License-Identifier: GPL-2.0-or-later
dist_check_SCRIPTS += tests/slurm/t-check.t tests/slurm/t-stock.t
TESTS += tests/slurm/t-check.t tests/slurm/t-stock.t
dist_check_SCRIPTS += tests/slurm/t-tree.t tests/slurm/t-demo.t
TESTS += tests/slurm/t-tree.t tests/slurm/t-demo.t
EXTRA_DIST += tests/slurm/headers.sh

# the plugin on a private cluster
EXTRA_DIST += tests/slurm/place.sh
dist_check_SCRIPTS += tests/slurm/t-place-kinds.t tests/slurm/t-place-live.t tests/slurm/t-place-stock.t \
	tests/slurm/t-policy.t tests/slurm/t-preview.t tests/slurm/t-matrix.t \
	tests/slurm/t-delays.t tests/slurm/t-plan.t tests/slurm/t-gres.t tests/slurm/t-soak.t \
	tests/slurm/t-takeover.t tests/slurm/t-hostile.t
TESTS += tests/slurm/t-place-kinds.t tests/slurm/t-place-live.t tests/slurm/t-place-stock.t \
	tests/slurm/t-policy.t tests/slurm/t-preview.t tests/slurm/t-matrix.t \
	tests/slurm/t-delays.t tests/slurm/t-plan.t tests/slurm/t-gres.t tests/slurm/t-soak.t \
	tests/slurm/t-takeover.t tests/slurm/t-hostile.t
EXTRA_DIST += tests/slurm/stream.py tests/slurm/pairs.py tests/slurm/previews.py \
	tests/slurm/launches.py
dist_check_SCRIPTS += tests/slurm/t-governor.t tests/slurm/t-preview-kinds.t tests/slurm/t-rules.t
TESTS += tests/slurm/t-governor.t tests/slurm/t-preview-kinds.t tests/slurm/t-rules.t
EXTRA_DIST += tests/slurm/kinds.sh tests/slurm/rules tests/slurm/versions.md
dist_check_SCRIPTS += tests/slurm/t-pairs.t tests/slurm/t-limits.t tests/slurm/t-topology.t
TESTS += tests/slurm/t-pairs.t tests/slurm/t-limits.t tests/slurm/t-topology.t
dist_check_SCRIPTS += tests/slurm/t-install.t
TESTS += tests/slurm/t-install.t
# not in TESTS: installs, and starts a systemd; make check-long runs it
EXTRA_DIST += tests/slurm/t-dropin.t tests/slurm/dropin-cases.sh
dist_check_SCRIPTS += tests/slurm/t-sacct.t
TESTS += tests/slurm/t-sacct.t
EXTRA_DIST += tests/slurm/accounting.sh tests/slurm/launched.sh
dist_check_SCRIPTS += tests/slurm/t-order.t tests/slurm/t-ranks.t tests/slurm/t-launches.t \
	tests/slurm/t-web.t
TESTS += tests/slurm/t-order.t tests/slurm/t-ranks.t tests/slurm/t-launches.t tests/slurm/t-web.t
check_PROGRAMS += tests/slurm/make_snapshot
tests_slurm_make_snapshot_SOURCES = tests/slurm/make_snapshot.c
tests_slurm_make_snapshot_LDADD = $(io_link)

# what jobs sent before, and what they send now
check_PROGRAMS += tests/slurm/make_learned
tests_slurm_make_learned_SOURCES = tests/slurm/make_learned.c
tests_slurm_make_learned_LDADD = $(io_link)
dist_check_SCRIPTS += tests/slurm/t-learned.t tests/slurm/t-learn-live.t
TESTS += tests/slurm/t-learned.t tests/slurm/t-learn-live.t

# the fabric and its counters change under running jobs; t-faults.t and t-learn-wire.t
# are for check-long only
EXTRA_DIST += tests/slurm/live.sh tests/slurm/wire.sh tests/slurm/t-faults.t \
	tests/slurm/t-learn-wire.t
dist_check_SCRIPTS += tests/slurm/t-fabric-live.t tests/slurm/t-counters-live.t \
	tests/slurm/t-day-one.t
TESTS += tests/slurm/t-fabric-live.t tests/slurm/t-counters-live.t tests/slurm/t-day-one.t
