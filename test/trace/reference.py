"""What a trace says of its processes, counted slowly and straight from the definitions, from what `strobe dump` shows."""
import collections
import re

WORD = re.compile(r"""(\w+)(?:=((?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^ '"])*))?""")
APOSTROPHE = "'"
UNIT = {"ms": "000000", "us": "000", "s": "000000000", "": ""}


class Event:
    __slots__ = ("at", "who", "lane", "kind", "has")

    def __init__(self, line, node):
        at, self.who, self.lane, rest = line.split(" ", 3)
        number, unit = re.fullmatch(r"(-?\d+|-)(ms|us|s|)", at).groups()
        self.at = None if number == "-" else int(number + UNIT[unit])
        self.kind, _, tail = rest.partition(" ")
        self.has = dict(reversed(WORD.findall(tail)))  # a slot before a flag of its name
        if node:
            self.who = placed(self.who, node)
            self.has = {k: placed(v, node) for k, v in self.has.items()}

    def number(self, name):
        return int(self.has.get(name) or 0)


def placed(who, node):
    """A pid with its node's name, where there are several nodes."""
    pid, _, home = who.partition(">@")
    return f"{pid}>@{home.rpartition('/')[0].strip(APOSTROPHE)}" if home else f"{who}@{node}" if who[:1] == "<" else who


def node(text):
    return re.match(r"@meta node='?([^' ]*)", text).group(1)


def never_back(events):
    """Stamps of CPU time run backwards, and what has none has no other order: that of the file is the truth."""
    at = 0
    for e in events:
        at = e.at = max(at, e.at or 0)
    return events


def events(text, several=False):
    """In the order of time; what bears no stamp among others says nothing of processes."""
    here = node(text) if several else None
    all = [Event(line, here) for line in text.splitlines() if line and line[0] != "@"]
    timed = [e for e in all if e.at is not None]
    if not timed or " cpu" in text.partition("\n")[0]:
        return never_back(timed or all)
    return sorted(timed, key=lambda e: e.at)


class Process:
    def __init__(self):
        self.sum = collections.Counter()  # by the names of SQL's columns
        self.start = self.end = self.parent = self.entry = self.name = None
        self.lanes, self.on, self.collects = [], None, None
        self.to = collections.Counter()


class Reference:
    def __init__(self, text, several=False):
        """Of one node; where there are several, pids bear its name."""
        self.node, all = node(text), events(text, several)
        self.untimed = all[-1].at == 0
        self.t0, self.t1 = all[0].at, all[-1].at
        self.vm_tells = any(e.kind in ("profile_active", "profile_inactive") for e in all)
        self.of = collections.defaultdict(Process)
        self.owner, self.had_name, self.alias = {}, {}, {}
        self.mentioned, self.to_names = set(), collections.Counter()
        self.active, self.since = collections.Counter(), {}
        for e in all:
            self.mentioned |= {v for k, v in e.has.items() if k in ("to", "by", "child", "parent", "owner", "down")} | {e.who}
            getattr(self, "on_" + re.sub("minor_|major_", "", e.kind), lambda e, p: None)(e, self.of[e.who])
        for number, since in self.since.items():
            self.active[number] += self.t1 - since if since is not None else 0
        for p in self.of.values():  # what the VM told of and did not end is unknown
            if p.on is not None and not self.vm_tells:
                self.leave(p, self.t1)
        self.mentioned = {w for w in self.mentioned if w.startswith("<")}

    # ---- stays
    def on_in(self, e, p):
        if p.on is not None or p.end is not None:
            return
        p.on = e.at
        p.sum["migrations"] += bool(p.lanes) and p.lanes[-1] != e.lane
        p.lanes.append(e.lane)

    def leave(self, p, at):
        if p.on is not None:
            p.sum["run_ns"] += at - p.on
            p.sum["slices"] += 1
        p.on = None

    def on_out(self, e, p):
        self.leave(p, e.at)

    on_in_exiting, on_out_exiting, on_out_exited = on_in, on_out, on_out

    def on_gc_start(self, e, p):
        p.collects = e.at

    def on_gc_end(self, e, p):
        if p.collects is not None:
            p.sum["gc_count"] += 1
            p.sum["gc_ns"] += e.at - p.collects
        p.collects = None

    # ---- lives
    def born(self, e, who, parent):
        p = self.of[who]
        p.start, p.parent, p.entry = e.at, parent, e.has.get("entry") or e.has.get("mfa")

    def on_spawn(self, e, p):
        p.sum["spawned"] += 1
        if self.of[e.has["child"]].start is None:
            self.born(e, e.has["child"], e.who)

    def on_spawned(self, e, p):
        self.born(e, e.who, e.has["parent"])

    def on_exists(self, e, p):
        p.parent, p.entry, p.name = e.has.get("parent"), e.has.get("entry"), e.has.get("name", p.name)
        if p.name:
            self.owner[p.name] = self.had_name[p.name] = e.who

    def on_exit(self, e, p):
        self.leave(p, e.at)
        p.end = e.at if p.end is None else p.end

    def on_register(self, e, p):
        p.name = e.has["name"]
        self.owner[p.name] = self.had_name[p.name] = e.who

    def on_unregister(self, e, p):
        self.owner[e.has["name"]] = None

    # ---- messages: ports send and receive, too, but that is of no process
    def on_send(self, e, p):
        p.sum["sends"] += 1
        p.sum["send_words"] += e.number("words")
        p.sum["send_ext_bytes"] += e.number("ext")
        if "offers" in e.has:
            self.alias.setdefault(e.has["offers"], e.who)
        to = e.has.get("to") or self.alias.get(e.has.get("alias"), "")
        if to.startswith("{") and e.kind == "send":
            self.to_names[e.who, to] += 1  # of another node
        to = to if to.startswith("<") else self.owner.get(to)
        if to and e.who.startswith("<") and e.kind == "send":
            p.to[to] += 1

    on_send_to_non_existing_process = on_send

    def on_receive(self, e, p):
        what = "timeout" if "timeout" in e.has else "receive"
        p.sum[what + "s"] += 1
        p.sum[what + "_ext_bytes"] += e.number("ext")

    def meet(self, others):
        """Names of other nodes, each had by one there."""
        for (who, to), n in self.to_names.items():
            name, _, home = to.strip("{}").replace("'", "").rpartition(",")
            for o in others:
                if o.node == home and name in o.had_name:
                    self.of[who].to[o.had_name[name]] += n

    # ---- schedulers: who is first seen to become inactive was active before
    def on_profile_scheduler_active(self, e, p):
        if self.since.setdefault(e.lane) is None:
            self.since[e.lane] = e.at

    def on_profile_scheduler_inactive(self, e, p):
        since = self.since.get(e.lane, self.t0)
        self.active[e.lane] += e.at - since if since is not None else 0
        self.since[e.lane] = None
