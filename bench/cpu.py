"""Called by bench/cpu.sh: records bench/cpu_load.erl with and without samples of the CPU, in turns; prints the rows
that bench/run wants."""
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
STROBE = os.environ.get("STROBE", os.path.join(ROOT, "build", "strobe"))
ROUNDS, LONG, SHORT = int(os.environ.get("CPU_ROUNDS", "9")), 200, 60  # 10 s and 3 s of CPU time
CLASSES = "procs,running,gc"


def said(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout


class Recording:
    """Of one round of the load; `beside`: called with the pid of the node when it is ready and before it ends. Code
    keeps frame pointers without samples too: what these cost is no cost of samples."""

    def __init__(self, dir, times, rate=0, beside=None):
        self.trace = os.path.join(dir, f"{rate}.sbt")
        what = [f"{CLASSES},cpu", "--rate", str(rate)] if rate else [CLASSES]
        with subprocess.Popen([STROBE, "record", "--report", "never", "-o", self.trace, "--limit-events", "0",
                               "--limit-bytes", "0", "--trace", *what, "--", "erl", "+JPperf", "map", "+S", "1",
                               "+sbwt", "none", "-noshell", "-pa", dir, "-s", "cpu_load"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as p:
            self.pid = re.match(r"ready (\d+)", p.stdout.readline())[1]
            stop = beside(self.pid) if beside else None
            p.stdin.write(f"{times}\n")
            p.stdin.flush()
            self.took = json.loads(p.stdout.readline())  # function, pid, ms
            self.beside = stop() if stop else None
            p.stdin.close()
        if not rate and os.path.exists(f"/tmp/perf-{self.pid}.map"):
            os.remove(f"/tmp/perf-{self.pid}.map")
        self.node_ms = sum(ms for _, _, ms in self.took)

    def ask(self, statement):
        return json.loads(said(STROBE, "query", self.trace, statement, "--format", "json"))

    def drain_ns(self):
        return int(self.ask("SELECT value FROM meta WHERE key = 'drain_cpu_ns'")[0]["value"])

    def kinds(self):
        return json.loads(said(STROBE, "info", self.trace, "--format", "json"))["by_kind"]


def shares(parts):
    whole = sum(parts.values())
    return {k: 100 * v / whole for k, v in parts.items()}


def summed(rows):
    out = {}
    for key, value in rows:
        out[key] = out.get(key, 0) + value
    return out


def furthest(ours, theirs):
    return max(abs(ours.get(k, 0) - v) for k, v in theirs.items())


def row(what, ours, rival, goal, ok, spread):
    met = "ok" if ok else "MISSED"
    print(f"samples of the CPU, {what} | {ours} | {rival} | | {goal} | {met} | {spread}", flush=True)


def middle(values):
    return statistics.median(values), f"n={len(values)}, {min(values):.2f} to {max(values):.2f}"


# ---- right

def by_truth(r):
    """How far shares are off, in points: of functions, and of functions in a process."""
    rows = r.ask("WITH RECURSIVE up(n, f, c, process) AS (SELECT row_number() OVER (), s.function, s.caller, process "
                 "FROM cpu_sample JOIN cpu_stack s ON s.id = stack WHERE process IS NOT NULL UNION ALL SELECT n, "
                 "s.function, s.caller, process FROM up JOIN cpu_stack s ON s.id = c) SELECT f, p.pid, "
                 "count(DISTINCT n) AS n FROM up JOIN process p ON p.id = process WHERE f LIKE 'cpu_load:%' "
                 "GROUP BY 1, 2")
    known = {f for f, _, _ in r.took}
    ours = [(f, x["pid"], x["n"]) for x in rows for f in [re.split("[:/]", x["f"])[1]] if f in known]
    of = shares(summed((f, n) for f, _, n in ours))
    truth = shares(summed((f, ms) for f, _, ms in r.took))
    if "-v" in sys.argv:
        for f, share in truth.items():
            print(f"    {f} {of.get(f, 0):.2f} {share:.2f}")
    functions = furthest(of, truth)
    both = furthest(shares(summed(((f, p), n) for f, p, n in ours)),
                    shares(summed(((f, p), ms) for f, p, ms in r.took)))
    return functions, both, sum(n for _, _, n in ours)


def perf_beside(dir):
    """Samples the node by perf while the load runs; gives self shares by symbol."""
    data = os.path.join(dir, "perf.data")

    def begin(pid):
        perf = subprocess.Popen(["perf", "record", "-q", "-e", "cpu-clock", "-F", "997", "-p", pid, "-o", data],
                                stderr=subprocess.DEVNULL)

        def end():
            perf.terminate()
            perf.wait()
            return said("perf", "report", "-i", data, "--stdio", "-F", "sample,dso,sym", "-t", "\t")
        return end

    return begin


def name_of(file, symbol):
    """Functions of Erlang and of the VM by name, other code by its file: perf and strobe read other symbols."""
    if file.startswith("[kernel"):
        return "kernel"
    if file.startswith("[JIT]"):
        return re.sub(r"^\$|-CodeInfoPrologue$", "", symbol)
    return symbol if file == "beam.smp" and symbol and not symbol.startswith("0x") else file


def by_perf(r):
    rows = r.ask("SELECT function, self, native FROM cpu_function WHERE self > 0")
    ours = shares(summed((name_of(*x["function"].partition(":")[::2]) if x["native"] else x["function"], x["self"])
                         for x in rows))
    lines = re.findall(r"^\s*(\d+)\s*\t(.*?)\s*\t\[.\] (.*?)\s*$", r.beside, re.M)
    theirs = shares(summed((name_of(file, symbol), int(n)) for n, file, symbol in lines))
    top = dict(sorted(theirs.items(), key=lambda x: -x[1])[:20])
    if "-v" in sys.argv:
        for name, share in top.items():
            print(f"    {name} {ours.get(name, 0):.2f} {share:.2f}")
    return furthest(ours, top), len(top)


def right(dir):
    r = Recording(dir, LONG, 997, perf_beside(dir) if shutil.which("perf") else None)
    functions, both, n = by_truth(r)
    for what, off, count in ("", functions, "10 functions"), (" in a process", both, "60 pairs"):
        row(f"share of a function{what}", f"{off:.2f} points off at most", "what the program measured", "2 points",
            off <= 2, f"{count}, {n} samples")
    if not r.beside:
        row("self shares", "-", "no perf here", "2 points", False, "not measured")
        return
    off, count = by_perf(r)
    row("self shares", f"{off:.2f} points off at most", "perf record", "2 points", off <= 2, f"the top {count}")


# ---- cheap

def cheap(dir):
    more, drain, bytes = {97: [], 997: []}, {97: [], 997: []}, []
    for _ in range(ROUNDS):
        none = Recording(dir, SHORT)
        for rate in 97, 997:
            r = Recording(dir, SHORT, rate)
            more[rate].append(100 * (r.node_ms / none.node_ms - 1))
            drain[rate].append(100 * (r.drain_ns() - none.drain_ns()) / 1e6 / r.node_ms)
        at, without = r.kinds(), none.kinds()
        switches = at["in"] / without["in"]
        bytes.append((os.path.getsize(r.trace) - switches * os.path.getsize(none.trace)) / at["cpu_sample"])
    for rate, goal in (97, 0.3), (997, 2):
        value, spread = middle(more[rate])
        row(f"CPU time of the node at {rate} Hz", f"{value:+.2f} %", "without", f"{goal} %", value <= goal, spread)
        value, spread = middle(drain[rate])
        row(f"CPU time of the drain at {rate} Hz", f"{value:+.2f} % of a core", "without", "1 %", value <= 1, spread)
    value, spread = middle(bytes)
    row("bytes a sample", f"{value:.1f}", "", "8", value <= 8, spread)


with tempfile.TemporaryDirectory() as folder:
    subprocess.run(["erlc", "-o", folder, os.path.join(ROOT, "bench", "cpu_load.erl")], check=True)
    right(folder)
    cheap(folder)
