"""
The functions that processes wait in. With system_profile: from becoming inactive in a function until the process is
active, has an event that shows it, or ends, or the trace ends. Otherwise the function before each gap of the profile.
"""
import collections
import statistics

from .stays import IN, OUT
from .trace import is_process, merged


def reported_by_vm(events, end):
    since, on, ended, all = {}, set(), {}, collections.defaultdict(list)

    def awake(who, at):
        if who in since:
            function, inactive = since.pop(who)
            all[who, function].append(at - inactive)
    for e in events:
        if e.kind == "profile_inactive" and e.has.get("mfa") and is_process(e.who):
            since.setdefault(e.who, (e.has["mfa"], e.at))
        elif e.kind == "profile_active" or e.kind in IN or (e.kind in OUT and e.who not in on):
            awake(e.who, e.at)
        elif e.kind == "exit":
            ended[e.who] = e.at
        if e.kind in IN:
            on.add(e.who)
        elif e.kind in OUT:
            on.discard(e.who)
    for who in list(since):
        awake(who, ended.get(who, end[who.partition(">@")[2] or None]))
    return all


def before_gaps(events, profile):
    went_out = {(e.who, e.at): e.has.get("mfa") for e in events if e.kind in OUT}
    all = collections.defaultdict(list)
    for g in profile.gaps():
        function = g["wait_ns"] and went_out.get((profile.process[g["process"]], g["start"]))
        if function:
            all[profile.process[g["process"]], function].append(g["wait_ns"])
    return all


def figures(profile, traces):
    if traces[0].untimed:
        return
    events = merged(traces)
    reported = any(e.kind in ("profile_active", "profile_inactive") for e in events)
    ends = {t.events[0].node: t.end for t in traces}
    waits = reported_by_vm(events, ends) if reported else before_gaps(events, profile)
    got = {(profile.process[w["process"]], w["function"]): (w["count"], w["total_ns"], w["max_ns"], w["stddev_ns"])
           for w in profile.ask("SELECT * FROM wait")}
    yield "places of waits", got, {k: (len(v), sum(v), max(v), int(statistics.pstdev(v) + 0.5)) for k,
                                   v in waits.items()}
