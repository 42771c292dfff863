"""Ports: every one that is named, opened and closed when, by whom and why."""
from .trace import merged


def owner_of(e):
    """Yields a port and its owner, of an event that names one: a port that existed, and links of an accepted socket."""
    if e.kind == "exists" and e.who.startswith("#Port<"):
        yield e.who, e.has.get("parent")
    elif e.kind == "getting_linked":
        for port, process in (e.who, e.has["by"]), (e.has["by"], e.who):
            if port.startswith("#Port<"):
                yield port, process


def ports(traces):
    named, opened, closed, owned, driver = set(), {}, {}, {}, {}
    for e in merged(traces):
        owned.update(owner_of(e))
        if e.kind == "exists" and e.who.startswith("#Port<"):
            driver[e.who] = e.has.get("entry")
        named |= {w for w in (e.who, *e.has.values()) if w.startswith("#Port<")}
        if e.kind == "open":
            opened[e.who] = (e.has.get("driver"), e.has.get("owner"), e.at)
        elif e.kind == "closed":
            closed.setdefault(e.who, (e.at, e.has.get("reason", "").strip('"') or None))
    return {p: opened.get(p, (driver.get(p), owned.get(p), None)) + closed.get(p, (None,) * 2) for p in named}


def figures(profile, traces):
    if traces[0].untimed:
        return
    got = {profile.port[p["id"]]: (p["driver"], profile.process[p["owner"]], p["start"], p["end"], p["exit_reason"])
           for p in profile.ports}
    yield "ports", got, ports(traces)
