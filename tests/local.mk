# SPDX-License-Identifier: GPL-2.0-or-later
dist_check_SCRIPTS += tests/deps.t tests/lua.t tests/quickstart.t tests/shape.t
TESTS += tests/deps.t tests/lua.t tests/quickstart.t tests/shape.t
EXTRA_DIST += tests/README.md tests/code_report.py tests/unused.sh tests/clash.c tests/clash_plugin.c tests/job_submit.lua tests/lib/setup.sh

# the part of the tests that a sanitizer build runs
check-unit:
	$(MAKE) check TESTS='$(filter tests/unit/% tests/fuzz/%,$(TESTS))'

# the part that runs again on another generation of Slurm
check-slurm:
	$(MAKE) check TESTS='$(filter tests/slurm/%,$(TESTS))'

clean-local:
	rm -rf tests/run cases
