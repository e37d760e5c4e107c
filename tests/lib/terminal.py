#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""terminal.py COMMAND...: run it on a terminal of 80x24, by steps from stdin.

    expect TEXT       it appears in what is written after the last step
    run COMMAND       a shell command beside it
    signal NAME       send it
    end STATUS        it ends so (-15: by signal 15)

Prints all that was written.
"""
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time

DEADLINE_S = 30


class Terminal:
    def __init__(self, command):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.all = b""
        self.since = 0
        self.pid = os.fork()
        if self.pid == 0:
            for fd in (0, 1, 2):
                os.dup2(slave, fd)
            os.execvp(command[0], command)

    def read(self, seconds):
        if select.select([self.master], [], [], seconds)[0]:
            self.all += os.read(self.master, 65536)
            return True
        return False

    def expect(self, text):
        end = time.time() + DEADLINE_S
        while text.encode() not in self.all[self.since:]:
            if time.time() > end:
                self.fail("no '%s'" % text)
            self.read(0.1)

    def wait(self, what):
        end = time.time() + DEADLINE_S
        pid = 0
        while not pid:
            if time.time() > end:
                self.fail(what)
            self.read(0.05)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
        while self.read(0):
            pass
        return status

    def fail(self, why):
        sys.stdout.write(self.all.decode(errors="replace"))
        sys.stdout.flush()
        os.kill(self.pid, signal.SIGKILL)
        sys.exit("terminal.py: " + why)

    def step(self, word, rest):
        if word == "expect":
            self.expect(rest)
            return
        self.since = len(self.all)
        if word == "run":
            subprocess.check_call(rest, shell=True)
        elif word == "signal":
            os.kill(self.pid, getattr(signal, "SIG" + rest))
        elif word == "end":
            status = os.waitstatus_to_exitcode(self.wait("it does not end"))
            if status != int(rest):
                self.fail("ended with %d" % status)
        else:
            sys.exit("terminal.py: %s?" % word)


terminal = Terminal(sys.argv[1:])
for line in sys.stdin:
    terminal.step(*(line.strip().split(" ", 1) + [""])[:2])
sys.stdout.write(terminal.all.decode(errors="replace"))
