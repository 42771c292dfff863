"""
Slices of processes and ports, from an `in` to the next `out` or the end of the trace. A port is at work while
system_profile reports it active. With system_profile, a slice without an end is unknown, except that a process that
collected garbage ran until then. Also migrations, from one slice to the next.
"""
import collections

from .trace import is_process, merged

IN, OUT = ("in", "in_exiting"), ("out", "out_exiting", "out_exited")


class Stays:
    def __init__(self, traces):
        self.slices, self.moves, self.on, self.last, self.over, self.collected = [], [], {}, {}, set(), {}
        all = merged(traces)
        for e in all:
            port = e.who.startswith("#Port<")
            if (e.kind in IN or (port
                                 and e.kind == "profile_active")) and e.who not in self.on and e.who not in self.over:
                self.begin(e)
            elif (e.kind in OUT or (port and e.kind == "profile_inactive")) and e.who in self.on:
                self.end(e.who, e.at, e.has.get("mfa"))
            elif e.kind in ("exit", "closed"):
                self.end(e.who, e.at, None)
                self.over.add(e.who)
            elif e.kind.startswith("gc_") and e.who in self.on and (e.kind.endswith("end") or e.who in self.collected):
                self.collected[e.who] = e.at
        reported = any(e.kind in ("profile_active", "profile_inactive") for e in all)
        ends = {t.events[0].node: t.end for t in traces}
        for who in list(self.on):
            if not reported or who in self.collected:
                self.end(who, self.collected[who] if reported else ends[self.on[who].node], None)

    def begin(self, e):
        self.on[e.who] = e
        self.collected.pop(e.who, None)
        last = self.last.get(e.who)
        if is_process(e.who) and last and e.lane and last != e.lane:
            self.moves.append((e.who, e.at, last, e.lane))
        self.last[e.who] = e.lane

    def end(self, who, at, function):
        if who in self.on:
            e = self.on.pop(who)
            kind = e.lane.split()[0] if e.lane else "unknown"
            self.slices.append((who, e.lane, e.at, at - e.at, e.has.get("mfa"), function, kind))


def figures(profile, traces):
    if traces[0].untimed:
        return
    stays = Stays(traces)
    got = [(profile.process[s["process"]] or profile.port[s["port"]], profile.lane[s["scheduler"]], s["start"],
            s["dur"], s["in_function"],
            s["out_function"], s["kind"]) for s in profile.slices()]
    yield "slices", collections.Counter(got), collections.Counter(stays.slices)
    got = [(profile.process[m["process"]], m["at"], profile.lane[m["from_scheduler"]], profile.lane[m["to_scheduler"]])
           for m in profile.ask("SELECT * FROM migration")]
    yield "migrations", collections.Counter(got), collections.Counter(stays.moves)
    ran, runs = collections.Counter(), collections.Counter()
    for who, lane, _, dur, *_ in stays.slices:
        ran[who] += dur
        runs[who] += 1
        if is_process(who):
            ran[lane] += dur
            runs[lane] += dur > 0  # no time of a scheduler goes into the others
    got = {profile.lane[s["id"]]: (s["slice_ns"] or 0, s["slices"] or 0) for s in profile.schedulers}
    yield "schedulers' work", got, {lane: (ran[lane], runs[lane]) for lane in got}
    got = {profile.port[p["id"]]: (p["run_ns"] or 0, p["runs"] or 0) for p in profile.ports}
    yield "ports' work", got, {port: (ran[port], runs[port]) for port in got}
