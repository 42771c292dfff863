"""The events of traces, from what `strobe dump` shows: all that the references take from strobe."""
import bisect
import re

WORD = re.compile(r"""(\w+)(?:=((?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^ '"])*))?""")
APOSTROPHE = "'"
UNIT = {"ms": "000000", "us": "000", "s": "000000000", "": ""}
READINGS = ("thread", "cpus", "cpu_frame", "cpu_sample")  # taken while something runs; nothing begins with them
LANE = {"s": "normal", "d": "dirty_cpu", "i": "dirty_io", "o": "unknown"}


class Event:
    __slots__ = ("at", "who", "lane", "kind", "has", "flags", "node")

    def __init__(self, line, node):
        at, self.who, lane, rest = line.split(" ", 3)
        number, unit = re.fullmatch(r"(-?\d+|-)(ms|us|s|)", at).groups()
        self.at = None if number == "-" else int(number + UNIT[unit])
        self.kind, _, tail = rest.partition(" ")
        words = WORD.findall(tail)
        self.has, self.flags = {k: v for k, v in words if v}, {k for k, v in words if not v}
        self.node, self.lane = node, lane_named(lane)
        if node:
            self.who = placed(self.who, node)
            self.has = {k: placed(v, node) for k, v in self.has.items()}
            self.lane = self.lane and f"{self.lane}@{node}"

    def number(self, name):
        return int(self.has.get(name) or 0)

    def value(self, name):
        return int(self.has[name]) if name in self.has else None


def lane_named(lane):
    """As table scheduler calls it. OTP tells a number only, 0 for all that are dirty."""
    if lane == "-":
        return None
    return f"{LANE[lane[0]]} {lane[1:]}" if lane[0] in LANE else f"{'normal' if lane != '0' else 'unknown'} {lane}"


def placed(who, node):
    """A pid or port with its node's name, where there are several nodes."""
    pid, _, home = who.partition(">@")
    if home:
        return f"{pid}>@{home.rpartition('/')[0].strip(APOSTROPHE)}"
    return f"{who}@{node}" if who[:1] == "<" or who[:6] == "#Port<" else who


def never_back(events):
    """Stamps of CPU time run backwards, and what has none has no other order: that of the file is the truth."""
    at = 0
    for e in events:
        at = e.at = max(at, e.at or 0)
    return events


class Trace:
    """Of one node. In the order of time; what bears no stamp among others says nothing of processes."""

    def __init__(self, text, several):
        self.node = re.match(r"@meta node='?([^' ]*)", text).group(1)
        all = [Event(line, self.node if several else None) for line in text.splitlines() if line and line[0] != "@"]
        timed = [e for e in all if e.at is not None]
        self.untimed = not timed
        if self.untimed or " cpu" in text.partition("\n")[0]:
            self.events = never_back(timed or all)
        else:
            self.events = sorted(timed, key=lambda e: e.at)

    def lay(self, start):
        """On the axis of a profile, where it begins there."""
        t0 = next((e for e in self.events if e.kind not in READINGS), self.events[0]).at - start
        for e in self.events:
            e.at -= t0
        self.end = self.events[-1].at


def merged(traces):
    """Events of all nodes, which are on one axis."""
    if len(traces) == 1:
        return traces[0].events
    return sorted((e for t in traces for e in t.events), key=lambda e: (e.at, e.kind == "receive"))


def touching(stretches, start, end):
    """The parts of sorted, disjoint (start, end) that lie within."""
    i = bisect.bisect_right(stretches, start, key=lambda s: s[1])
    while i < len(stretches) and stretches[i][0] < end:
        yield max(start, stretches[i][0]), min(end, stretches[i][1])
        i += 1


def is_process(who):
    return who[:1] == "<"


class Owners:
    """Who has which name at which node, as events pass by; an alias is its first sender's there."""

    def __init__(self):
        self.owner, self.alias = {}, {}

    def see(self, e):
        if e.kind in ("register", "exists") and e.has.get("name"):
            self.owner[e.node, e.has["name"]] = e.who
        elif e.kind == "unregister":
            self.owner[e.node, e.has["name"]] = None
        elif "offers" in e.has:
            self.alias.setdefault((e.node, e.has["offers"]), e.who)

    def receiver(self, e):
        """The process that gets what is sent, where that is known."""
        to = e.has.get("to") or self.alias.get((e.node, e.has.get("alias")), "")
        if is_process(to):
            return to
        if to[:1] == "{":
            name, _, home = to.strip("{}").rpartition(",")
            return self.owner.get((home.strip(APOSTROPHE), name))
        return self.owner.get((e.node, to))
