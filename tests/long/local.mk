# SPDX-License-Identifier: GPL-2.0-or-later
# `make check-long`: hours, in pieces; see tests/long/run.sh
EXTRA_DIST += tests/long/run.sh tests/data/alerts/alerts.yml
long_run = SFAB_SRCDIR='$(abs_top_srcdir)' SFAB_BUILDDIR='$(abs_top_builddir)' \
	$(SHELL) $(top_srcdir)/tests/long/run.sh
long_ready = $(check_PROGRAMS) all-am

.PHONY: check-long check-valgrind
check-long: $(long_ready)
	@$(long_run) || test $$? = 3

# On the Slurm that this is built for the plugin does no harm: no running job is hurt, jobs
# start when and where they do with stock Slurm, whatever is broken or hostile.
proof = 'pairs-*' 'observe-*' 'matrix-*' 'delays-*' 'preview-*' 'kinds-*' soak-slurm slurm-hostile \
	slurm-faults slurm-takeover slurm-limits slurm-topology slurm-place_stock slurm-governor
.PHONY: check-proof
check-proof: $(long_ready)
	@$(long_run) $(proof) || test $$? = 3

# the unit tests under valgrind: no error, no leak
check-valgrind: $(long_ready)
	@$(long_run) $(patsubst test_%,valgrind-%,$(notdir $(filter tests/unit/%,$(TESTS)))) \
		|| test $$? = 3
