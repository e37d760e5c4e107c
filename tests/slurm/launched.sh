# SPDX-License-Identifier: GPL-2.0-or-later
# launched.sh - which nodes srun gives which ranks

# launched OPTION...: nodes by rank, as srun launches them; one node for each task
launched () {
	srun -v --output=none --error=none "$@" -- true 2>srun.err
	sed -n "s/^.*launching .* on host \([^,]*\), [0-9]* tasks: \(.*\)\$/\1 \2/p" \
		srun.err | tr -d "[]" |
	awk "{ n = split(\$2, part, \",\")
		for (i = 1; i <= n; i++) {
			m = split(part[i], end, \"-\")
			for (t = end[1]; t <= end[m]; t++) print t, \$1
		} }" | sort -n | cut -d" " -f2
}
