#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""decisions.py - a decision log of twelve jobs on two days, for sfabric report

Each row of the table is a job: day, begin and run time in minutes, nodes, class and
share, reason, predicted slowdown on sfabric's and on Slurm's nodes (None: no search),
found traffic (None: not known), user, account, partition, name.  Of what a job loses itself,
half would be lost alone; others lose .25 nodes to it on sfabric's nodes and .5 on Slurm's,
and a tenth of a node waits for servers.  Links were full for a quarter of an hour more at each
start, and slurmctld was started again on the second day.
"""
import json

JOBS = [
	(1, 0, 100, 8, "io-write=0.5", "placed", 1.0, 2.0, "io-write=0.4", 71, "bio", "main", "wr"),
	(1, 10, 150, 8, "io-write=0.5", "observe", 1.0, 1.5, "io-write=0.6", 71, "bio", "main", "wr"),
	(1, 20, 60, 4, "mpi=0.3", "placed", 1.2, 1.1, None, 72, "chem", "main", "m<d"),
	(1, 30, 60, 4, "mpi=0.3", "placed", 1.0, 1.0, None, 72, "chem", "main", "m<d"),
	(1, 40, 60, 2, "mpi=0.3", "few-nodes", None, None, None, 72, "chem", "debug", "m<d"),
	(1, 50, 60, 2, "mpi=0.3", "gres", None, None, None, 73, None, "debug", "x<y"),
	(2, 0, 220, 8, "io-write=0.5", "observe", 1.1, 2.2, None, 71, "bio", "main", "wr"),
	(2, 10, 100, 8, "io-write=0.5", "placed", 1.04, 1.9, "mpi=0.5", 71, "bio", "main", "wr"),
	(2, 20, 60, 4, "neighbor=0.2", "observe", 1.3, 1.6, None, 73, "bio", "main", "ring"),
	(2, 30, None, 4, "io-read=0.2", "placed", 1.0, 1.3, None, 73, "bio", "main", "ring"),
	(2, 40, 60, 1, "", "no-traffic", None, None, None, 73, "bio", "main", "\x1b[2J"),
	(2, 50, 60, 4, None, "a-new-word", None, None, None, 73, "bio", "main", "r"),
]


def stamp(day, minute):
	return "2026-05-%02dT%02d:%02d:00.000Z" % (day, 10 + minute // 60, minute % 60)


def start(job, row):
	day, at, _, n, traffic, reason, ours, slurms, _, user, account, part, name = row
	line = {"event": "start", "job": job, "running": 1, "partition": part,
		"user": 70000 + user, "account": account, "name": name, "n": n, "nodes": "n[1-%d]" % n,
		"mode": "observe" if reason == "observe" else "on",
		"reason": reason, "traffic": traffic, "fingerprint": "0x1"}
	line["full_hours"] = 0.25 * (job if day == 1 else job - 6)
	if ours:
		line.update(source="hint" if job % 2 else "default")
		line.update(losses(ours, n, traffic), steps=9, leaves=2,
			score={"total": 0.1, "terms": {"others": 0.25}},
			stock={**losses(slurms, n, traffic), "others": 0.5, "leaves": 1,
			       "same": ours == slurms})
	return (day, at, line)


def losses(slowdown, n, traffic):
	return {"slowdown": slowdown, "alone": (1 + slowdown) / 2, "servers": 0.1,
		"lost": {traffic.split("=")[0]: n * (slowdown - 1)}}


def end(job, row):
	line = {"event": "end", "job": job, "running": 0}
	if row[8]:
		line["found"] = row[8]
	return (row[0], row[1] + row[2], line)


events = [start(i + 1, row) for i, row in enumerate(JOBS)]
events += [end(i + 1, row) for i, row in enumerate(JOBS) if row[2]]
events.sort(key=lambda event: event[:2])
for day, at, line in events:
	print(json.dumps({"time": stamp(day, at), **line}))
