"""Called by bench/fprof.sh: records, measures in turns, prints the rows that bench/run wants."""
import os
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
STROBE = os.environ.get("STROBE", os.path.join(ROOT, "build", "strobe"))
MODULE, RUNS = os.environ.get("FPROF_MODULE", "random"), int(os.environ.get("FPROF_RUNS", "3"))

# fun() of a workload, traced by fprof:apply in a node of its own
COMPILE = """fun() ->
    {ok, _, _} = compile:file(filename:join([code:lib_dir(stdlib), "src", "%s.erl"]), [binary]) end""" % MODULE
SERVERS = "fun fprof_load:servers/0"
DEEP = "fun() -> fprof_load:deep(%d) end"


def erl(code):
    return subprocess.run(["erl", "-noshell", "-pa", dir, "-eval", code + ", halt()."], stdout=subprocess.PIPE,
                          text=True, check=True).stdout


def record(workload, path):
    erl('F = %s, catch F(), fprof:apply(F, [], [{file, "%s"}])' % (workload, path))


def real(path, out):  # seconds, peak memory in MB, CPU seconds of profile and analyse alone, in a fresh node
    text = erl('statistics(runtime), T0 = erlang:monotonic_time(), ok = fprof:profile([{file, "%s"}]), ok = '
               'fprof:analyse([{dest, "%s"}]),'
               'T = erlang:monotonic_time() - T0, {_, Cpu} = statistics(runtime), {ok, S} = '
               'file:read_file("/proc/self/status"),'
               '{match, [M]} = re:run(S, "VmHWM:\\\\s+([0-9]+)", [{capture, all_but_first, list}]),'
               'io:format("~nmeasured ~w ~w ~s~n", [erlang:convert_time_unit(T, native, microsecond), Cpu, M])'
               % (path, out))
    us, cpu_ms, kb = text.split("measured ")[1].split()
    return int(us) / 1e6, int(kb) / 1e3, int(cpu_ms) / 1e3


def ours(path, out, threads):
    started = time.monotonic()
    pid = os.spawnl(os.P_NOWAIT, STROBE, STROBE, "fprof", path, "-o", out, "--threads", str(threads))
    _, status, usage = os.wait4(pid, 0)
    if status:
        sys.exit("strobe fprof failed")
    return time.monotonic() - started, usage.ru_maxrss / 1e3, usage.ru_utime + usage.ru_stime


def row(figure, mine, rival, ratio, goal, met, spread):
    print(f"{figure} | {mine} | {rival} | {ratio} | {goal} | {'ok' if met else 'MISSED'} | {spread}", flush=True)


def spread(runs):
    times = [r[0] for r in runs]
    return f"n={len(times)}, {100 * (max(times) - min(times)) / statistics.median(times):.0f} %"


def compare(name, workload, dir):
    path, theirs, mine = (os.path.join(dir, f) for f in ("T", "theirs", "mine"))
    record(workload, path)
    rounds = [(real(path, theirs), ours(path, mine, 1), ours(path, mine, 2)) for _ in range(RUNS)]
    same = open(theirs, "rb").read() == open(mine, "rb").read()
    rival, one, two = ([r[i] for r in rounds] for i in range(3))
    seconds = lambda runs, of=0: statistics.median(r[of] for r in runs)
    size = os.path.getsize(path)
    print(f"{name}: {size / 1e6:.0f} MB, the analyses are {'equal' if same else 'DIFFERENT'}")
    for label, runs, goal in (("1 thread", one, 30), ("2 threads", two, 50)):
        times = seconds(rival) / seconds(runs)
        row(f"fprof {name}, {label}", f"{seconds(runs):.3f} s, {size / seconds(runs) / 1e6:.0f} MB/s",
            f"{seconds(rival):.2f} s",
            f"{times:.0f} times", f"{goal} times", same and times >= goal, spread(runs))
    cpu = seconds(rival, 2) / seconds(one, 2)  # what a machine with nothing else to do would show
    row(f"fprof {name}, CPU time", f"{seconds(one, 2):.3f} s", f"{seconds(rival, 2):.2f} s", f"{cpu:.0f} times",
        "30 times",
        cpu >= 30, f"n={RUNS}")
    memory = max(r[1] for r in one + two)
    rival_memory = min(r[1] for r in rival)
    row(f"fprof {name}, peak memory", f"{memory:.0f} MB", f"{rival_memory:.0f} MB",
        f"{rival_memory / memory:.1f} times less",
        "no more", memory <= rival_memory, f"n={RUNS}")


def depth(dir):
    took = {}
    for n in (4000, 40000):
        path = os.path.join(dir, "T")
        record(DEEP % n, path)
        took[n] = min(ours(path, os.path.join(dir, "mine"), 1)[0] for _ in range(RUNS + 2))
        if n == 4000:
            rival = real(path, os.path.join(dir, "theirs"))[0]
    row("fprof mutual recursion 4,000 deep", f"{took[4000] * 1e3:.1f} ms", f"{rival * 1e3:.0f} ms",
        f"{rival / took[4000]:.0f} times",
        "", True, f"n={RUNS + 2}, the least")
    row("fprof ten times as deep", f"{took[40000] * 1e3:.1f} ms", "", f"{took[40000] / took[4000]:.1f} times the time",
        "at most 15", took[40000] <= 15 * took[4000], f"n={RUNS + 2}, the least")


with tempfile.TemporaryDirectory() as dir:
    subprocess.run(["erlc", "-o", dir, os.path.join(ROOT, "bench", "fprof_load.erl")], check=True)
    print(f"command: strobe fprof T -o F --threads N; fprof:profile([{{file,T}}]), fprof:analyse([{{dest,F}}]); in "
          f"turns, {RUNS} times")
    compare(f"compile {MODULE}", COMPILE, dir)
    compare("60 servers", SERVERS, dir)
    depth(dir)
