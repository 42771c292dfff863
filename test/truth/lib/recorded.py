"""Compares profiles with programs that measure themselves, recorded alone and beside busy neighbours."""
import contextlib
import filecmp
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "trace"))
from truth.profile import ROOT, STROBE, Profile, strobe

MOST = 1 << 62


class Recording(Profile):
    """The profile of a program, and the lines of JSON that it wrote."""

    def __init__(self, path, told):
        super().__init__(path)
        self.told = told
        self.meta = {m["key"]: m["value"] for m in self.ask("SELECT * FROM meta")}
        self.zero, self.span = int(self.meta["otp_minus_at_ns"]) + int(self.meta["t0_ns"]), int(self.meta["span_ns"])
        self.by_pid = {p["pid"]: p for p in self.processes}

    def when(self, ns):
        """By the program's monotonic clock, on the profile's axis."""
        return ns - self.zero

    def one(self, sql):
        return self.ask(sql)[0]["n"]


@contextlib.contextmanager
def neighbours(n):
    """So many processes that compute, bounded in time."""
    loads = [subprocess.Popen(["timeout", "60", "nice", "-n", "5", "sh", "-c", "while :; do :; done"])
             for _ in range(n)]
    try:
        yield
    finally:
        for load in loads:
            load.terminate()
            load.wait()


def record(folder, way, module, *options):
    """module:main() of module.erl on so many schedulers, as in "2" and "2+busy"."""
    schedulers, _, busy = way.partition("+")
    trace = os.path.join(folder, f"{module}.{way}.sbt")
    with neighbours(2 if busy else 0):
        p = subprocess.run([STROBE, "record", "-o", trace, *options, "--", "erl", "+S", schedulers, "-noshell", "-pa",
                            folder, "-eval", f"{module}:main()."],
                           cwd=folder, capture_output=True, text=True, timeout=120)
    assert p.returncode == 0, p.stderr
    strobe("analyze", trace, "-o", trace + ".sbp")
    strobe("analyze", trace, "-o", trace + ".small.sbp", "--memory", "1M")
    assert filecmp.cmp(trace + ".sbp", trace + ".small.sbp", shallow=False), "the profile depends on --memory"
    return Recording(trace + ".sbp", [json.loads(line) for line in p.stdout.splitlines() if line.startswith("{")])


def compiled(folder, *modules):
    subprocess.run(["erlc", "-o", folder, *(os.path.join(HERE, "..", m + ".erl") for m in modules)], check=True)


def within(value, low, high):
    return value is not None and (value == low == high if isinstance(low, str) else low <= value <= high)


def report(name, figures):
    """Of figures (what, the profile's value, at least, at most)."""
    wrong = [f"{what}: {value}, not " + (f"{low}" if low == high else f"from {low} to {high}"
                                         if high < MOST else f"at least {low}")
             for what, value, low, high in figures if not within(value, low, high)]
    print(f"not ok {name}: " + "; ".join(wrong) if wrong else f"ok {name}: {len(figures)} figures", flush=True)
