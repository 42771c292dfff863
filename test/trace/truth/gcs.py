"""Collections: each from its start to the end that follows."""
import collections

from .trace import merged

SIZES = (("heap_before", "heap_after", "heap"), ("old_before", "old_after", "old"), ("bin_before", "bin_after", "bin"))


def row(start, end):
    """What is not told of `old` is 0, and so is what was reclaimed, or it needs more than 32 bits."""
    sizes = [e.number(size) for _, _, size in SIZES for e in (start, end)]
    reclaimed = end.number("need") or max(0, sizes[0] - sizes[1])
    return (end.who, start.at, end.at - start.at, None if start.kind == "gc_start" else start.kind.split("_")[1],
            *sizes,
            reclaimed, end.lane, start.value("mbuf"))


def collections_of(traces):
    began, all = {}, []
    for e in merged(traces):
        if e.kind in ("gc_start", "gc_minor_start", "gc_major_start"):
            began[e.who] = e
        elif e.kind in ("gc_end", "gc_minor_end", "gc_major_end") and e.who in began:
            all.append(row(began.pop(e.who), e))
        elif e.kind == "exit":
            began.pop(e.who, None)
    return all


def figures(profile, traces):
    if traces[0].untimed:
        return
    columns = [c for before, after, _ in SIZES for c in (before, after)]
    got = [(profile.process[g["process"]], g["start"], g["dur"], g["kind"], *(g[c] for c in columns),
            g["reclaimed_words"],
            profile.lane[g["scheduler"]], g["mbuf_words"]) for g in profile.ask("SELECT * FROM gc")]
    want = collections_of(traces)
    yield "collections", collections.Counter(got), collections.Counter(want)
    of = collections.defaultdict(lambda: [0, 0])
    for who, _, _, _, before, after, *_, reclaimed, _, _ in want:
        of[who] = [of[who][0] + reclaimed, max(of[who][1], before or 0, after or 0)]
    got = {profile.process[p["id"]]: [p["reclaimed_words"] or 0, p["peak_heap_words"] or 0] for p in profile.processes}
    yield "what was reclaimed, the largest heap", got, {who: of[who] for who in got}
