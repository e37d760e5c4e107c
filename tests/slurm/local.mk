# SPDX-License-Identifier: GPL-2.0-or-later
dist_check_SCRIPTS += tests/slurm/t-stock.t
TESTS += tests/slurm/t-stock.t
EXTRA_DIST += tests/lib/slurm.sh
