# SPDX-License-Identifier: GPL-2.0-or-later
# demo-table.awk - the demo's results as one table
#
# Input: CASE|SCHEDULER|TRAFFIC|UPLINKS|SPINE PORTS|LEAVES|MAX-MIN|LOCKSTEP|
# SHARE|SLOWDOWN|SLOWDOWN AMONG ALL JOBS, in the order of the schedulers.

BEGIN {
	name["plain"] = "stock Slurm"
	name["tree"] = "stock, topology/tree"
	name["sfabric"] = "sfabric"
	title["empty", "io-write"] = "64 nodes write to all IO servers"
	title["empty", "mpi"] = "64 nodes all-to-all MPI"
	title["busy", "io-write"] = "busy machine: 64 nodes write"
	title["busy", "mpi"] = "busy machine: 64 nodes MPI"
	cases = split("empty io-write,empty mpi,busy io-write,busy mpi", order, ",")
}

{
	row[$1 " " $3] = row[$1 " " $3] sprintf( \
		"  %-21s %6d %7d %6d %8.1f %8.1f %6.2f %6.2f %8.2f\n",
		name[$2], $6, $4, $5, $7, $8, $9, $10, $11)
}

END {
	heading = "%-23s %6s %7s %6s %8s %8s %6s %6s %8s\n"
	printf "\n" heading, "", "", "", "", "max-min", "lockstep", "ideal",
		"slow-", "among"
	printf heading, "", "", "", "spine", "GB/s", "GB/s", "share", "down",
		"all jobs"
	printf heading, "", "leaves", "uplinks", "ports", "alone", "alone",
		"alone", "alone", ""
	for (i = 1; i <= cases; i++) {
		split(order[i], key, " ")
		printf "%s\n%s", title[key[1], key[2]], row[order[i]]
	}
}
