# SPDX-License-Identifier: GPL-2.0-or-later
# stream.py KIND SEED JOBS - a stream of jobs through the Slurm of SLURM_CONF
#
# Jobs arrive and end by a clock of our own, which stands still until Slurm has
# started all it would start: a job sleeps and is cancelled when its time has
# come.  So when each job starts depends on the decisions of the scheduler alone,
# not on how loaded the machine is.  Prints "JOB ARRIVED STARTED ENDED" for each.
#
# KIND fifo, plain: whole nodes of one partition and one weight, without and with
# backfill.  mixed: with backfill whole and shared ones, tasks without a node count,
# memory, two weights, several hints.
import os
import random
import re
import subprocess
import sys
import time

STEP = 5                # jobs arrive and end at multiples of this
LIMIT_MINUTES = 120     # of a job's limit for each unit of our clock
DEADLINE = int(os.environ["SLURM_DEADLINE"])  # of slurm.sh
HINTS = ["", "", "io-write=0.4", "mpi=0.3", "io-read", "neighbor"]


def said(*words):
    return subprocess.run(words, capture_output=True, text=True,
                          check=True).stdout


def requests(kind, draw):
    if kind != "mixed":
        return ["-p", "excl", f"-N{draw.choice([1, 2, 3, 4, 5, 8, 12, 16])}"]
    what = draw.choice([
        ["-p", "excl", f"-N{draw.randint(1, 12)}"],
        ["-p", "excl", f"-n{draw.randint(1, 90)}"],
        ["-p", "main", f"-n{draw.randint(1, 90)}"],
        ["-p", "main", f"-N{draw.randint(1, 10)}", "--mem=3000"],
        ["-p", "main", f"-N{draw.randint(1, 8)}", "--ntasks-per-node=4"],
    ])
    hint = draw.choice(HINTS)
    return what + ([f"--comment=sfabric:{hint}"] if hint else [])


# Limits differ by more than this whole run lasts, so that no two jobs are told
# apart by the seconds between their starts.
def make_jobs(kind, seed, count):
    draw = random.Random(seed)
    jobs, now = [], 0
    for _ in range(count):
        now += STEP * draw.choice([0, 0, 0, 1, 1, 2])
        runs = STEP * draw.randint(2, 12)
        limit = runs * LIMIT_MINUTES + draw.randint(0, 1190)
        jobs.append({"arrives": now, "runs": runs,
                     "words": requests(kind, draw) + [f"-t{limit}"]})
    return jobs


def submit(words):
    return said("sbatch", "--parsable", "-o", "/dev/null", "-e", "/dev/null",
                *words, "--wrap", "exec sleep 100000").strip()


def until(is_so, what):
    end = time.monotonic() + DEADLINE
    while not is_so():
        if time.monotonic() > end:
            sys.exit(f"stream.py: waited {DEADLINE} s: {what}")
        time.sleep(0.1)


# Of the scheduler that comes last.
def cycles(kind):
    text = said("sdiag").split("Backfilling stats")[kind != "fifo"]
    return int(re.search(r"Total cycles: *(\d+)", text).group(1))


def waits():
    return said("squeue", "-h", "-t", "PD", "-o", "%i").split()


# A cycle may have begun before what is to be seen; the next has not.  There is
# none unless something has changed and some job waits.
def settle(kind, held):
    for _ in range(2):
        before = cycles(kind)
        said("scontrol", "update", f"jobid={held}", f"comment=after{before}")
        until(lambda seen=before: cycles(kind) > seen or waits() == [held],
              "the scheduler")


def is_clean(ids):
    left = said("squeue", "-h", "-t", "R,S,CG", "-o", "%i").split()
    return not set(ids) & set(left) and not said("sinfo", "-h", "-t", "comp",
                                                 "-o", "%n").strip()


def run(kind, jobs):
    held = submit(["-H", "-N1"])
    now, ends = 0, {}
    while True:
        for job in jobs:
            if job["arrives"] == now:
                job["id"] = submit(job["words"])
        settle(kind, held)
        running = set(said("squeue", "-h", "-t", "R", "-o", "%i").split())
        for job in jobs:
            if job.get("id") in running and "started" not in job:
                job["started"] = now
                ends.setdefault(now + job["runs"], []).append(job["id"])
        later = list(ends) + [j["arrives"] for j in jobs if j["arrives"] > now]
        if not later:
            break
        now = min(later)
        gone = ends.pop(now, [])
        if gone:
            said("scancel", *gone)
            until(lambda ids=gone: is_clean(ids), "jobs to end")
    said("scancel", held)


def main():
    kind, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    jobs = make_jobs(kind, seed, count)
    run(kind, jobs)
    for number, job in enumerate(jobs):
        if "started" not in job:
            sys.exit(f"stream.py: job {number} never started: "
                     + " ".join(job["words"]))
        print(number, job["arrives"], job["started"], job["started"] + job["runs"])


main()
