# SPDX-License-Identifier: GPL-2.0-or-later
# scenarios on the real OpenSM and ibsim; skipped where these are missing
EXTRA_DIST += tests/lib/sim.sh
sim_tests = \
	tests/sim/synth.t
dist_check_SCRIPTS += $(sim_tests)
TESTS += $(sim_tests)
