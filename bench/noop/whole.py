"""
What a recording adds to a whole node, measured from outside: bench/capture.sh runs it.

    whole.py STROBE ROUNDS FOLDER

start and stop   CPU time of all processes of `strobe record -- erl ... init:stop()` above that of the same node
                 alone, in rounds of one each, and their system calls. Its parts: strobe itself, the drain, the node,
                 and what the node does when it begins and ends a recording (start_bench.erl)
idle             CPU time of the processes of a recorded node that sleeps for 10 s, as a share of a core, their
                 wake-ups and their system calls

The processes of a start run at real-time priority where that is allowed: nothing interrupts them, so the figures hardly
depend on the neighbours. Without it their spread is as large as the goal on a busy machine.
"""
import os
import resource
import shutil
import statistics
import subprocess
import sys
import time

STROBE, ROUNDS, FOLDER = sys.argv[1], int(sys.argv[2]), sys.argv[3]
TRACE = os.path.join(FOLDER, "whole.sbt")
QUIET = dict(stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
START_MS, IDLE_PERCENT, IDLE_SECONDS = 25, 0.2, 10


def first_in_turn():
    os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))


def may_be_first():
    try:
        subprocess.run(["true"], check=True, preexec_fn=first_in_turn)
        return first_in_turn
    except (OSError, subprocess.SubprocessError):
        print("real-time priority | not allowed here: the figures of a start depend on the neighbours | | | |")
        return None


def children_ms(command, priority, fails=False):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=not fails, preexec_fn=priority, **QUIET)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def recorded(command):
    return [STROBE, "record", "-o", TRACE, "--", *command]


def quartiles(values):
    return statistics.quantiles(values, n=4, method="inclusive")


def row(name, values, unit, goal, measurable):
    first, median, third = quartiles(values)
    verdict = "not measurable here" if not measurable else "ok" if median <= goal else "MISSED"
    part(name, values, unit, f"at most {goal} {unit} | {verdict}")


def part(name, values, unit, goal="|"):
    first, median, third = quartiles(values)
    print(f"{name} | {median:.2f} {unit} ({first:.2f} to {third:.2f}) | | | {goal}", flush=True)


# Schedulers that wait do not spin: how long they do depends on the neighbours.
STOPS = ["erl", "+sbwt", "none", "+sbwtdcpu", "none", "+sbwtdio", "none", "-noshell", "-eval", "init:stop()."]


def started_ms(command, priority):
    """Returns the CPU time of all processes, and that of the node alone."""
    out = os.path.join(FOLDER, "node")
    whole = children_ms(command([os.path.join(FOLDER, "spent"), out, *STOPS]), priority)
    with open(out) as f:
        return whole, int(f.read()) / 1e6


def start_and_stop():
    priority = may_be_first()
    rounds = [(started_ms(lambda node: node, priority), started_ms(recorded, priority),
               children_ms(["true"], priority), children_ms(recorded(["true"]), priority, fails=True))
              for _ in range(ROUNDS + 1)][1:]
    above = [r[0] - p[0] for p, r, _, _ in rounds]
    node = [r[1] - p[1] for p, r, _, _ in rounds]
    strobe = [s - t for _, _, t, s in rounds]  # no node is started, and so no drain
    first, _, third = quartiles(above)
    row("start and stop of a node", above, "ms", START_MS, third - first <= START_MS / 2)
    part("start and stop: strobe itself", strobe, "ms")
    part("start and stop: the drain", [a - n - s for a, n, s in zip(above, node, strobe)], "ms")
    part("start and stop: the node", node, "ms")
    parts_of_node(priority)


def parts_of_node(priority):
    ebin = os.path.join(os.path.dirname(STROBE), "erlang", "strobe", "ebin")
    command = [*STOPS[:-1], f'start_bench:main("{FOLDER}", "{ebin}").', "-pa", FOLDER, ebin]
    found = {}
    for _ in range(ROUNDS):
        ran = subprocess.run(command, check=True, preexec_fn=priority, **{**QUIET, "stdout": subprocess.PIPE})
        for line in ran.stdout.decode().splitlines():
            name, us = line.split("|")
            found.setdefault(name, []).append(int(us) / 1000)
    for name, values in found.items():
        part(f"start and stop: the node, {name}", values, "ms")


def family(root):
    children = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat") as f:
                parent = int(f.read().rpartition(")")[2].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(pid))
    found, left = [], [root]
    while left:
        found.append(left.pop())
        left += children.get(found[-1], [])
    return found


def spent_ns(pids):
    """CPU time of all threads of these processes, as the kernel counts it."""
    total = 0
    for pid in pids:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/schedstat") as f:
                total += int(f.read().split()[0])
    return total


def asleep(command, look):
    """Runs a node that sleeps, and looks at its processes once it has started."""
    root = subprocess.Popen(command, **QUIET)
    time.sleep(3)
    found = look(family(root.pid))
    root.terminate()
    root.wait()
    return found


def share(pids):
    before, start = spent_ns(pids), time.monotonic_ns()
    time.sleep(IDLE_SECONDS)
    return 100 * (spent_ns(pids) - before) / (time.monotonic_ns() - start)


def counted(strace):
    """Runs a command that counts system calls into a file."""
    out = os.path.join(FOLDER, "calls")
    subprocess.run(strace(out), **QUIET)
    with open(out) as f:
        total = [line.split() for line in f if line.rstrip().endswith("total")]
    return int(total[0][3])


def system_calls(pids):
    attach = [f"-p{p}" for p in pids]
    stop = ["timeout", "-s", "INT", str(IDLE_SECONDS)]
    return counted(lambda out: [*stop, "strace", "-c", "-f", "-o", out, *attach]) / IDLE_SECONDS


def start_and_stop_calls():
    node = STOPS
    plain, ours = [statistics.median(counted(lambda out: ["strace", "-c", "-f", "-o", out, *command])
                                     for _ in range(3)) for command in (node, recorded(node))]
    print(f"start and stop of a node, system calls | {ours:.0f} | {plain:.0f} not recorded | | |", flush=True)


def switches(pids):
    """Times a second that a thread of these processes goes to sleep, which is how often one was woken."""
    def so_far():
        total = 0
        for pid in pids:
            for thread in os.listdir(f"/proc/{pid}/task"):
                with open(f"/proc/{pid}/task/{thread}/status") as f:
                    total += sum(int(line.split()[1]) for line in f if line.startswith("voluntary_ctxt"))
        return total
    before = so_far()
    time.sleep(IDLE_SECONDS)
    return (so_far() - before) / IDLE_SECONDS


def idle():
    node = ["erl", "-noshell", "-eval", "timer:sleep(infinity)."]
    rounds = [(asleep(node, share), asleep(recorded(node), share)) for _ in range(min(ROUNDS, 5))]
    plain = quartiles([p for p, _ in rounds])
    steady = plain[2] - plain[0] <= IDLE_PERCENT
    row("a node that sleeps", [r - p for p, r in rounds], "% of a core", IDLE_PERCENT, steady)
    print(f"a node that sleeps, wake-ups per second | {asleep(recorded(node), switches):.0f} | "
          f"{asleep(node, switches):.0f} not recorded | | |", flush=True)
    if shutil.which("strace"):
        start_and_stop_calls()
        print(f"a node that sleeps, system calls per second | {asleep(recorded(node), system_calls):.0f} | "
              f"{asleep(node, system_calls):.0f} not recorded | | |", flush=True)


start_and_stop()
idle()
