# SPDX-License-Identifier: GPL-2.0-or-later
# previews.py SFABRIC SEED COUNT busy|kinds - random requests, previewed and then submitted
#
# For the clusters of preview.t and preview_kinds.t.  Each request is previewed with
# `sfabric place --slurm`, given to sbatch, compared, and stays; the oldest jobs go
# when it gets full.  Compared are the nodes and the certificate if the preview names the
# plugin's choice, that the job waits (or is refused) if it says so, and the reason where
# the job is left to Slurm.  Where jsonschema is, previews are as their schema says.  An
# answer that is wrong is printed with all that both sides knew, then the counts; status 1
# if one is wrong, of kinds only if it warned of nothing.
import collections
import importlib.util
import json
import os
import random
import re
import subprocess
import sys
import time

DEADLINE = int(os.environ["SLURM_DEADLINE"])  # of slurm.sh
SOURCE = os.environ["SFAB_SRCDIR"]
KEEP_IDLE = {"busy": 30, "kinds": 22}       # nodes, or the oldest jobs go
TELL = os.environ.get("SFAB_TEST_TELL")  # what Slurm knew, where one is wrong
WAITS = ("Resources", "Priority", "ReqNode", "Partition", "Reserv", "Licenses",
         "Nodes_required",
         "BadConstraints", "QOS", "Assoc", "JobHeld")


def say(*words, check=True):
    done = subprocess.run(words, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)
    if check and done.returncode:
        sys.exit(f"previews.py: {' '.join(words)}: {done.stdout}{done.stderr}")
    return done.stdout if check else (done.returncode, done.stdout, done.stderr)


def until(what, function):
    end = time.monotonic() + DEADLINE
    while not function():
        if time.monotonic() > end:
            sys.exit(f"previews.py: waited {DEADLINE} s: {what}")
        time.sleep(0.05)


# -- requests of a busy cluster ------------------------------------------------

def draw_busy(seed, count):
    draw = random.Random(seed)
    for i in range(count):
        words = draw.choice(["-p main", "-p main", "-p excl", "-p part",
                             "--exclusive"]).split()
        words += [f"-n{draw.randint(1, 40)}"] if i % 2 else draw.choice([
            "-N1", "-N2", "-N3", "-N5", "-N2-4", "-N6", "-N3 --ntasks-per-node=2",
            "-w n7", "-N3 -w n[9-10]", "-N4 -x n[1-30]", "-N2 --mem=3000",
            "-N2 --mincpus=4", "-N3 -C fast", "-n12 -N3", "-N2 --contiguous",
            "-N4 --contiguous", "-n20 --contiguous", "-N3 --switches=1",
            "-N6 --switches=2@1", "-N4-23"]).split()
        words += draw.choice(["", "", "", "", "-c2", "--mem-per-cpu=700"]).split()
        hint = draw.choice(["", "", "io-write", "mpi=0.3", "io-read=0.4",
                            "neighbor+io-write=0.2", "alltoall=1"])
        words += [f"--comment=sfabric:{hint}"] if hint else []
        yield words


# -- and of one of many kinds --------------------------------------------------

def some_nodes(draw, most):
    first = draw.randint(1, 64)
    last = min(64, first + draw.randint(0, most - 1))
    return f"n[{first}-{last}]"


def draw_shape(draw):
    nodes = draw.randint(1, 6)
    return draw.choice([
        [f"-N{nodes}"], [f"-N{nodes}"], [f"-n{draw.randint(1, 60)}"],
        [f"-n{draw.randint(1, 60)}"],
        [f"-N{nodes}", f"--ntasks-per-node={draw.randint(1, 8)}"],
        [f"-N{nodes}", f"-n{nodes * draw.randint(1, 8)}"],
        [f"-N{nodes}-{nodes + draw.randint(1, 6)}"],
        [f"-N{nodes}-{nodes + draw.randint(1, 4)}", f"-n{draw.randint(6, 30)}"],
    ])


def draw_odds(draw):
    return draw.choice([
        [], [], [], ["--hint=nomultithread"], ["--hint=multithread"],
        ["--threads-per-core=1"], ["--threads-per-core=2"], ["--ntasks-per-core=1"],
        ["--ntasks-per-core=2"], ["--sockets-per-node=2"], ["-B", "2:4:1"],
        ["-B", "1:4"], ["--cores-per-socket=3"], ["--ntasks-per-socket=2"],
        ["-c2"], ["-c3"], ["-c9"], ["-c4", "--hint=nomultithread"], ["--mincpus=6"],
        ["--mincpus=12"], ["-O"], ["--contiguous"], ["-w", some_nodes(draw, 2)],
        ["-x", some_nodes(draw, 20)], ["--mem=5000"], ["--mem=0"],
        ["--mem-per-cpu=900"], ["--mem-per-cpu=1600"], ["-C", "fast"],
        ["-C", "gpu|old"], ["-C", "fast&big"], ["--gres=gpu:1"],
        ["--gpus-per-node=2"], ["-t", "2"], ["-t", "90"],
    ] + 3 * [draw_threads(draw), draw_threads(draw), draw_held(draw)])


# Nodes with threads, or several CPUs a task: what a node holds is not what it has.
def draw_threads(draw):
    return draw.choice([["-C", "big"], ["-C", "old"], ["-C", "big|old"], []]) \
        + draw.choice([[], ["-c2"], ["-c3"], ["-c5"], ["--ntasks-per-core=1"],
                       ["--hint=nomultithread"]]) \
        + draw.choice([[], [f"--mem={draw.randint(1, 5)}000"],
                       [f"--mem-per-cpu={draw.randint(3, 20)}00"]])


# What others may hold: nodes of a reservation, licenses.
def draw_held(draw):
    return draw.choice([
        ["--reservation=ours"], ["--reservation=ours"], ["--reservation=soon"],
        ["--reservation=now"], ["--reservation=none"], ["-L", "tool"],
        ["-L", "tool:2"], ["-L", "tool:2,disk"], ["-L", "disk:2"],
        ["-L", "tool:4"], ["-L", "none"],
    ])


# For sbatch as a whole: another component, options that came with 24.05.
def draw_last(draw):
    return draw.choice(25 * [[]] + [[":", "-N2"], [":", "-n3", "-c2"],
                                    ["--segment=2"], ["--exclusive=topo"]])


def draw_kinds(seed, count):
    draw = random.Random(seed)
    for _ in range(count):
        words = ["-p", draw.choice(["main", "main", "main", "excl", "small", "few",
                                    "force", "yes", "short"])]
        words += draw_shape(draw) + draw_odds(draw)
        words += draw.choice([[], [], [], [], ["--exclusive"], ["-s"]])
        hint = draw.choice(["", "", "io-write", "mpi=0.3", "io-read=0.4"])
        words += [f"--comment=sfabric:{hint}"] if hint else []
        yield words + draw_last(draw)


# -- the cluster ---------------------------------------------------------------

def is_gone(jobs):
    left = set(say("squeue", "-h", "-a", "-o", "%i").split())
    return not left & set(jobs) and not say("sinfo", "-h", "-a", "-t", "comp",
                                            "-o", "%n").strip()


def end(jobs):
    say("scancel", *jobs)
    until("jobs to end", lambda: is_gone(jobs))


def make_room(idle):
    while len(say("sinfo", "-h", "-p", "main", "-N", "-t", "idle", "-o",
                  "%n").split()) < idle:
        end(say("squeue", "-h", "-a", "-t", "R,S", "-S", "i", "-o",
                "%i").split()[:2])


# By hand: its cores are free, its memory and devices are not.
def suspend_some(draw):
    jobs = say("squeue", "-h", "-a", "-t", "R", "-o", "%i").split()
    if jobs and draw.random() < 0.15:
        say("scontrol", "suspend", draw.choice(jobs), check=False)


class Job:
    def __init__(self, text):
        self.text = text

    def field(self, name):
        found = re.search(rf"(?:^|\s){name}=(\S*)", self.text)
        return found.group(1) if found else ""

    def is_settled(self):
        return (self.field("JobState") == "RUNNING"
                or self.field("Reason").startswith(WAITS))

    # "placed", "stock few-nodes", or "" where nobody says
    def reason(self):
        found = re.search(r"sfabric:(placed|stock [a-z-]+)", self.text)
        return found.group(1) if found else ""


def look(number):
    return Job(say("scontrol", "show", "job", number))


def submit(words):
    own = ["-o", "/dev/null", "-e", "/dev/null", "--wrap=exec sleep 100000"]
    rc, out, err = say("sbatch", "--parsable", *own, *words, check=False)
    if rc:
        return None, err.strip()
    number = out.strip()
    until(f"job {number} is looked at", lambda: look(number).is_settled())
    return look(number), ""


# -- one request ---------------------------------------------------------------

def preview(sfabric, words):
    rc, out, err = say(sfabric, "place", "--slurm", "--json", *words, check=False)
    if rc:
        return None, err.strip()
    if importlib.util.find_spec("jsonschema"):
        with open("preview.json", "w") as file:
            file.write(out)
        say(sys.executable, f"{SOURCE}/tests/lib/valid.py",
            f"{SOURCE}/doc/schema/place.json", "preview.json")
    return json.loads(out), ""


# What is wrong; "": nothing.
def judge(answer, job):
    started = job is not None and job.field("JobState") == "RUNNING"
    if answer is None:
        return "is taken by sbatch" if job else ""
    reason = answer["data"]["decision"]["reason"]
    names_nodes = (reason in ("placed", "no-choice")
                   or (reason == "few-nodes" and answer["data"]["nodes"]))
    if reason in ("contiguous", "switches") and answer["data"]["nodes"]:
        return "names nodes"
    if reason == "few-nodes" and not names_nodes:
        return "starts" if started else ""
    if not started:
        return "does not start" if names_nodes else ""
    if not names_nodes:
        return "" if job.reason() == "stock " + reason else "has another reason"
    want = set(answer["data"]["node_list"])
    got = set(say("scontrol", "show", "hostnames", job.field("NodeList")).split())
    if want != got:
        return "has other nodes"
    text = answer["data"]["certificate"]["text"].replace(";", ",")
    if reason != "placed" or re.search(re.escape(f"sfabric:placed, {text}") + "[, ;\n]",
                                       job.text + "\n"):
        return ""
    return f"has another certificate ({text})"


def show(words, wrong, answer, why, job, refusal):
    print(f"request: {' '.join(words)}: {wrong}")
    if answer is None:
        print(f"  preview: {why}")
    else:
        data = answer["data"]
        print(f"  preview: {data['decision']['reason']} {data['nodes']}")
        for warning in answer["warnings"]:
            print(f"  warning: {warning}")
    print(f"  sbatch: {refusal}" if job is None else
          f"  sbatch: {job.field('JobState')} {job.field('Reason')}"
          f" {job.field('NodeList')} {job.reason()}", flush=True)


def one(sfabric, words, count):
    before = say("scontrol", "-d", "show", "node") if TELL else ""
    jobs = say("scontrol", "-d", "show", "job") if TELL else ""
    answer, why = preview(sfabric, words)
    job, refusal = submit(words)
    wrong = judge(answer, job)
    warned = bool(answer and answer["warnings"])
    count["requests"] += 1
    count["placed"] += bool(job) and job.reason() == "placed"
    count["started"] += bool(job) and job.field("JobState") == "RUNNING"
    count["warned"] += warned
    count["right"] += not wrong and not warned
    if wrong:
        count["wrong warned" if warned else "wrong"] += 1
        show(words, wrong, answer, why, job, refusal)
        if TELL:
            print(before, jobs)
    if job and job.field("JobState") != "RUNNING":
        end([job.field("JobId")])


def main():
    sfabric, seed, number, cluster = sys.argv[1:5]
    is_busy = cluster == "busy"
    count = collections.Counter()
    draw = random.Random(seed)
    for words in (draw_busy if is_busy else draw_kinds)(seed, int(number)):
        if not is_busy:
            suspend_some(draw)
        make_room(KEEP_IDLE[cluster])
        one(sfabric, words, count)
    print(f"{count['requests']} requests: {count['started']} started,"
          f" {count['placed']} placed, {count['right']} right without a warning,"
          f" {count['warned']} with one;"
          f" {count['wrong']} wrong without a warning,"
          f" {count['wrong warned']} wrong with one")
    sys.exit(count["wrong"] != 0 or (is_busy and count["wrong warned"] != 0))


main()
