#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""terminal.py COMMAND...: run it on a terminal of 80x24, by steps from stdin.

    expect TEXT       it appears in what is written after the last step
    key K             press it
    run COMMAND       a shell command beside it
    size ROWS COLS    another size, and SIGWINCH
    signal NAME       send it
    end STATUS        it ends so (-15: by signal 15)
    stopped           it is stopped

Prints all that was written.  After "end" and "stopped" the settings of the
terminal must be what they were, and the other screen must be left.
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
ENTER = b"\x1b[?1049h"
LEAVE = b"\x1b[?1049l"


class Terminal:
    def __init__(self, command):
        self.master, slave = pty.openpty()
        self.slave = slave
        # as a shell does it: who has no session with others is never stopped
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        self.size(24, 80)
        self.before = termios.tcgetattr(slave)
        self.all = b""
        self.since = 0
        self.pid = os.fork()
        if self.pid == 0:
            os.setpgid(0, 0)
            os.tcsetpgrp(slave, os.getpid())
            signal.signal(signal.SIGTTOU, signal.SIG_DFL)
            for fd in (0, 1, 2):
                os.dup2(slave, fd)
            os.execvp(command[0], command)

    def size(self, rows, columns):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ,
                    struct.pack("HHHH", rows, columns, 0, 0))

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
            pid, status = os.waitpid(self.pid, os.WNOHANG | os.WUNTRACED)
        while self.read(0):
            pass
        if termios.tcgetattr(self.slave) != self.before:
            self.fail("the terminal's settings are others than before")
        if self.all.rfind(ENTER) > self.all.rfind(LEAVE):
            self.fail("the other screen is not left")
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
        if word == "key":
            os.write(self.master, rest.encode())
        elif word == "run":
            subprocess.check_call(rest, shell=True)
        elif word == "size":
            self.size(*map(int, rest.split()))
            os.kill(self.pid, signal.SIGWINCH)
        elif word == "signal":
            os.kill(self.pid, getattr(signal, "SIG" + rest))
        elif word == "stopped":
            if not os.WIFSTOPPED(self.wait("it does not stop")):
                self.fail("it ended instead of stopping")
        elif word == "end":
            status = os.waitstatus_to_exitcode(self.wait("it does not end"))
            if status != int(rest):
                self.fail("ended with %d" % status)
        else:
            sys.exit("terminal.py: %s?" % word)


shell = os.fork()
if shell:
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(shell, 0)[1]))
os.setsid()
terminal = Terminal(sys.argv[1:])
for line in sys.stdin:
    terminal.step(*(line.strip().split(" ", 1) + [""])[:2])
sys.stdout.write(terminal.all.decode(errors="replace"))
