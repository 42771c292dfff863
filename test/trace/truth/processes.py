"""What processes come to, the pairs that talk, schedulers."""
import collections

from .gcs import collections_of
from .stays import Stays
from .trace import Owners, is_process, merged, touching


class Process:
    def __init__(self):
        self.sum = collections.Counter()  # by the names of SQL's columns
        self.start = self.end = self.parent = self.entry = self.name = None
        self.to = collections.Counter()


class Reference:
    def __init__(self, traces):
        self.of = collections.defaultdict(Process)
        self.owners, self.mentioned = Owners(), set()
        self.active, self.since = collections.Counter(), {}
        self.starts = {e.node: e.at for t in traces for e in t.events[:1]}
        ends = {t.events[0].node: t.end for t in traces}
        for e in merged(traces):
            self.mentioned |= {v for k, v in e.has.items()
                               if k in ("to", "by", "child", "parent", "owner", "down")} | {e.who}
            self.owners.see(e)
            getattr(self, "on_" + e.kind, lambda e, p: None)(e, self.of[e.who])
        for (node, lane), since in self.since.items():
            self.active[node, lane] += ends[node] - since if since is not None else 0
        self.mentioned = {w for w in self.mentioned if is_process(w)}
        self.add_stays(Stays(traces), collections_of(traces))

    def add_stays(self, stays, gcs):
        """Who runs collects while it runs, which is all that counts; of others all counts."""
        ran = collections.defaultdict(list)
        for who, _, start, dur, *_ in stays.slices:
            self.of[who].sum["run_ns"] += dur
            self.of[who].sum["slices"] += 1
            ran[who].append((start, start + dur))
        for who, *_ in stays.moves:
            self.of[who].sum["migrations"] += 1
        for who, start, dur, *_ in gcs:
            self.of[who].sum["gc_count"] += 1
            self.of[who].sum["gc_ns"] += sum(to - at for at,
                                             to in touching(ran[who], start, start + dur)) if ran[who] else dur

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

    def on_entry(self, e, p):  # a task of Elixir gets its function in a message
        if (p.entry or "").startswith("'Elixir.Task.Supervised':"):
            p.entry = e.has["mfa"]

    def on_exit(self, e, p):
        p.end = e.at if p.end is None else p.end

    def on_register(self, e, p):
        p.name = e.has["name"]

    # ---- messages: ports send and receive, too, but that is of no process
    def on_send(self, e, p):
        p.sum["sends"] += 1
        p.sum["send_words"] += e.number("words")
        p.sum["send_ext_bytes"] += e.number("ext")
        to = self.owners.receiver(e)
        if to and is_process(e.who) and e.kind == "send":
            p.to[to] += 1

    on_send_to_non_existing_process = on_send

    def on_receive(self, e, p):
        what = "timeout" if "timeout" in e.flags else "receive"
        p.sum[what + "s"] += 1
        p.sum[what + "_ext_bytes"] += e.number("ext")

    # ---- schedulers: who is first seen to become inactive was active before
    def on_profile_scheduler_active(self, e, p):
        if self.since.setdefault((e.node, e.lane)) is None:
            self.since[e.node, e.lane] = e.at

    def on_profile_scheduler_inactive(self, e, p):
        since = self.since.get((e.node, e.lane), self.starts[e.node])
        self.active[e.node, e.lane] += e.at - since if since is not None else 0
        self.since[e.node, e.lane] = None


def of_process(g, profile, p, untimed):
    for column in ("sends", "send_words", "send_ext_bytes", "receives", "receive_ext_bytes", "timeouts",
                   "timeout_ext_bytes",
                   "spawned", "gc_count", "migrations", "slices"):
        yield column, g[column] or 0, p.sum[column]
    yield "origin", (profile.process[g["parent"]], g["entry"], g["name"]), (p.parent, p.entry, p.name)
    if untimed:
        yield "times", [v for k, v in g.items() if v is not None and (k.endswith("_ns") or k in ("start", "end"))], []
        return
    yield "run", (g["run_ns"] or 0) + (g["dirty_ns"] or 0), p.sum["run_ns"]
    if p.end is None:  # or a collection may be cut by the exit
        yield "gc", g["gc_ns"] or 0, p.sum["gc_ns"]
    yield "start", g["start"], p.start
    yield "end", g["end"], p.end


def figures(profile, traces):
    r = Reference(traces)
    yield "processes", sorted(profile.process[p["id"]] for p in profile.processes), sorted(r.mentioned)
    for g in profile.processes:
        for what, *both in of_process(g, profile, r.of[profile.process[g["id"]]], traces[0].untimed):
            yield f"{profile.process[g['id']]} {what}", *both
    edges = profile.ask("SELECT * FROM message_edge")
    yield ("pairs", {(profile.process[e["sender"]], profile.process[e["receiver"]]): e["count"] for e in edges},
           {(a, b): n for a in list(r.of) for b, n in r.of[a].to.items()})
    yield ("schedulers", {profile.lane[s["id"]]: s["active_ns"]
                          for s in profile.schedulers if s["active_ns"] is not None},
           {lane: ns for (_, lane), ns in r.active.items()})
