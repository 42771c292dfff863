"""Pyramids, of everything, of schedulers and of processes: what of each stay falls into each bucket."""
import collections
import functools
import itertools

from .trace import touching

STATES = ("running_ns", "gc_ns", "dirty_ns", "runnable_ns", "waiting_ns", "ports_ns")


def clipped(start, end, level):
    for bucket in range(start >> level, (end - 1 >> level) + 1 if start < end else 0):
        yield bucket, min(end, bucket + 1 << level) - max(start, bucket << level)


@functools.lru_cache(maxsize=1)
class Spans:
    """(state, from, to) of everything, of each scheduler and each process, from the tables of the profile."""

    def __init__(self, profile):
        self.of = collections.defaultdict(list)
        gcs = collections.defaultdict(list)
        for g in profile.ask("SELECT process, start, start + dur AS end FROM gc WHERE dur > 0 ORDER BY start"):
            gcs[g["process"]].append((g["start"], g["end"]))
        for s in profile.slices():
            self.put_slice(s, gcs[s["process"]] if s["process"] else ())
        for g in profile.gaps():
            self.put(g["process"], None, "waiting_ns", g["start"], g["waited"])
            self.put(g["process"], None, "runnable_ns", g["ready"], g["end"])

    def put(self, process, scheduler, state, start, end):
        if start < end:
            for of in ("all", None), ("process", process), ("scheduler", scheduler):
                if of == ("all", None) or of[1] is not None:
                    self.of[of].append((state, start, end))

    def put_slice(self, s, gcs):
        state = "ports_ns" if s["port"] else "dirty_ns" if s["kind"].startswith("dirty") else "running_ns"
        at = s["start"]
        for start, end in touching(gcs, s["start"], s["end"]):
            self.put(s["process"], s["scheduler"], state, at, start)
            self.put(s["process"], s["scheduler"], "gc_ns", start, end)
            at = end
        self.put(s["process"], s["scheduler"], state, at, s["end"])


def sums(spans, level):
    """By bucket and state."""
    of = collections.defaultdict(collections.Counter)
    for state, start, end in spans:
        for bucket, ns in clipped(start, end, level):
            of[bucket][state] += ns
    return of


def most_at_once(stays, level):
    """By bucket. What ends at a moment is over when others begin."""
    changes = sorted(change for start, end in stays for change in ((start, 1), (end, -1)))
    most, n = collections.Counter(), 0
    for (at, step), (until, _) in itertools.pairwise(changes):
        n += step
        for bucket in range(at >> level, (until - 1 >> level) + 1 if at < until else 0):
            most[bucket] = max(most[bucket], n)
    return most


def stays(profile):
    """Of processes: what is counted, and when it begins and ends."""
    return {"peak_running": [(s["start"], s["end"]) for s in profile.slices() if not s["port"] and s["dur"]],
            "peak_runnable": [(g["ready"], g["end"]) for g in profile.gaps() if g["runnable_ns"]]}


def figures(profile, traces):
    if traces[0].untimed:
        return
    levels = [level["level"] for level in profile.ask(
        "SELECT DISTINCT level FROM pyramid WHERE track = 1 ORDER BY level LIMIT 9")]
    spans = Spans(profile)
    for level in {levels[0], levels[-1]} if levels else ():
        got = collections.defaultdict(dict)
        for b in profile.ask(
            f"SELECT kind, ref, p.* FROM pyramid p JOIN track ON track.id = track WHERE level = {level} "
                             f"AND (track = 1 OR level = {levels[-1]})"):
            got[b["kind"], b["ref"]][b["bucket"]] = b
        for of, buckets in got.items():
            yield (f"level {level} of {of}", {bucket: {s: b[s] for s in STATES if b[s]} for bucket,
                                              b in buckets.items()},
                   {bucket: dict(states) for bucket, states in sums(spans.of[of], level).items()})
        for column, those in stays(profile).items():
            most = most_at_once(those, level)
            buckets = got["all", None]
            yield f"{column} of level {level}", {bucket: buckets[bucket][column] or 0
                                                 for bucket in buckets}, {bucket: most[bucket] for bucket in buckets}
