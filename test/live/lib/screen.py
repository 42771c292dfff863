"""
A command in a pseudo-terminal, and the screen that it draws, by the terminal emulator pyte. The terminal is one whose
control sequences pyte knows: it has none that repeats a character or scrolls by lines.
"""
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

import pyte

PATIENCE = 60  # seconds; a busy machine may leave a program without a core for long


class Screen:
    def __init__(self, command, columns=80, lines=24, environment=None):
        self.screen = pyte.Screen(columns, lines)
        self.stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self.code = None
        env = dict(os.environ, TERM="linux", LC_ALL="C.UTF-8")
        env.pop("COLUMNS", None), env.pop("LINES", None), env.pop("NO_COLOR", None)
        env.update(environment or {})
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execvpe(command[0], command, env)
        self.set_size(columns, lines)

    def set_size(self, columns, lines):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def resize(self, columns, lines):
        self.screen.resize(lines, columns)
        self.set_size(columns, lines)
        os.kill(self.pid, signal.SIGWINCH)

    def read(self, seconds=0.05):
        """Takes what the command has written; false when it has ended."""
        ready, _, _ = select.select([self.fd], [], [], seconds)
        if not ready:
            return True
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            data = b""
        self.raw += data
        self.stream.feed(data)
        return bool(data)

    def read_picture(self):
        """Reads on until the command rests: what is on the screen before that is drawn by half."""
        while self.read():
            if not select.select([self.fd], [], [], 0.05)[0]:
                return True
        return False

    def wait(self, what, is_so):
        """Reads until is_so(self) is true."""
        end = time.monotonic() + PATIENCE
        while not is_so(self):
            if not self.read_picture() and not is_so(self):
                sys.exit(f"{what}: the command has ended:\n{self}")
            if time.monotonic() > end:
                sys.exit(f"{what}: not within {PATIENCE} s:\n{self}")

    def key(self, text):
        os.write(self.fd, text.encode())

    def end(self):
        """Waits for the end of the command; returns its exit code, negative after a signal."""
        end = time.monotonic() + PATIENCE
        while self.code is None:
            if not self.read():
                time.sleep(0.01)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
            elif time.monotonic() > end:
                sys.exit(f"the command does not end:\n{self}")
        while self.read(0) and select.select([self.fd], [], [], 0)[0]:
            pass
        return self.code

    @property
    def lines(self):
        return [line.rstrip() for line in self.screen.display]

    def line(self, text):
        """The first line that contains this; empty: there is none."""
        return next((line for line in self.lines if text in line), "")

    def __contains__(self, text):
        return any(text in line for line in self.screen.display)

    def __str__(self):
        return "\n".join(self.lines)
