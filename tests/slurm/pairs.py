# SPDX-License-Identifier: GPL-2.0-or-later
# pairs.py STOCK_CONF PLUGIN_CONF [SEED ROUNDS [PARTITION...]] - the same jobs on
# two clusters
#
# Jobs that stand on given nodes come first, the same on both clusters.  Then one
# more asks for nodes, on both, and goes again: a round.  Of those that stood none
# may be hurt with the plugin that stock Slurm leaves alone: suspended, requeued,
# ended, or with another job on its cores.  The job must start where it starts
# with stock Slurm, on no fewer nodes when it said how many.  If it wants whole
# nodes, it must hold no more CPUs.  With SFAB_TEST_MODE=observe it must have the same
# cores, or not start either.
#
# SEED ROUNDS: made at random, the job that asks in one of the PARTITIONs; else
# rounds are read from stdin, one a line, jobs apart by " | ", the last of them the
# one that asks:
#
#	-p low -n1 -w n[1-4] | -p low -n1 -w n5 | -p main -N4 -c3
#
# "-w" of standing jobs is a whole job for each node, "-W" one job on all of them.
# Prints each round that went wrong, then one line of counts; status 1 if one did.
import collections
import os
import random
import re
import subprocess
import sys
import threading
import time

DEADLINE = int(os.environ["SLURM_DEADLINE"])  # of slurm.sh
OBSERVE = os.environ.get("SFAB_TEST_MODE") == "observe"
NODES = 16              # of a random round, 4 to 16 CPUs each
PARTITIONS = ["main", "main", "high", "force", "yes", "low", "excl", "cap"]

Round = collections.namedtuple("Round", "stands asks")
Job = collections.namedtuple("Job", "name state cores cpus placed")


def hosts(text):
    names = []
    for part in re.findall(r"[^,\[]+(?:\[[^\]]*\])?", text):
        prefix, _, rest = part.partition("[")
        for item in rest.rstrip("]").split(",") if rest else [""]:
            low, _, high = item.partition("-")
            names += ([prefix + str(i) for i in range(int(low), int(high) + 1)]
                      if high else [prefix + low])
    return names


def ids(text):
    found = set()
    for item in text.split(","):
        low, _, high = item.partition("-")
        found |= set(range(int(low), int(high or low) + 1))
    return found


class Cluster:
    def __init__(self, conf):
        self.env = dict(os.environ, SLURM_CONF=conf)

    def say(self, *words, check=True):
        done = subprocess.run(words, env=self.env, capture_output=True,
                              text=True, stdin=subprocess.DEVNULL)
        if check and done.returncode:
            sys.exit(f"pairs.py: {' '.join(words)}: {done.stderr}")
        return done.stdout + done.stderr

    # An allocation that starts now or not at all; "" or why not.
    def ask(self, name, words):
        said = self.say("salloc", "--no-shell", "-I", "-t", "100", "-J", name,
                        *words, check=False)
        return "" if "Granted" in said else said.strip().replace("\n", " ")

    def jobs(self):
        found = {}
        for line in self.say("scontrol", "-d", "-o", "show", "job").splitlines():
            name = re.search(r" JobName=(\S+)", line)
            if not name:
                continue
            cores = {}
            for nodes, cpus in re.findall(r" Nodes=(\S+) CPU_IDs=([\d,-]+)", line):
                for node in hosts(nodes):
                    cores[node] = ids(cpus)
            state = re.search(r" JobState=(\S+)", line).group(1)
            if state in ("RUNNING", "SUSPENDED"):
                cpus = int(re.search(r" NumCPUs=(\d+)", line).group(1))
                found[name.group(1)] = Job(name.group(1), state, cores, cpus,
                                           "sfabric:placed" in line)
        return found

    def is_clean(self, left):
        text = self.say("squeue", "-h", "-a", "-o", "%j")
        busy = self.say("sinfo", "-h", "-a", "-t", "comp", "-o", "%n")
        return set(text.split()) <= left and not busy.strip()

    # End all but these.
    def end(self, left):
        end = time.monotonic() + DEADLINE
        gone = [line.split()[0] for line in
                self.say("squeue", "-h", "-a", "-o", "%i %j").splitlines()
                if line.split()[1] not in left]
        if gone:
            self.say("scancel", *gone, check=False)
        while not self.is_clean(left):
            if time.monotonic() > end:
                sys.exit(f"pairs.py: waited {DEADLINE} s for jobs to end")
            time.sleep(0.03)


# Both at once: f(cluster) of each.
def on_both(clusters, function):
    said = [None, None]

    def run(i):
        try:
            said[i] = function(clusters[i])
        except SystemExit as wrong:
            said[i] = wrong

    threads = [threading.Thread(target=run, args=[i]) for i in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for one in said:
        if isinstance(one, SystemExit):
            raise one
    return said


# -- rounds at random ----------------------------------------------------------

def some_nodes(draw, most):
    first = draw.randint(1, NODES)
    last = min(NODES, first + draw.randint(0, most - 1))
    return f"n[{first}-{last}]"


def draw_stands(draw):
    stands = []
    for _ in range(draw.randint(2, 5)):
        words = ["-p", draw.choice(["low", "low", "lowrq", "main", "force", "yes"]),
                 f"-n{draw.choice([1, 1, 2, 3, 4, 6])}"]
        words += draw.choice([[], [], [], ["--hint=nomultithread"],
                              ["--ntasks-per-core=1"], ["-c2"], ["-s"]])
        stands.append(" ".join(words + ["-w", some_nodes(draw, 6)]))
    return stands


def draw_shape(draw):
    nodes = draw.randint(1, 6)
    return draw.choice([
        [f"-N{nodes}"],
        [f"-N{nodes}", f"--ntasks-per-node={draw.randint(1, 8)}"],
        [f"-N{nodes}", f"-n{nodes * draw.randint(1, 8)}"],
        [f"-N{nodes}-{nodes + draw.randint(1, 6)}"],
        [f"-N{nodes}-{nodes + draw.randint(1, 6)}", f"-n{draw.randint(12, 40)}"],
        [f"-n{draw.randint(1, 60)}"],
    ])


def draw_odds(draw):
    return draw.choice([
        [], [], ["--hint=nomultithread"], ["--threads-per-core=1"],
        ["--threads-per-core=2"], ["--ntasks-per-core=1"], ["--ntasks-per-core=2"],
        ["--sockets-per-node=2"], ["-B", "2:4:1"], ["-B", "1:4"], ["-B", "2:2"],
        ["--cores-per-socket=3"], ["--ntasks-per-socket=2"], ["-c2"], ["-c3"],
        ["-c4", "--hint=nomultithread"], ["--mincpus=6"], ["--exclusive"], ["-O"],
        ["--contiguous"], ["-w", some_nodes(draw, 2)], ["-x", some_nodes(draw, 4)],
        ["-s"], ["-s", "--hint=nomultithread"], ["--mem=5000"],
        ["--mem-per-cpu=900"], ["-m", "plane=2"], ["-S", "1"],
    ])


def draw_rounds(seed, count, partitions):
    draw, stands = random.Random(seed), []
    for i in range(count):
        if i % 5 == 0:
            stands = draw_stands(draw)
        words = ["-p", draw.choice(partitions)]
        yield Round(stands, " ".join(words + draw_shape(draw) + draw_odds(draw)))


def read_rounds(text):
    for line in text:
        *stands, asks = line.strip().split(" | ")
        yield Round(stands, asks)


# -- one round -----------------------------------------------------------------

def stand(cluster, stands):
    number = 0
    for line in stands:
        words = line.split()
        if "-w" in words:
            i = words.index("-w")
            each = [words[:i] + ["-w", node] + words[i + 2:]
                    for node in hosts(words[i + 1])]
        else:
            each = [["-w" if word == "-W" else word for word in words]]
        for one in each:
            number += 1
            cluster.ask(f"stands{number}", one + ["--comment=sfabric:off"])
    return cluster.jobs()


# Names of those that stood and are worse off.
def hurt(before, after):
    asks = after.get("asks")
    return {name for name, job in before.items()
            if name not in after
            or (after[name].state != "RUNNING" and job.state == "RUNNING")
            or (asks and any(cores & job.cores.get(node, set())
                             for node, cores in asks.cores.items()))}


# What is wrong with the plugin's answer beside stock's: the count that it belongs
# to, and a text; None: nothing.
def judge(asked, stood, stock, plugin):
    ours, theirs = plugin.get("asks"), stock.get("asks")
    more = hurt(stood[1], plugin) - hurt(stood[0], stock)
    if more:
        return "hurt", "hurts " + " ".join(sorted(more))
    if theirs and not ours:
        return "late", "does not start"
    if OBSERVE and (ours and ours.cores) != (theirs and theirs.cores):
        return "differ", "has other cores"
    if not theirs:
        return None
    if theirs.state == "RUNNING" and ours.state != "RUNNING":
        return "late", "starts suspended"
    if "-N" in asked and len(ours.cores) < len(theirs.cores):
        return "differ", f"has {len(ours.cores)} nodes, not {len(theirs.cores)}"
    if ("excl" in asked) and ours.cpus > theirs.cpus:
        return "above", f"holds {ours.cpus} CPUs, not {theirs.cpus}"
    return None


def text_of(job):
    return "-" if not job else " ".join(
        f"{node}:{len(cores)}" for node, cores in sorted(job.cores.items()))


def main():
    clusters = [Cluster(conf) for conf in sys.argv[1:3]]
    rounds = (draw_rounds(sys.argv[3], int(sys.argv[4]), sys.argv[5:] or PARTITIONS)
              if len(sys.argv) > 3 else read_rounds(sys.stdin))
    count = collections.Counter()
    stood, stands = None, None
    for one in rounds:
        if stands != one.stands:
            on_both(clusters, lambda c: c.end(set()))
            stood = on_both(clusters, lambda c: stand(c, one.stands))
            stands = one.stands
        names = [{(j.name, j.state) for j in s.values()} for s in stood]
        if names[0] != names[1]:
            sys.exit(f"pairs.py: not the same jobs stand: {one.stands}: with stock"
                     f" {sorted(names[0] - names[1])}, not {sorted(names[1] - names[0])}")
        said = on_both(clusters, lambda c: c.ask("asks", one.asks.split()))
        stock, plugin = on_both(clusters, lambda c: c.jobs())
        wrong = judge(one.asks, stood, stock, plugin)
        count["rounds"] += 1
        count["started"] += "asks" in stock
        count["placed"] += "asks" in plugin and plugin["asks"].placed
        count["stock"] += bool(hurt(stood[0], stock))
        if wrong:
            count["wrong"] += 1
            count[wrong[0]] += 1
        if wrong or os.environ.get("SFAB_TEST_TELL"):
            print(f"round {count['rounds']}: {' | '.join(one.stands + [one.asks])}:"
                  f" {wrong[1] if wrong else 'fine'}; stock {text_of(stock.get('asks'))}"
                  f" ({said[0][:160]}), plugin {text_of(plugin.get('asks'))}"
                  f" ({said[1][:160]})", flush=True)
        if hurt(stood[0], stock) or hurt(stood[1], plugin):
            stands = None
        on_both(clusters, lambda c: c.end({j.name for j in stood[0].values()}))
    on_both(clusters, lambda c: c.end(set()))
    print(f"{count['rounds']} rounds: {count['started']} started,"
          f" {count['placed']} placed, {count['stock']} where stock hurts others;"
          f" beside stock {count['hurt']} hurt, {count['late']} late,"
          f" {count['differ']} differ, {count['above']} with CPUs above")
    sys.exit(count["wrong"] != 0)


if __name__ == "__main__":
    main()
