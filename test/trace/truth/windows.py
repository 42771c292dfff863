"""What is asked of a stretch of time: of each stay the part that lies within."""
import collections
import itertools

from .pyramids import STATES, Spans, sums

KEYS = ("process", "scheduler", "in_function", "out_function", "kind")


def within(spans, t0, t1):
    return [(state, max(start, t0), min(end, t1)) for state, start, end in spans if start < t1 and end > t0]


def states(spans):
    of = collections.Counter()
    for state, start, end in spans:
        of[state] += end - start
    return of


def by(slices, key, t0, t1):
    """slice_by: what has no length counts where it lies within."""
    parts = collections.defaultdict(list)
    for s in slices:
        start, end = max(s["start"], t0), min(s["start"] + s["dur"], t1)
        if start < end or (s["dur"] == 0 and t0 <= s["start"] < t1):
            parts[s[key]].append(end - start)
    return {k: (len(v), sum(v), max(v)) for k, v in parts.items()}


def of_window(profile, spans, slices, t0, t1):
    got = collections.defaultdict(dict)
    for g in profile.ask(" UNION ALL ".join(f"SELECT '{key}' AS by, * FROM slice_by('{key}', {t0}, {t1})"
                                            for key in KEYS)):
        got[g["by"]][g["key"]] = (g["count"], g["total_ns"], g["max_ns"])
    for key in KEYS:
        yield f"slices by {key}", got[key], {k and str(k): sums for k, sums in by(slices, key, t0, t1).items()}
    rows = profile.report("processes", "--limit", "0", "--since", f"{t0}ns", "--until", f"{t1}ns")
    of = {i: states(within(s, t0, t1)) for (kind, i), s in spans.of.items() if kind == "process"}
    for p in rows:
        want = of.get(p["id"], collections.Counter())
        want["running_ns"] += want["gc_ns"]
        yield (f"{p['pid']}", [p[c] for c in ("run_ns", "gc_ns", "dirty_ns", "runnable_ns", "wait_ns")],
               [want[c] for c in ("running_ns", "gc_ns", "dirty_ns", "runnable_ns", "waiting_ns")])
    yield "processes that are left out", {i for i in of if of[i]} - {p["id"] for p in rows}, set()
    own, all = by([s for s in slices if not s["port"] and s["dur"]], "scheduler", t0, t1), by(slices, "scheduler", t0,
            t1)
    has_scheduler = any(s["scheduler"] for s in slices)
    for s in profile.report("schedulers", "--since", f"{t0}ns", "--until", f"{t1}ns"):
        count, total, _ = own.get(s["id"], (0, 0, 0))
        yield (f"scheduler {s['id']}", [s["used_ppm"], s["slice_ns"], s["slices"]],
               [all.get(s["id"], (0, 0, 0))[1] * 1000000 // (t1 - t0), total, count] if has_scheduler else [None] * 3)
    ports = {p["id"]: (p["runs"], p["run_ns"]) for p in profile.report("ports", "--limit", "0", "--since", f"{t0}ns",
            "--until", f"{t1}ns")}
    want = by([s for s in slices if s["port"]], "port", t0, t1)
    # no port at work: nobody knows whether that was traced
    unseen = (0, 0) if any(s["port"] for s in slices) else (None, None)
    yield "ports", ports, {p: want.get(p, unseen)[:2] for p in ports}


def grouped(rows, *keys):
    of = collections.defaultdict(list)
    for r in rows:
        of[tuple(r[k] for k in keys)].append(r)
    return of.items()


def of_moments(profile, t0, t1):
    """What was sent, and the collections, of which the part that lies within counts."""
    window = ("--limit", "0", "--since", f"{t0}ns", "--until", f"{t1}ns")
    sent = [m for m in profile.ask("SELECT * FROM message") if m["sender"] and m["sent"] is not None
            and t0 <= m["sent"] < t1]
    yield ("messages", {(m["from_id"], m["to_id"]): (m["count"], m["total_words"] or 0)
                        for m in profile.report("messages", *window)},
           {pair: (len(ms), sum(m["words"] or 0 for m in ms)) for pair, ms in grouped(sent, "sender", "receiver")})
    parts = [dict(g, dur=min(g["start"] + g["dur"], t1) - max(g["start"], t0)) for g in profile.ask("SELECT * FROM gc")
             if g["start"] < t1 and g["start"] + max(g["dur"], 1) > t0]
    yield ("collections", {(g["id"],): (g["gc_count"], g["gc_ns"], g["peak_heap_words"])
                           for g in profile.report("gc", *window)},
           {who: (len(gs), sum(g["dur"] for g in gs), max(max(g["heap_before"], g["heap_after"]) for g in gs)) for who,
            gs in grouped(parts, "process")})


def of_timeline(profile, spans, of, t0, t1, n):
    track = "all" if of[1] is None else "%s:%d" % of
    rows = profile.ask(f"SELECT * FROM timeline('{track}', {t0}, {t1}, {n})")
    if not rows:
        return
    level = rows[0]["dur"].bit_length() - 1
    want = sums(within(spans.of[of], rows[0]["start"], rows[-1]["start"] + rows[-1]["dur"]), level)
    got = {b["start"] >> level: {s: b[s] for s in STATES if b[s]} for b in rows}
    yield f"timeline of {track} in {n}", got, {bucket: dict(want[bucket]) for bucket in got}
    yield f"timeline of {track} in {n}", [min(got), max(got),
                                          len(got)], [t0 >> level, t1 - 1 >> level, (t1 - 1 >> level) - (t0 >> level)
                                          + 1]


def figures(profile, traces):
    if traces[0].untimed:
        return
    span = profile.ask("SELECT max(value + 0) AS span FROM meta WHERE key = 'span_ns'")[0]["span"]
    spans, slices = Spans(profile), profile.slices()
    if not slices:
        return
    most = max((k for k in spans.of if k[0] == "process"), key=lambda k: len(spans.of[k]), default=None)
    t0, t1 = span // 3, span * 2 // 3
    for what, *both in itertools.chain(of_window(profile, spans, slices, t0, t1), of_moments(profile, t0, t1)):
        yield f"from {t0} to {t1} {what}", *both
    for n, of in (3, ("all", None)), (1000, ("all", None)), (3, ("scheduler", 1)), (1000, most):
        if of in spans.of:
            yield from of_timeline(profile, spans, of, t0, t1, n)
