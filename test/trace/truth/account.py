"""
The account of scheduler time from its definition, by a slow walk over all moments: nothing of it is shared with the
sweep in windows that strobe makes.
"""
import collections

from .summary import left_out

NULL = None


def rows(profile, sql):
    return [list(row.values()) for row in profile.ask(sql)]


def spans(profile, node):
    """Yields (start, end, what, lane, process): lane None is an unknown scheduler."""
    known = {row[0] for row in rows(profile, "SELECT id FROM scheduler WHERE kind <> 'unknown' AND number > 0")}
    for start, dur, kind, process, port, scheduler in rows(
            profile, "SELECT s.start, s.dur, s.kind, s.process, s.port, s.scheduler FROM slice s LEFT JOIN process p "
                     "ON "
            f"p.id = s.process LEFT JOIN port o ON o.id = s.port WHERE coalesce(p.node, o.node) = {node}"):
        what = "port" if process is NULL else "dirty" if kind in ("dirty_cpu", "dirty_io") else "run"
        yield start, start + dur, what, scheduler if scheduler in known else NULL, process
    for start, dur, scheduler in rows(
            profile, f"SELECT g.start, g.dur, g.scheduler FROM gc g JOIN process p ON p.id = g.process WHERE p.node = "
                     f"{node}"):
        if scheduler in known:
            yield start, start + dur, "gc", scheduler, NULL
    for start, wait, over, ready, unknown, low, process in rows(
            profile, "SELECT g.start, g.wait_ns, g.handover_ns, g.runnable_ns, g.unknown_ns, low_ns, process FROM gap "
                     "g JOIN "
            f"process p ON p.id = g.process WHERE p.node = {node}"):
        at = start + wait
        yield at, at + over, "dirty", NULL, process
        at += over
        yield at, at + ready, "maybe", NULL, process
        yield at + ready - low, at + ready, "sure", NULL, process
        yield at + ready, at + ready + unknown, "lost", NULL, process


def book(active, schedulers, ns, parts):
    """The time of the schedulers while these spans last."""
    busy = {lane for what, lane, _ in active if what in ("run", "port") and lane is not NULL}
    strays = sum(what in ("run", "port") and lane is NULL for what, lane, _ in active)
    count = min(schedulers, len(busy) + strays)
    collecting = min(count, len({lane for what, lane, _ in active if what == "gc" and lane in busy}))
    parts["gc"] += collecting * ns
    parts["work"] += (count - collecting) * ns
    kinds = {what for what, _, _ in active}
    reason = ("elsewhere" if "sure" in kinds else "unknown" if kinds & {"maybe", "lost"} else "process"
              if "run" in kinds
              else "outside")
    parts[reason] += (schedulers - count) * ns


def switching(all_spans, begin, end):
    """Processes that began where they ran before, since they were certainly ready and the scheduler was free."""
    last, free, ready, total = {}, {}, {}, 0
    taken = collections.Counter()
    moments = [(to, 0, "end", what, lane, process, start) for start, to, what, lane, process in all_spans if to > start]
    moments += [(start, 1, "begin", what, lane, process, start) for start, to, what, lane,
                process in all_spans if to > start]
    for at, _, edge, what, lane, process, start in sorted(moments, key=lambda m: m[:2]):
        if what == "sure" and edge == "end":
            ready[process] = (start, at)
        if what in ("run", "port") and lane is not NULL:
            taken[lane] += 1 if edge == "begin" else -1
            if edge == "end" and taken[lane] == 0:
                free[lane] = at
            if what == "run" and edge == "begin" and taken[lane] == 1 and last.get(process) == lane:
                since, until = ready.get(process, (0, -1))
                if until == at and begin <= at < end:
                    total += max(0, at - max(since, free.get(lane, 0), begin))
        if what == "run":
            last[process] = lane
    return total


def parts_of(profile, node, schedulers, span):
    known, end = rows(profile, f"SELECT trace_start, trace_end FROM node WHERE id = {node}")[0]
    end = span if end is NULL else min(end, span)
    parts = collections.Counter(unknown=schedulers * (span - (end - known)))
    all_spans = list(spans(profile, node))
    edges = collections.defaultdict(list)
    for start, to, what, lane, process in all_spans:
        start, to = max(start, known), min(to, end)
        if start < to:
            edges[start].append((1, (what, lane, process)))
            edges[to].append((-1, (what, lane, process)))
    of_node = f"FROM slice s JOIN process p ON p.id = s.process WHERE p.node = {node}"
    if not profile.ask(f"SELECT 1 AS one {of_node} LIMIT 1"):
        return collections.Counter(unknown=schedulers * span)  # running was not recorded
    active, last = collections.Counter(), known
    for at in sorted(edges) + [end]:
        book(list(active.elements()), schedulers, at - last, parts)
        last = at
        for step, of in edges.pop(at, []):
            active[of] += step
            if not active[of]:
                del active[of]
    moved = switching(all_spans, known, end)
    parts["elsewhere"] -= moved
    parts["switching"] += moved
    return parts


def figures(profile, traces):
    """Parts that are known as sums (tracing, preempted) and phases of the VM have no definition by moments."""
    del traces
    got = collections.defaultdict(collections.Counter)
    for node, part, ns in rows(profile, "SELECT node, part, sum(ns) FROM account GROUP BY 1, 2"):
        got[node][part] = ns
    span = int(profile.ask("SELECT value FROM meta WHERE key = 'span_ns'")[0]["value"] or 0)
    partial = left_out(profile)
    for node, parts in got.items():
        if sum(parts[part] for part in ("tracing", "preempted", "startup", "shutdown")) or span == 0:
            continue
        want = parts_of(profile, node, sum(parts.values()) // span, span)
        if node in partial:
            want["unknown"] += sum(want.pop(part, 0) for part in ("switching", "elsewhere", "process", "outside"))
        for part in ("work", "gc", "switching", "elsewhere", "process", "outside", "unknown"):
            yield f"account of node {node}: {part}", parts[part], want[part]
