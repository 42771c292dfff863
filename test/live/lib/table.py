#!/usr/bin/python3
"""The live table of strobe top, as its user sees it: table.py STROBE NODE CASE [ARGUMENT]; silent when all is well."""
import os
import re
import signal
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from screen import Screen

STROBE, NODE, CASE = sys.argv[1:4]
TARGET = ["--via", os.environ["VIA"]] if "VIA" in os.environ else NODE.split(",")


def top(columns=80, lines=24, *options, **environment):
    return Screen([STROBE, "top", *TARGET, "--interval", "500ms", *options], columns, lines, environment)


def number(text):
    """What a cell says; None: unknown. A sum over some processes of a group counts as it is."""
    if text == "--":
        return None
    if text == "<0.1":
        return 0.05
    unit = {"k": 1e3, "M": 1e6, "G": 1e9}.get(text[-1], 1)
    return float(text.strip(">kMG")) * unit


def rows(s):
    """The rows of the table, each a dictionary by head; in their order. None of a screen that is drawn by half."""
    try:
        return read_rows(s)
    except ValueError:
        return []


def read_rows(s):
    lines = s.lines
    at = next((i for i, line in enumerate(lines) if re.search(r"CORE%.*NAME", line)), None)
    if at is None:
        return []
    heads = lines[at].replace("v", "").replace("^", "").split()
    found = []
    for line in lines[at + 1:]:
        cells = line.split(None, len(heads) - 1)
        if len(cells) == len(heads) and cells[0] != "?": # the keys
            found.append({h: c if h in ("NODE", "PID", "NAME") else number(c) for h, c in zip(heads, cells)})
    return found


def named(s, name):
    return next((r for r in rows(s) if r["NAME"] == name), None)


def ready(s):
    s.wait("a window", lambda s: rows(s) and "window" in "".join(s.lines[:4]) and "being listed" not in s)


def near(s, what, value, low, high):
    if value is None or not low <= value <= high:
        sys.exit(f"{what} is {value}, not within {low} to {high}:\n{s}")


def wait_for_rest(s, seconds):
    """Until the rows stay as they are for so long, which is several windows."""
    since, before = time.monotonic(), None
    def rests(s):
        nonlocal since, before
        if s.lines[6:23] != before:
            since, before = time.monotonic(), s.lines[6:23]
        return time.monotonic() - since > seconds
    s.wait("a frozen table", rests)


def leave(s, key="q", code=0):
    s.key(key)
    if s.end() != code:
        sys.exit(f"strobe ends with {s.code}, not with {code}:\n{s}")


def wrong(s):
    """What a window says that the program cannot have done. Its edges may cut a round, and the screen rounds."""
    asker, answerer, spinner, hoarder = (named(s, n) for n in ("asker", "answerer", "spinner", "hoarder"))
    if not (asker and answerer and spinner and hoarder):
        return "processes are missing"
    edge = 4 / float(re.search(r"window ([\d.]+) s", s.lines[0]).group(1))
    bars = [float(b) for b in re.findall(r"([\d.]+)%\]", "\n".join(s.lines[1:3]))]
    every = sum(r["CORE%"] for r in rows(s))
    limits = [
        # each round of the asker sends three messages, receives one, and rests for 2 ms
        ("rounds", asker["IN/s"], 1, 505 + edge),
        ("messages out of the asker", asker["OUT/s"], asker["IN/s"] * 2.9 - edge, asker["IN/s"] * 3.1 + edge),
        ("messages into the answerer", answerer["IN/s"], asker["OUT/s"] * 0.95 - edge, asker["OUT/s"] * 1.05 + edge),
        ("messages out of the answerer", answerer["OUT/s"], asker["IN/s"] * 0.95 - edge,
         asker["IN/s"] * 1.05 + edge),
        ("switches of the hoarder", hoarder["SW/s"], 1, 210 + edge), # it is reminded every 5 ms
        ("mailbox of the hoarder", hoarder["MBOX"], 1200, 2240),
        ("share of the spinner", spinner["CORE%"], 10, 100),
        ("collections of the spinner", spinner["GC%"], 0.1, spinner["CORE%"]),
        # the processes' shares and those of the schedulers are sums over the same slices
        ("share of all schedulers", sum(bars), every * 0.8 - 1, every * 1.2 + 3)]
    return "; ".join(f"{what} is {v}, not within {low} to {high}" for what, v, low, high in limits
                     if v is None or not low <= v <= high)


def figures():
    s = top(140, 50)
    ready(s)
    s.wait("true figures", lambda s: not wrong(s)) # of one window: one that is drawn by half mixes two
    s.wait("a process of Elixir", lambda s: named(s, "Shop.Cart.loop/0"))
    leave(s)


def keys():
    s = top(80, 24)
    ready(s)
    s.key("m")
    s.wait("order by mailbox", lambda s: rows(s) and rows(s)[0]["NAME"] == "sleeper" and rows(s)[0]["MBOX"] is not None)
    near(s, "mailbox of a process that did nothing", rows(s)[0]["MBOX"], 4300, 4330)
    s.wait("a process that did nothing", lambda s: rows(s)[0]["SW/s"] == 0)
    if "longest mailbox 4.3k: sleeper" not in s:
        sys.exit(f"the longest mailbox is not in the head:\n{s}")
    if len({r["PID"] for r in rows(s)}) != len(rows(s)) or len(rows(s)) < 15:
        sys.exit(f"rows cannot be told apart:\n{s}")
    s.key("p")
    numbers = lambda s: [int(r["PID"].split(".")[1]) for r in rows(s)]
    s.wait("order by pid", lambda s: numbers(s) and numbers(s) == sorted(numbers(s)) and numbers(s)[0] < 5)
    s.key("r")
    s.wait("reverse", lambda s: numbers(s) and numbers(s) == sorted(numbers(s), reverse=True) and numbers(s)[0] > 5)
    s.key("/SPIN\r")
    s.wait("filter", lambda s: [r["NAME"] for r in rows(s)] == ["spinner"] and "filter: SPIN" in s)
    s.key("\x1b")
    s.wait("no filter", lambda s: len(rows(s)) > 10)
    s.key("/zzz")
    s.wait("nothing found", lambda s: "no process matches" in s)
    s.key("\x1b")
    s.wait("the filter before", lambda s: len(rows(s)) > 10)
    s.key("f")
    s.wait("freeze", lambda s: "FROZEN" in s)
    wait_for_rest(s, 3)
    s.key("f?")
    s.wait("help", lambda s: "Columns, and the key that sorts by each" in s)
    s.key("qg")
    s.wait("groups", lambda s: named(s, "rates:member/0"))
    near(s, "members", named(s, "rates:member/0")["PROCS"], 7, 7)
    s.key("/rates:member\r")
    s.wait("one group", lambda s: len(rows(s)) == 1)
    s.key("\r")
    s.wait("its processes", lambda s: len(rows(s)) == 7 and {r["NAME"] for r in rows(s)} == {"rates:member/0"})
    s.key("\x1b")
    s.wait("back", lambda s: named(s, "rates:member/0") and "PROCS" in s)
    leave(s)


def page():
    s = top(80, 24)
    ready(s)
    s.key("/answerer\r")
    s.wait("one row", lambda s: [r["NAME"] for r in rows(s)] == ["answerer"])
    s.key("\r")
    s.wait("facts", lambda s: "rates:answer/0" in s.line("current function") or "gen" in s.line("current function"))
    s.wait("its sender", lambda s: re.search(r"^ +[\d.k]+/s +<[\d.]+> asker$", "\n".join(s.lines), re.M))
    for text in ("status", "mailbox", "memory", "Stack, innermost first", "rates:answer/0 (rates.erl:"):
        if text not in s:
            sys.exit(f"no {text!r}:\n{s}")
    s.key("q")
    s.wait("the table", lambda s: [r["NAME"] for r in rows(s)] == ["answerer"])
    leave(s, "\x03")


def sizes():
    s = top(80, 24)
    ready(s)
    for columns, lines in ((140, 50), (60, 15), (80, 24)):
        s.resize(columns, lines)
        s.wait(f"{columns}x{lines}", lambda s: s.lines[-1].startswith(" ? help") and len(rows(s)) == lines - 6 and
               max(map(len, s.lines)) >= columns - 2)
    s.resize(30, 6)
    s.wait("too small", lambda s: "too small" in s)
    leave(s)


def colours():
    has_colour = lambda s: re.search(rb"\x1b\[[\d;]*3[0-7]m", s.raw)
    s = top()
    ready(s)
    s.wait("colours", lambda s: has_colour(s) or named(s, "spinner"))
    if not has_colour(s):
        sys.exit(f"no colours: {s.raw!r}")
    leave(s)
    s = top(NO_COLOR="1")
    ready(s)
    if has_colour(s) or re.search(rb"\x1b\[[\d;]*4[0-7]m", s.raw):
        sys.exit(f"colours although NO_COLOR is set: {s.raw!r}")
    leave(s)
    s = top(TERM="dumb")
    if s.end() != 2 or len([line for line in s.lines if line]) > 2 or "--once" not in s:
        sys.exit(f"with a dumb terminal, code {s.code}:\n{s}")


def ended():
    """By the signal of the argument: a signal that can be caught restores the terminal."""
    how = sys.argv[4]
    s = top()
    ready(s)
    os.kill(s.pid, getattr(signal, how))
    code = s.end()
    if code != (-9 if how == "SIGKILL" else 0):
        sys.exit(f"after {how} strobe ends with {code}:\n{s}")
    if how != "SIGKILL" and b"\x1b[?25h" not in s.raw.rsplit(b"\x1b[?25l", 1)[1] and b"\x1b[34h" not in s.raw:
        sys.exit(f"the cursor is not shown again: {s.raw[-200:]!r}")


def nodes():
    """Several nodes, given with a comma between two; the last one is killed, by the pid of the argument."""
    s = top(160, 50)
    of = lambda s: [r["NODE"] for r in rows(s)]
    s.wait("all nodes", lambda s: len(set(of(s))) == len(TARGET) and "being listed" not in s)
    def true_of_each(s): # a round of an asker sends three messages and receives one
        askers = [r for r in rows(s) if r["NAME"] == "asker"]
        return len(askers) == len(TARGET) and all(r["IN/s"] > 1 for r in askers) and all(
            abs(r["OUT/s"] - 3 * r["IN/s"]) < 100 + r["IN/s"] / 10 for r in askers) # windows of 50 ms cut rounds
    s.wait("true figures of each", true_of_each)
    s.wait("one order", lambda s: (c := [r["CORE%"] for r in rows(s)]) and c == sorted(c, reverse=True))
    for n, name in enumerate(TARGET):
        if not re.match(re.escape(name) + r" .*%\].* window", s.lines[1 + n]):
            sys.exit(f"no line of {name}:\n{s}")
    s.key("g")
    members = lambda s: [r.get("PROCS") for r in rows(s) if r["NAME"] == "rates:member/0"]
    s.wait("groups of each", lambda s: members(s) == [7] * len(TARGET))
    s.key("g/answerer\r@")
    s.wait("one row of each, in order", lambda s: len(rows(s)) == len(TARGET) == len(set(of(s))) and
           of(s) == sorted(of(s)) and {r["NAME"] for r in rows(s)} == {"answerer"})
    s.key("\r")
    s.wait("a process of the first", lambda s: s.lines[0].startswith(TARGET[0]) and "rates:answer/0" in s and
           re.search(r"/s +<[\d.]+> asker$", "\n".join(s.lines), re.M))
    s.key("q\x1b/" + TARGET[1].partition("@")[0] + "\r")
    s.wait("the processes of one", lambda s: len(rows(s)) > 10 and len(set(of(s))) == 1)
    s.key("\x1b")
    s.wait("all again", lambda s: len(rows(s)) > 40)
    s.key("c")
    s.wait("the order of before", lambda s: len(set(of(s))) == len(TARGET))
    os.kill(int(sys.argv[4]), signal.SIGKILL)
    s.wait("that one has ended", lambda s: re.match(re.escape(TARGET[-1]) + " .*ended", s.lines[len(TARGET)]) and
           len(set(of(s))) == len(TARGET) - 1)
    s.wait("the others go on", lambda s: len([r for r in rows(s) if r["NAME"] == "asker" and r["IN/s"] > 1]) ==
            len(TARGET) - 1)
    leave(s, code=1)
    said = [line for line in s.lines if line.startswith("strobe:")]
    if len(said) != 1 or TARGET[-1] not in said[0] or "ended while it was watched" not in " ".join(s.lines):
        sys.exit(f"not one line:\n{s}")


def dies():
    """The node is killed while it is shown."""
    s = top()
    ready(s)
    os.kill(int(sys.argv[4]), signal.SIGKILL)
    if s.end() != 1:
        sys.exit(f"strobe ends with {s.code}:\n{s}")
    said = [line for line in s.lines if line.startswith("strobe:")]
    if len(said) != 1 or "ended while it was watched" not in " ".join(s.lines):
        sys.exit(f"not one line:\n{s}")


globals()[CASE]()
