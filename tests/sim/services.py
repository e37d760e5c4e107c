#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""services.py FOLDER SFABRIC: the services of FOLDER work beside each other

For each order of two services, after a first collect: both are started as systemd
starts them, in folders that were empty.  Then each works once more: a service that
was started later must not have taken a folder away from one that runs.

Of a unit this does User=, Group=, UMask=, WorkingDirectory=, RuntimeDirectory=,
StateDirectory= with their modes, CapabilityBoundingSet=, and what may be written
under ProtectSystem=strict.  It must run as root in a mount namespace of its own
(unshare -m) where /run and /var/lib are empty, in a folder that all may read.
"""
import itertools
import os
import pwd
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

# What each service has written when it has worked; None: no file of its own.
WRITES = {
    "sfabric-collect": "/run/sfabric/counters.snap",
    "sfabric-learn": "/run/sfabric-learn/traffic.snap",
    "sfabric-metrics": "/var/lib/prometheus/node-exporter/sfabric.prom",
    "sfabric-send": None,
    "sfabric-web": "/var/lib/sfabric-web/index.html",
}
FOLDERS = {"RuntimeDirectory": "/run", "StateDirectory": "/var/lib"}
PROMETHEUS = 12345		# the uid that owns node_exporter's folder
WAIT_S = 20


class Unit:
    def __init__(self, path):
        self.name = os.path.basename(path)[:-len(".service")]
        self.keys = {}
        for line in open(path):
            key, equals, value = line.strip().partition("=")
            if equals and not line.startswith("#"):
                self.keys.setdefault(key, []).append(value)
        user = pwd.getpwnam(self.key("User", "root"))
        self.uid, self.gid = user.pw_uid, user.pw_gid

    def key(self, key, default=""):
        return self.keys.get(key, [default])[-1]

    def folders(self):
        for kind, top in FOLDERS.items():
            for name in self.key(kind).split():
                yield kind, os.path.join(top, name)

    def writable(self):
        extra = " ".join(self.keys.get("ReadWritePaths", [])).split()
        return [f for _, f in self.folders()] + [p.lstrip("-+") for p in extra]

    def make_folders(self):
        """A folder whose owner is another one is given away with all that is in it."""
        for kind, folder in self.folders():
            os.makedirs(folder, exist_ok=True)
            os.chmod(folder, int(self.key(kind + "Mode", "0755"), 8))
            st = os.stat(folder)
            if (st.st_uid, st.st_gid) == (self.uid, self.gid):
                continue
            for at, _, files in os.walk(folder):
                for name in [at] + [os.path.join(at, f) for f in files]:
                    os.lchown(name, self.uid, self.gid)

    def command(self, sfabric):
        bounds = "".join(",+" + c.lower().replace("cap_", "", 1)
                         for c in self.key("CapabilityBoundingSet").split())
        words = shlex.split(self.key("ExecStart"))
        return ["setpriv", "--reuid", str(self.uid), "--regid", str(self.gid),
                "--clear-groups", "--inh-caps=-all", "--ambient-caps=-all",
                "--bounding-set=-all" + bounds, "--no-new-privs",
                "sh", "-c", 'umask %s && cd "%s" && exec "$@"' % (
                    self.key("UMask", "0022"),
                    # a service's is /, which the simulated adapter would write to
                    self.key("WorkingDirectory", os.getcwd())), "sh"] + \
               [sfabric if w == "/usr/bin/sfabric" else w for w in words]


def identity(path):
    try:
        st = os.stat(path)
        return st.st_ino, st.st_mtime_ns
    except FileNotFoundError:
        return None


def all_files():
    return {os.path.join(at, f): identity(os.path.join(at, f))
            for top in FOLDERS.values() for at, _, files in os.walk(top) for f in files}


def wait_for(unit, process, before):
    """A service goes on for ever: it is ended when it has written."""
    end = time.monotonic() + WAIT_S
    while process.poll() is None and time.monotonic() < end and \
            (unit.key("Type") == "oneshot" or identity(WRITES[unit.name]) == before):
        time.sleep(0.01)
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    return process.wait()


def work(unit, sfabric):
    """None: it has worked; else why not."""
    wrote, before = WRITES[unit.name], all_files()
    env = dict(os.environ)
    if "collect" in unit.name:
        env["LD_PRELOAD"] = env["UMAD"]
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(unit.command(sfabric), env=env, stdin=subprocess.DEVNULL,
                                   stdout=said, stderr=said)
        status = wait_for(unit, process, identity(wrote) if wrote else None)
        said.seek(0)
        text = said.read()
    foreign = [p for p, i in all_files().items() if before.get(p) != i and
               not any(p.startswith(w + "/") for w in unit.writable())]
    if status:
        return "status %d: %s" % (status, text)
    if re.search("denied|not permitted|cannot|No such file", text):
        return text
    if wrote and identity(wrote) == before.get(wrote):
        return "%s is not written: %s" % (wrote, text)
    return "writes %s outside of its folders" % foreign if foreign else None


def wipe():
    for top in FOLDERS.values():
        for name in os.listdir(top):
            shutil.rmtree(os.path.join(top, name))
    os.makedirs("/var/lib/prometheus/node-exporter")
    os.chown("/var/lib/prometheus/node-exporter", PROMETHEUS, PROMETHEUS)


def main(folder, sfabric):
    units = {u.name: u for u in (Unit(os.path.join(folder, n)) for n in
                                 sorted(os.listdir(folder)) if n.endswith(".service"))}
    bad = 0
    if set(units) != set(WRITES):
        sys.exit("units %s, but this script knows %s" % (sorted(units), sorted(WRITES)))
    for pair in itertools.permutations(units, 2):
        wipe()
        first = "sfabric-collect"
        # Rates need two sweeps.
        steps = [(first, True), (first, False)] + [(n, True) for n in pair] + \
                [(n, False) for n in pair + (first,)]
        for at, (name, starts) in enumerate(steps):
            if starts:
                units[name].make_folders()
            why = work(units[name], sfabric)
            if why:
                print("%s, step %d, %s %s: %s" % (" ".join((first,) + pair), at + 1, name,
                                                  "started" if starts else "again",
                                                  why.strip()))
                bad += 1
                break
    sys.exit(bad > 0)


main(*sys.argv[1:])
