"""Called by bench/attach.sh: a service of 20,000 processes, in turns alone, recorded by strobe attach, by a flight
recorder and by strobe top, and traced by a process, as redbug does; prints the rows that bench/run wants."""
import os
import pty
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
STROBE = os.environ.get("STROBE", os.path.join(ROOT, "build", "strobe"))
REQUESTS = os.path.join(os.path.dirname(STROBE), "bench_requests")
ROUNDS, WINDOW_MS, DRAWS = int(os.environ.get("ATTACH_ROUNDS", "15")), 5000, 200
RATE = int(os.environ.get("ATTACH_RATE", "400"))  # 0: as many as keep half of the cores busy
CONNECTIONS, LOW_RATE, SHARE = 100, 300, 0.5
NAME = f"strobe_bench_{os.getpid()}"
os.environ.pop("RELEASE_COOKIE", None)


class Node:
    def __init__(self, dir, start="start", wrap=()):
        # a scheduler that spins while it waits would make CPU time of nothing
        flags = "+sbwt none +sbwtdcpu none +sbwtdio none -noshell -s attach_load".split()
        self.erl = subprocess.Popen([*wrap, "erl", *flags, start, "-sname", NAME, "-setcookie", NAME, "-pa", dir],
                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = self.erl.stdout.readline().strip()
        self.rate = LOW_RATE

    def ask(self, command):
        self.erl.stdin.write(command + "\n")
        self.erl.stdin.flush()
        answer = self.erl.stdout.readline()
        return answer.strip() or sys.exit(f"the node gave no answer to {command}")

    def measure(self):  # latencies in ns, CPU time in us
        cpu = int(self.ask("cpu"))
        answers = subprocess.run([REQUESTS, self.port, str(CONNECTIONS), str(self.rate), str(WINDOW_MS)],
                                 stdout=subprocess.PIPE, text=True, check=True).stdout
        return list(map(int, answers.split())), int(self.ask("cpu")) - cpu

    def settle(self):
        self.measure()
        latencies, cpu = self.measure()
        self.rate = RATE or round(SHARE * os.cpu_count() * 1e6 * len(latencies) / cpu)

    def stop(self):
        self.erl.stdin.close()
        self.erl.wait()


LIMITLESS = ("--duration", "600s", "--limit-events", "0", "--limit-bytes", "0", "--report", "never")


class Attached:
    def __init__(self, dir, *options):
        began = time.monotonic()
        self.trace = os.path.join(dir, "t.sbt")
        self.strobe = subprocess.Popen([STROBE, "attach", NAME, "-o", self.trace, *options],
                                       stderr=subprocess.PIPE, text=True)
        self.said = []
        for line in self.strobe.stderr:
            self.said.append(line)
            if line.startswith("strobe: recording") or "keeping the last" in line:
                break
        else:
            sys.exit("strobe attach: " + "".join(self.said))
        self.after = time.monotonic() - began

    def stop(self):
        self.strobe.send_signal(signal.SIGINT)
        said = self.strobe.stderr.read()
        if self.strobe.wait() or "is as before" not in said:
            sys.exit("strobe attach: " + said)
        if not os.path.exists(self.trace):
            return 0
        info = subprocess.run([STROBE, "info", "--format", "json", self.trace], stdout=subprocess.PIPE, text=True,
                              check=True).stdout
        return int(re.search(r'"events": *([0-9]+)', info).group(1))


def alone(node, dir):
    return node.measure()


def recorded(node, dir):
    attached = Attached(dir, *LIMITLESS, "--trace", "procs,running,gc")
    time.sleep(0.3)
    figures = node.measure()
    events.append(attached.stop() / len(figures[0]))
    starts.append(attached.after)
    return figures


def flown(node, dir):
    attached = Attached(os.path.join(dir, "flight"), "--flight", "20s")
    time.sleep(0.3)
    figures = node.measure()
    attached.stop()
    return figures


def watched(node, dir):
    """The live table, in a terminal of its own."""
    mine, its = pty.openpty()
    top = subprocess.Popen([STROBE, "top", NAME], stdin=its, stdout=its, env=dict(os.environ, TERM="xterm"))
    os.close(its)
    os.read(mine, 1 << 16)
    threading.Thread(target=drained, args=(mine,), daemon=True).start()
    time.sleep(1)
    figures = node.measure()
    os.write(mine, b"q")
    if top.wait():
        sys.exit("strobe top failed")
    os.close(mine)
    return figures


def drained(terminal):
    try:
        while os.read(terminal, 1 << 16):
            pass
    except OSError:  # it has ended
        pass


def traced(node, dir):
    node.ask("trace")
    time.sleep(0.3)
    figures = node.measure()
    node.ask("untrace")
    time.sleep(0.3)
    return figures


# with the most that the latency may rise; a tracer process stands beside ours
WAYS = {"attach": (recorded, 1.10), "top": (watched, 1.05), "flight": (flown, 1.05), "tracer": (traced, None)}


def row(figure, mine, rival, ratio, goal, verdict, spread):
    print(f"{figure} | {mine} | {rival} | {ratio} | {goal} | {verdict} | {spread}", flush=True)


def quartiles(values):
    low, _, high = statistics.quantiles(values, n=4)
    return low, high


def percentile(share):
    """Of all requests of some windows, in us: a window alone has too few of the slow ones."""
    def of(windows):
        all_ = sorted(ns for latencies, _ in windows for ns in latencies)
        return all_[int(len(all_) * share)] / 1e3
    return of


def cpu_per_request(windows):
    return sum(cpu for _, cpu in windows) / sum(len(latencies) for latencies, _ in windows)


def compare(what, figure, way, goal):
    """A figure over the windows of all rounds, by that of the node alone, which is measured twice a round. How far
    chance can move the ratio follows from rounds drawn again and again, of those that were measured. Where it moves
    that of the node alone to itself by more than the goal allows, nothing can be concluded."""
    def figures(chosen):
        return [figure([r[i] for r in chosen for i in which])
                for which in (("before", "after"), (way,), ("tracer",), ("before",), ("after",))]
    alone_, ours, rival, _, _ = figures(rounds)
    drawn = [figures(random.choices(rounds, k=len(rounds))) for _ in range(DRAWS)]
    middle = lambda ratios: (sorted(ratios)[DRAWS // 20], sorted(ratios)[-DRAWS // 20])
    low, high = middle([f[1] / f[0] for f in drawn])
    noise = middle([f[4] / f[3] for f in drawn])
    verdict = ""
    if goal:
        unknown = max(noise[1], 1 / noise[0]) > goal or low <= goal < high
        verdict = "not measurable here" if unknown else "ok" if high <= goal else "MISSED"
    row(what, f"{ours:.0f} us, {ours / alone_:.2f} of {alone_:.0f} alone", f"{rival:.0f} us, {rival / alone_:.2f}",
        f"{ours / rival:.2f}", f"{goal} of alone" if goal else "", verdict,
        f"n={len(rounds)}, 90 % of chance: {low:.2f} to {high:.2f}, alone to alone {noise[0]:.2f} to {noise[1]:.2f}")


def per_event(dir, node, what, n, options):
    """CPU time of the node for an event, in ns: of work of a fixed size, with the recording and without."""
    work = lambda: int(node.ask(f"{what} {n}"))
    found, events = [], 0
    work()
    for _ in range(ROUNDS):
        plain = work()
        attached = Attached(dir, *LIMITLESS, *options)
        with_it = work()
        events = attached.stop()
        found.append((with_it - (plain + work()) / 2) * 1000 / events)
    return statistics.median(found), found


# where no folder may hold code attach falls back to OTP's ip port
DENY = """for f in /dev/shm /tmp /var/tmp "$HOME"; do
    mount --bind "$f" "$f" && mount -o remount,bind,noexec "$f" || exit
done; exec "$@\""""
CLOSED = ["unshare", "--mount", "--fork", "--kill-child", "sh", "-c", DENY, "sh"]


def fallback(dir):
    if subprocess.run([*CLOSED, "true"], stderr=subprocess.DEVNULL).returncode:
        row("fallback to OTP's ip port", "", "", "", "", "not measurable here", "nothing can be mounted")
        return
    for what, n, options in (("ring", 100000, ("--trace", "messages,running")),
                             ("calls", 200000, ("--trace", "calls", "--module", "attach_load"))):
        figures = []
        for wrap in ((), CLOSED):
            node = Node(dir, "quiet", wrap)
            figures.append(per_event(dir, node, what, n, options))
            node.stop()
        (ours, our), (port, their) = figures
        row(f"CPU of the node per event, {what}: our tracer, OTP's ip port", f"{ours:.0f} ns", f"{port:.0f} ns",
            f"{port / ours:.1f} times less", "", "", "n=%d, quartiles %.0f to %.0f ns, %.0f to %.0f ns"
            % (ROUNDS, *quartiles(our), *quartiles(their)))


with tempfile.TemporaryDirectory() as dir:
    subprocess.run(["erlc", "-o", dir, os.path.join(ROOT, "bench", "attach_load.erl")], check=True)
    print("command: strobe attach NODE --trace procs,running,gc; strobe top NODE; strobe attach NODE --flight 20s; "
          "erlang:trace(all, true, [procs, running, garbage_collection, monotonic_timestamp]) to a process; a service "
          f"of 20,000 processes, requests at random times from an open loop, windows of {WINDOW_MS} ms, "
          f"in turns of random order, {ROUNDS} times")
    starts, events = [], []
    os.mkdir(os.path.join(dir, "flight"))
    node = Node(dir)
    node.settle()
    node.measure()
    rounds = []
    for _ in range(ROUNDS):
        ways = list(WAYS.items())
        random.shuffle(ways)
        figures = {"before": alone(node, dir)}
        for name, (way, _) in ways:
            figures[name] = way(node, dir)
        figures["after"] = alone(node, dir)
        rounds.append(figures)
    node.stop()
    for name, (_, goal) in WAYS.items():
        if goal:
            compare(f"{name}: request latency, p50", percentile(0.5), name, None)
            compare(f"{name}: request latency, p99", percentile(0.99), name, goal)
            compare(f"{name}: CPU of the node per request", cpu_per_request, name, None)
    row("load", f"{node.rate} requests/s, {statistics.median(events):.0f} events each", "", "", "", "",
        "" if RATE else f"{SHARE:.0%} of the cores, alone")
    took = statistics.median(starts)
    row("from the command to the recording", f"{took:.2f} s", "", "", "2 s", "ok" if took <= 2 else "MISSED",
        f"n={len(starts)}, {min(starts):.2f} to {max(starts):.2f} s")
    fallback(dir)
