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


def ppm(part, whole):
    return part * 1000000 // whole


def figures(profile, traces):
    said = {r["item"]: r["value"] for r in profile.report("summary")}
    if said.get("parallelism") is None:
        return
    slices = [(s["start"], s["end"], s["kind"]) for s in profile.slices() if not s["port"]]
    ready = [(g["ready"], g["end"], None) for g in profile.gaps()]
    schedulers = profile.ask("SELECT coalesce((SELECT sum(schedulers) FROM node), (SELECT count(*) FROM scheduler "
                             "WHERE kind IN ('normal', 'unknown') AND number > 0)) AS n")[0]["n"]
    span = said["length"]
    yield "parallelism", said["parallelism"], ppm(sum(end - start for start, end, _ in slices), span)
    alone = levels([s for s in slices if not s[2].startswith("dirty")], span)
    yield "serial", said["serial"], ppm(alone[1], span)
    yield "idle", said["idle"], ppm(alone[0], span)
    able = levels(slices + ready, span)
    yield "too few to run", said["too few to run"], ppm(sum(ns for n, ns in able.items() if n < schedulers), span)
