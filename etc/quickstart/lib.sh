# SPDX-License-Identifier: GPL-2.0-or-later
# lib.sh - what the parts of quickstart share: messages and timed steps
#
# $logs is where they write; $logs/times has how long each part took.

die () {
	echo "quickstart: $*" >&2
	exit 1
}

# took NAME START: so many seconds, also for the table at the end
took () {
	seconds=$(($(date +%s) - $2))
	printf '%-28s %6d s\n' "$1" "$seconds" >>"$logs/times"
}

# step NAME COMMAND...: run it with its output in $logs/NAME.log, and say how
# long it took; on failure show the end of the log and fail.
step () {
	name=$1
	shift
	start=$(date +%s)
	printf '==> %-28s ' "$name"
	if "$@" >"$logs/$name.log" 2>&1 </dev/null; then
		took "$name" "$start"
		echo "$seconds s"
		return 0
	fi
	echo "failed, see $logs/$name.log:"
	tail -n 30 "$logs/$name.log"
	return 1
}
