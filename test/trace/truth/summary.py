"""The first page: the program's parallelism, by a sweep over slices, gaps and states independent of strobe's."""
import collections
import re

LOADS = "code_server", "erl_prim_loader"


def ppm(part, whole):
    return part * 1000000 // whole


def can_run(node):
    """Online when it began, or more where more worked; each with a core, and with the CPU time that a limit leaves."""
    n = max(node["online"], node["worked"]) if node["online"] else node["schedulers"] or 0
    bounds = [node["cores"], node["quota"] and -(-node["quota"] // 1000000)]
    return min([n] + [b for b in bounds if b])


class Sweep:
    """
    Times by what happened at once. Processes are at work, and ports on schedulers that run no process: a process calls
    a driver within its own slice. A spell is (start, end, what, process, node, lane); what: normal, dirty, port, ready.
    """

    def __init__(self, spells, span, able):
        spells = [*spells]
        changes = sorted([(start, 1, *rest) for start, end, *rest in spells if start < end]
                         + [(end, -1, *rest) for start, end, *rest in spells if start < end],
                         key=lambda c: c[:2])
        self.levels, self.alone = collections.Counter(), collections.Counter()
        self.serial = self.dirty_only = self.held_up = self.few = 0
        self.able, self.now, self.on_node, self.lanes, self.working = able, collections.Counter(), collections.Counter(
            ), {}, set()
        last = 0
        for at, step, what, process, node, lane in changes + [(span, 0, "ready", None, None, None)]:
            if at > last:
                self.count(at - last)
            last = at
            self.change(step, what, process, node, lane)

    def add(self, what, node, step):
        self.now[what] += step
        self.on_node[what, node] += step

    def change(self, step, what, process, node, lane):
        of_lane = self.lanes.setdefault(lane, collections.Counter()) if lane else None
        before = 0 if not of_lane or of_lane["process"] else of_lane["port"]
        if what in ("normal", "dirty"):
            (self.working.add if step > 0 else self.working.discard)(process)
        if what == "port" and of_lane is not None:
            of_lane["port"] += step
        elif what != "port" or lane is None:
            self.add(what, node, step)
        if what in ("normal", "dirty") and of_lane is not None:
            of_lane["process"] += step
        if of_lane is not None:
            self.add("port", node, (0 if of_lane["process"] else of_lane["port"]) - before)

    def count(self, ns):
        processes, ports = self.now["normal"] + self.now["dirty"], self.now["port"]
        self.levels[processes + ports] += ns
        if processes + ports == 1 and not self.now["ready"]:
            self.serial += ns
            if processes:
                self.alone[next(iter(self.working))] += ns
        if self.now["dirty"] and self.now["dirty"] == processes + ports:
            self.dirty_only += ns
        if any(self.on_node["ready", n] and self.on_node["normal", n] + self.on_node["port", n] < able for n,
               able in self.able.items()):
            self.held_up += ns
        if processes + ports + self.now["ready"] < sum(self.able.values()):
            self.few += ns


def levels(spells, span):
    """How long how many were at once."""
    changes = sorted([(start, 1) for start, _ in spells] + [(end, -1) for _, end in spells] + [(span, 0)])
    of, n, last = collections.Counter(), 0, 0
    for at, step in changes:
        of[n] += at - last
        n, last = n + step, at
    return +of


def spells(profile):
    node = {p["id"]: p["node"] for p in profile.processes}
    of_port = {p["id"]: p["node"] for p in profile.ports}
    known = {s["id"] for s in profile.schedulers if s["kind"] != "unknown" and s["number"] > 0}
    for s in profile.slices():
        lane = s["scheduler"] if s["scheduler"] in known else None
        if s["port"]:
            yield s["start"], s["end"], "port", None, of_port[s["port"]], lane
        else:
            yield s["start"], s["end"], "dirty" if s["kind"].startswith("dirty") else "normal", s["process"], node[
                s["process"]], lane
    for g in profile.gaps():
        if g["runnable_ns"]:
            yield g["ready"], g["ready"] + g["runnable_ns"], "ready", None, node[g["process"]], None


def left_out(profile):
    """The traced nodes with processes that were not recorded: whether their schedulers were idle is unknown."""
    return {p["node"] for p in profile.ask(
        "SELECT DISTINCT p.node FROM process p JOIN node n ON n.id = p.node WHERE n.trace_start IS NOT NULL AND "
        "p.last_seen IS NULL AND p.start IS NULL AND (p.name IS NOT NULL OR p.entry IS NOT NULL)")}


def figures(profile, traces):
    rows = profile.report("summary")
    value_of = {r["item"]: r["value"] for r in rows}
    if value_of.get("parallelism") is None:
        return
    nodes = profile.ask(
        "SELECT id, schedulers, schedulers_online AS online, cores, cpu_quota_ppm AS quota, (SELECT count(*) FROM "
        "scheduler WHERE "
                        "scheduler.node = node.id AND kind = 'normal' AND slices > 0) AS worked FROM node WHERE "
                        "trace_start IS NOT NULL")
    able = {n["id"]: can_run(n) for n in nodes}
    schedulers = sum(able.values()) if all(able.values()) else None
    judged = schedulers and not left_out(profile) or None
    span = value_of["length"]
    every = [*spells(profile)]
    s = Sweep(every, span, able)
    processes = [(start, end) for start, end, what, *_ in every if what in ("normal", "dirty")]
    yield "parallelism", value_of["parallelism"], ppm(sum(end - start for start, end in processes), span)
    yield "idle", value_of["idle"], ppm(s.levels[0], span)
    yield "serial", value_of["serial"], None if schedulers == 1 else ppm(s.serial, span)
    yield "too few to run", value_of["too few to run"], judged and ppm(s.few, span)
    yield "dirty only", value_of["dirty only"], ppm(s.dirty_only, span)
    yield "ready beside idle", value_of["ready beside idle"], judged and ppm(s.held_up, span)
    loads = {p["id"] for p in profile.processes if p["name"] in LOADS}
    alone_loading = sum(ns for process, ns in s.alone.items() if process in loads)
    yield "loading code", value_of["loading code"], ppm(alone_loading, span)
    most = re.search("most often .*?(<[0-9.]+>)", next(r["text"] for r in rows if r["item"] == "serial"))
    if most and len(able) == 1:
        yield "most often alone", max((s.alone[p["id"]] for p in profile.processes if p["pid"] == most.group(1))), max(
            s.alone.values())
    states = profile.ask("SELECT start, start + dur AS end FROM state WHERE state IN ('running', 'gc', 'dirty')")
    yield "processes at work at once, by state", levels([(x["start"], x["end"]) for x in states],
                                                        span), levels(processes, span)
