#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# nnls.t - the least squares of sfabric learn against scipy's
test_description='non-negative least squares'
. "$(dirname "$0")/../lib/setup.sh"

/usr/bin/python3 -c 'import scipy.optimize' 2>/dev/null || {
	skip_all='/usr/bin/python3 has no scipy.optimize (Debian: python3-scipy)'
	test_done
}

for seed in 1 2 3; do
	test_expect_success "100 systems of seed $seed" '
		"$SFAB_SRCDIR/tests/cli/nnls.py" "$SFAB_BUILDDIR/tests/cli/solve_nnls" \
			$seed 100 >said; status=$?; cat said; test $status = 0'
done

test_done
