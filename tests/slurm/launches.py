# SPDX-License-Identifier: GPL-2.0-or-later
# launches.py STOCK_CONF PLUGIN_CONF SEED ROUNDS - the same batch script on two clusters
#
# A round is a job at random on given nodes, and some srun in it, on both clusters.  With
# the plugin, which orders ranks, each srun must
#
#	end with the same exit code, unless Slurm alone fails;
#	have the same tasks, each id once, on nodes of the job;
#	have them on the same nodes, by the same ids, if the user says in which order;
#	otherwise have as many on a node, and show them the same environment.
#
# A step on some of the job's nodes is on others, by their ranks: only its tasks count.
#
# Prints each round that went wrong, then one line of counts; status 1 if one did.  What
# breaks, as doc/rank-order.md says, is counted only: steps in another order than by name
# that Slurm alone has by name, and pairs of steps on nodes by their places (srun -r)
# that no longer run beside each other.
import collections
import os
import random
import re
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from pairs import DEADLINE, Cluster, hosts, on_both  # noqa: E402

NODES = [f"n{i}" for i in range(1, 13)]         # of 8 CPUs
Step = collections.namedtuple("Step", "words fixed")
Job = collections.namedtuple("Job", "nodes words steps before")

# What may differ: names of this run, and what belongs to one rank.
PRIVATE = re.compile(
    r"SLURM_(JOB|JOBID|JOB_SLUID|ARRAY_JOB|STEP|STEPID|HET_JOB_ID\w*|TASK_PID|PROCID|NODEID|LOCALID|"
    r"GTIDS|LAUNCH_NODE_IPADDR|SRUN_COMM\w*|STEP_LAUNCHER_PORT|TOPOLOGY_ADDR\w*|CONF|"
    r"JOB_(ID|START_TIME|END_TIME|NAME)|CLUSTER_NAME|STEP_ID|WORKING_CLUSTER|"
    r"(TASKS|STEP_TASKS)_PER_NODE|(STEP_)?(NODELIST)|PMI\w*|ARRAY_JOB_ID|"
    r"SUBMIT_DIR|\w*(HET|PACK)_GROUP\w*|HOSTFILE|SCRIPT_CONTEXT|PRIO_PROCESS)=")
TASK = "echo rank $SLURM_PROCID $SLURMD_NODENAME $SLURM_LOCALID; env | grep ^SLURM_ | sort"


# -- jobs at random --------------------------------------------------------------

def draw_order(draw, count):
    return draw.choice([[], [], [], [], ["-m", "block"], ["-m", "cyclic"],
                        ["-m", f"plane={draw.randint(1, max(1, count))}"],
                        ["-m", "block:cyclic"]])


# A step: its words, and whether the user says the order of its nodes.
def draw_step(draw, job_nodes, each):
    n = len(job_nodes)
    some = draw.randint(1, n)
    words = draw.choice([
        [], [], [f"-N{some}", f"-n{some * each}"], [f"-n{draw.randint(1, n * each)}"],
        [f"-N{some}", f"-r{draw.randint(0, n - some)}"],
        [f"-N{some}", f"--ntasks-per-node={draw.randint(1, each)}", "--overlap"],
        ["-x", draw.choice(job_nodes), f"-N{n - 1}"] if n > 1 else [],
        ["-w", ",".join(draw.sample(job_nodes, some)), f"-N{some}"],
        [f"-N{n}", f"-n{n}"], [f"-n{n}", "-c2"], ["--exclusive", f"-n{some}"],
        ["--overcommit", f"-n{2 * n * each}"], ["--multi"],
    ])
    order = [] if words == ["--multi"] else draw_order(draw, each)
    return Step(words + order, any(w == "cyclic" or "plane" in w for w in order))


# Tasks by a file: each node a few times, in any order.
def draw_hostfile(draw, job_nodes, each):
    lines = [node for node in job_nodes for _ in range(draw.randint(1, each))]
    draw.shuffle(lines)
    return Step(["--hostfile=" + ",".join(lines), f"-n{len(lines)}", "-m", "arbitrary"],
                True)


def draw_job(draw):
    n, each = draw.randint(4, 9), draw.randint(1, 4)
    nodes = sorted(draw.sample(NODES, n), key=lambda name: int(name[1:]))
    words = [f"-N{n}"] + draw.choice([
        [f"--ntasks-per-node={each}"], [f"--ntasks-per-node={each}"], [f"-n{n * each}"],
        [f"-n{n * each + draw.randint(1, n - 1)}"], [f"--ntasks-per-node={each}", "-c2"],
        [f"-n{n}"], ["--exclusive", f"--ntasks-per-node={each}"],
        ["-p", "excl", f"-n{n * each + 1}"],
    ])
    order = draw_order(draw, each) if draw.random() < 0.25 else []
    others = [name for name in NODES if name not in nodes]
    words += draw.choice([["-w", ",".join(nodes)], ["-x", ",".join(others)]])
    fixed = any(w == "cyclic" or "plane" in w for w in order)
    steps = [draw_step(draw, nodes, each) for _ in range(draw.randint(1, 3))]
    if draw.random() < 0.2:
        steps.append(draw_hostfile(draw, nodes, each))
    before = draw.choice([""] * 10 + ["array", "requeue", "shrink", "het", "apart"])
    return Job(nodes, words + order,
               [Step(s.words, s.fixed or fixed and "-m" not in s.words) for s in steps],
               before)


# -- the script -------------------------------------------------------------------

HEAD = """#!/bin/sh
out={out}/$((${{SLURM_ARRAY_TASK_ID:-1}}))
mkdir -p $out && cd $out
env | grep ^SLURM_ | sort >job
"""
BEFORE = {
    "requeue": """test -n "${SLURM_RESTART_COUNT-}" || {
	scontrol requeue $SLURM_JOB_ID
	exec sleep 100
}
""",
    "shrink": """scontrol update JobId=$SLURM_JOB_ID NumNodes=$((SLURM_JOB_NUM_NODES - 1)) &&
. ./slurm_job_${SLURM_JOB_ID}_resize.sh
""",
    # The nodes of two steps at the same time, by their places in the list.
    "apart": """srun -N2 -n2 -r0 sh -c 'touch first; while test ! -e second; do sleep 0.1; done' &
while test ! -e first; do sleep 0.1; done
srun -I4 -N$((SLURM_JOB_NUM_NODES - 2)) -n$((SLURM_JOB_NUM_NODES - 2)) -r2 true
echo "status $?" >apart
touch second
wait
""",
}


def script_of(job, out):
    text = HEAD.format(out=out) + BEFORE.get(job.before, "")
    for i, step in enumerate(job.steps):
        words = list(step.words)
        if words and words[0].startswith("--hostfile="):
            text += f"echo {words[0][11:]} | tr , '\\n' >hosts{i}\n"
            text += f"SLURM_HOSTFILE=$out/hosts{i} "
            words = words[1:]
        if words == ["--multi"]:        # small steps beside each other
            text += (f"for k in 1 2 3 4; do srun --exclusive -N1 -n1 sh -c '{TASK}' "
                     f">step{i}.$k 2>err{i}.$k || echo \"status $?\" >>step{i}.$k & "
                     f"done; wait\ncat step{i}.* >step{i}\n")
            continue
        if job.before == "het":
            words = ["--het-group=0,1"] if i else ["--het-group=1"]
        text += (f"srun {' '.join(words)} sh -c '{TASK}' >step{i} 2>err{i}; "
                 f"echo \"status $?\" >>step{i}\n")
    return text + "touch done\n"


def het_words(job):
    half = len(job.nodes) // 2
    first, second = job.nodes[:half], job.nodes[half:]
    return ["-w", ",".join(first), f"-N{half}", "--ntasks-per-node=2", ":",
            "-w", ",".join(second), f"-N{len(second)}", "--ntasks-per-node=2"]


# -- one round ----------------------------------------------------------------------

def wait_until(true, what):
    end = time.monotonic() + DEADLINE
    while not true():
        if time.monotonic() > end:
            sys.exit(f"launches.py: waited {DEADLINE} s for {what}")
        time.sleep(0.05)


def say_field(cluster, job, name):
    found = re.search(rf" {name}=(\S*)", cluster.say("scontrol", "-o", "show", "job", job,
                                                     check=False))
    return found.group(1) if found else ""


# Three seconds: slurmd takes no job again in the second in which it ended it.
def let_requeue(cluster, job):
    wait_until(lambda: say_field(cluster, job, "JobState") == "PENDING"
               and say_field(cluster, job, "Restarts") == "1", "a requeued job")
    cluster.say("scontrol", "update", f"jobid={job}", "starttime=now+3")


# {array task: folder of its results}, and what AdminComment says
def run_job(cluster, job):
    out = tempfile.mkdtemp(prefix="job", dir=os.getcwd())
    with open(out + "/script", "w") as script:
        script.write(script_of(job, out))
    words = het_words(job) if job.before == "het" else job.words
    tasks = ["1", "2"] if job.before == "array" else ["1"]
    said = cluster.say("sbatch", "--parsable", "-t", "100", "-o", out + "/batch", "-e",
                       out + "/batch.err", *(["--array=1-2"] if len(tasks) > 1 else []),
                       *(["--requeue"] if job.before == "requeue" else []),
                       *words[:-1], words[-1], out + "/script", check=False)
    number = re.match(r"\d+$", said.strip())
    if not number:
        return out, [], said
    if job.before == "requeue":
        let_requeue(cluster, number.group())
    wait_until(lambda: all(os.path.exists(f"{out}/{t}/done") for t in tasks), out)
    said = cluster.say("scontrol", "-o", "show", "job", number.group(), check=False)
    cluster.end(set())
    return out, tasks, said


Result = collections.namedtuple("Result", "status ranks shown")


def read_step(path):
    status, ranks, shown = [], {}, collections.Counter()
    with open(path) as lines:
        for line in lines:
            words = line.split()
            if line.startswith("rank "):
                ranks.setdefault(int(words[1]), []).append((words[2], int(words[3])))
            elif line.startswith("status "):
                status.append(int(words[1]))
            elif not PRIVATE.match(line):
                shown[line] += 1
    return Result(status, ranks, shown)


# Nodes by the first of their ranks, and how many tasks each has.
def nodes_by_rank(result):
    first, count = {}, collections.Counter()
    for rank in sorted(result.ranks):
        node = result.ranks[rank][0][0]
        first.setdefault(node, rank)
        count[node] += 1
    return list(first), count


def is_by_name(order):
    return order == sorted(order, key=lambda name: int(name[1:]))


# What is wrong with a step; None: nothing.
def judge_step(step, job, stock, ours):
    if any(stock.status):
        return None
    if any(ours.status):
        return f"fails with {ours.status}"
    # Each task once, and no two with one place (node, local id).
    places = [place for where in ours.ranks.values() for place in where]
    if step.words != ["--multi"] and not (
            sorted(ours.ranks) == sorted(stock.ranks)
            and len(places) == len(set(places)) == len(ours.ranks)):
        return f"has the ranks {ours.ranks}"
    (theirs, held), (order, holds) = nodes_by_rank(stock), nodes_by_rank(ours)
    if not set(order) <= set(job.nodes):
        return "runs on nodes of others"
    if step.words == ["--multi"] or set(order) != set(theirs):
        return None
    if step.fixed and ours.ranks != stock.ranks:
        return "has another order than the user's"
    # Which nodes get the tasks that are left over goes by their order.
    if "--overcommit" not in step.words and sorted(holds.values()) != sorted(held.values()):
        return f"has {dict(holds)} tasks, not {dict(held)}"
    if holds == held and ours.shown != stock.shown:
        return f"shows {list((ours.shown - stock.shown))[:3]}"
    return None


def judge(job, stock, ours, count):
    for task in stock[1]:
        there, here = f"{stock[0]}/{task}/", f"{ours[0]}/{task}/"
        env = [[line for line in open(d + "job") if not PRIVATE.match(line)
                or line.startswith(("SLURM_NODELIST=", "SLURM_TASKS_PER_NODE="))]
               for d in (there, here)]
        if env[0] != env[1]:
            return f"the script has {sorted(set(env[1]) - set(env[0]))[:3]}"
        for i, step in enumerate(job.steps):
            was, now = read_step(f"{there}step{i}"), read_step(f"{here}step{i}")
            orders = [nodes_by_rank(step)[0] for step in (was, now)]
            count["steps"] += 1
            count["moved"] += orders[0] != orders[1]
            count["named"] += is_by_name(orders[0]) and not is_by_name(orders[1])
            wrong = judge_step(step, job, was, now)
            if wrong:
                return f"srun {' '.join(step.words)}: {wrong}"
        if job.before == "apart" and open(there + "apart").read() == "status 0\n":
            count["pairs"] += 1
            count["apart"] += open(here + "apart").read() != "status 0\n"
    return None


def main():
    clusters = [Cluster(conf) for conf in sys.argv[1:3]]
    draw, count = random.Random(sys.argv[3]), collections.Counter()
    for number in range(int(sys.argv[4])):
        job = draw_job(draw)
        stock, ours = on_both(clusters, lambda c: run_job(c, job))
        wrong = (judge(job, stock, ours, count) if len(stock[1]) == len(ours[1])
                 else f"is refused: {ours[2]}")
        count["rounds"] += 1
        count["ran"] += bool(stock[1])
        count["ranked"] += "ranks by routes" in ours[2]
        count["wrong"] += bool(wrong)
        if wrong or os.environ.get("SFAB_TEST_TELL"):
            print(f"round {number + 1}: {' '.join(job.words)} {job.before}: "
                  f"{' | '.join(' '.join(s.words) for s in job.steps)}: "
                  f"{wrong or stock[1] and 'fine' or stock[2].strip()}", flush=True)
    print(f"{count['rounds']} rounds: {count['ran']} ran, {count['ranked']} with ranks by "
          f"routes; {count['moved']} of {count['steps']} steps in another order, "
          f"{count['named']} no longer by name; {count['apart']} of {count['pairs']} pairs "
          f"no longer apart; beside stock {count['wrong']} wrong")
    sys.exit(count["wrong"] != 0)


main()
