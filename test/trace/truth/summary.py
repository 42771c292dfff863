"""The first page: how parallel the program was."""
import collections


def levels(stays, span):
    """How long how many were at once."""
    changes = sorted([(start, 1) for start, *_ in stays] + [(end, -1) for _, end, _ in stays] + [(span, 0)])
    of, n, last = collections.Counter(), 0, 0
    for at, step in changes:
        of[n] += at - last
        n, last = n + step, at
    return of


class Moment(tuple):
    """How many of each kind there are; asked for by name."""
    KINDS = "work", "sure"

    def __getitem__(self, kind):
        return tuple.__getitem__(self, self.KINDS.index(kind))


def together(stays, span):
    """How long how many of each kind were there at once."""
    changes = sorted([(start, 1, kind) for start, _, kind in stays] + [(end, -1, kind) for _, end, kind in stays] + [(span, 0, "work")])
    of, now, last = collections.Counter(), dict.fromkeys(Moment.KINDS, 0), 0
    for at, step, kind in changes:
        of[Moment(now.values())] += at - last
        now[kind] += step
        last = at
    return of


def ppm(part, whole):
    return part * 1000000 // whole


def can_run(node):
    """Online when it began, or more where more worked; each with a core, and with the CPU time that a limit leaves."""
    n = max(node["online"], node["worked"]) if node["online"] else node["schedulers"] or 0
    bounds = [node["cores"], node["quota"] and -(-node["quota"] // 1000000)]
    return min([n] + [b for b in bounds if b])


def figures(profile, traces):
    said = {r["item"]: r["value"] for r in profile.report("summary")}
    if said.get("parallelism") is None:
        return
    slices = [(s["start"], s["end"], s["kind"]) for s in profile.slices() if not s["port"]]
    ports = [(s["start"], s["end"], "port") for s in profile.slices() if s["port"]]
    gaps = profile.gaps()
    ready = [(g["ready"], g["ready"] + (g["runnable_ns"] or 0), "ready") for g in gaps]
    sure = [(g["ready"] + g["runnable_ns"] - min(g["low_ns"] or 0, g["runnable_ns"]), g["ready"] + g["runnable_ns"], "sure")
            for g in gaps if g["runnable_ns"]]
    nodes = profile.ask("SELECT schedulers, schedulers_online AS online, cores, cpu_quota_ppm AS quota, (SELECT count(*) FROM scheduler WHERE "
                        "scheduler.node = node.id AND kind = 'normal' AND slices > 0) AS worked FROM node WHERE trace_start IS NOT NULL")
    each = [can_run(n) for n in nodes]
    schedulers = sum(each) if all(each) else None
    span = said["length"]
    at_work = [(start, end, "work") for start, end, _ in slices + ports]
    yield "parallelism", said["parallelism"], ppm(sum(end - start for start, end, _ in slices), span)
    yield "idle", said["idle"], ppm(levels(at_work, span)[0], span)
    both = together(at_work + sure, span)
    alone = sum(ns for n, ns in both.items() if n["work"] == 1 and n["sure"] == 0)
    yield "serial", said["serial"], None if schedulers == 1 else ppm(alone, span)
    able = levels(at_work + ready, span)
    yield "too few to run", said["too few to run"], schedulers and ppm(sum(ns for n, ns in able.items() if n < schedulers), span)
