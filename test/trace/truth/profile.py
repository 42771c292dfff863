"""Asking strobe."""
import contextlib
import functools
import json
import os
import subprocess

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))
STROBE = os.environ.get("STROBE", os.path.join(ROOT, "build", "strobe"))
ASK = os.path.join(os.path.dirname(STROBE), "ask")


def strobe(*args):
    p = subprocess.run([STROBE, *args], capture_output=True, text=True, timeout=300)
    assert p.returncode == 0, p.stderr
    return p.stdout


class Profile:
    def __init__(self, path, several=False):
        self.path, self.ask = path, functools.cache(self.query)
        self.at = "@{node_name}" if several else ""

    processes = functools.cached_property(lambda self: self.of_nodes("process"))
    ports = functools.cached_property(lambda self: self.of_nodes("port"))
    schedulers = functools.cached_property(lambda self: self.of_nodes("scheduler"))
    # process, port and lane: what its numbers are called in a trace, with the node where there are several
    process = functools.cached_property(lambda self: self.called(self.processes, "{pid}"))
    port = functools.cached_property(lambda self: self.called(self.ports, "{name}"))
    lane = functools.cached_property(lambda self: self.called(self.schedulers, "{kind} {number}"))

    def called(self, rows, name):
        return {None: None} | {r["id"]: (name + self.at).format(**r) for r in rows}

    def of_nodes(self, table):
        return self.ask(f"SELECT x.*, n.name AS node_name FROM {table} x JOIN node n ON n.id = x.node ORDER BY x.id")

    def slices(self):
        return self.ask("SELECT *, start + dur AS end FROM slice")

    def gaps(self):
        return self.ask("SELECT *, start + wait_ns AS waited, start + wait_ns + handover_ns AS ready, start + wait_ns "
                        "+ handover_ns + runnable_ns AS end FROM gap WHERE process IS NOT NULL")

    @functools.cached_property
    def asked(self):
        """One process answers all statements: to start one for each took most of the time."""
        return subprocess.Popen([ASK, self.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def query(self, sql):
        answer = bytearray()
        try:
            self.asked.stdin.write(sql.encode() + b"\0")
            self.asked.stdin.flush()
        except BrokenPipeError:
            pass  # why is read below
        while not answer.endswith(b"\0"):
            more = os.read(self.asked.stdout.fileno(), 1 << 20)
            assert more, self.asked.communicate()[1].decode()
            answer += more
        return json.loads(answer[:-1])

    def close(self):
        if "asked" in self.__dict__:
            with contextlib.suppress(BrokenPipeError):
                self.asked.communicate()

    def report(self, *args):
        return json.loads(strobe("report", self.path, *args, "--format", "json"))
