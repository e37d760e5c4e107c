# SPDX-License-Identifier: GPL-2.0-or-later
# demo-table.awk - the demo's results as one table
#
# Input: CASE|SCHEDULER|GB/S ALONE|GB/S AMONG OTHERS|STEPS CLEAR|RUN TIME

BEGIN {
	columns = split("plain tree sfabric", scheduler, " ")
	write = "writes to all IO servers, GB/s of 55"
	clear = "steps without a conflict, of 70"
}

{
	got[$1, write, $2] = $1 == "busy" ? $4 : $3
	got[$1, clear, $2] = $5
	got[$1, "run time, 1 is best", $2] = $6
}

# line CASE WHAT: what each scheduler came to
function line(machine, what,   i)
{
	printf "  %-37s", what
	for (i = 1; i <= columns; i++)
		printf " %13s", got[machine, what, scheduler[i]]
	print ""
}

END {
	printf "\n%-39s %13s %13s %13s\n", "A job of 64 nodes, traffic unknown",
		"stock Slurm", "topology/tree", "sfabric"
	print "idle machine"
	line("empty", write)
	line("empty", clear)
	print "busy machine"
	line("busy", write)
	line("busy", clear)
	line("busy", "run time, 1 is best")
}
