"""
Process groups, at each level: three or more unregistered processes of one parent group and one entry form a group,
represented by the process that ran longest. Processes without a parent, and those in a cycle of parents, stay alone.
"""
import collections


FOLDS = 3
SUMS = ("run_ns", "runnable_ns", "wait_ns", "gc_ns", "sends", "receives")


def fold(siblings):
    """Lists of processes."""
    entries = collections.Counter(p["entry"] for p in siblings if not p["name"])
    folded, groups = {}, []
    for p in siblings:
        if p["name"] or not p["entry"] or entries[p["entry"]] < FOLDS:
            groups.append([p])
        elif p["entry"] in folded:
            folded[p["entry"]].append(p)
        else:
            folded[p["entry"]] = [p]
            groups.append(folded[p["entry"]])
    return groups


def known(values):
    values = [v for v in values if v is not None]
    return values or None


def row(members, parent):
    """Who is shown, of equals the first; then by whom what it comes from is shown, and what its members come to."""
    shown = max(members, key=lambda p: p["run_ns"] or 0)
    sums = [sum(known(p[c] for p in members) or [0]) if known(p[c] for p in members) else None for c in SUMS]
    start, end = known(p["start"] for p in members), known(p["end"] for p in members)
    return shown["id"], (parent, shown["entry"], len(members), *sums, start and min(start), end and max(end),
                         sorted(p["id"] for p in members))


def groups(processes):
    children = collections.defaultdict(list)
    known = {p["id"] for p in processes}
    for p in processes:
        children[p["parent"] if p["parent"] in known and p["parent"] != p["id"] else None].append(p)
    rows, left = {}, [([p], None) for p in children[None]]
    while left:
        members, parent = left.pop()
        shown, rest = row(members, parent)
        rows[shown] = rest
        left += [(g, shown) for g in fold([c for m in members for c in children[m["id"]]])]
    return rows


def figures(profile, traces):
    rows = profile.ask("SELECT * FROM process_group")
    shown = {g["id"]: g["representative"] for g in rows}
    members = collections.defaultdict(list)
    for p in profile.processes:
        members[p["group_id"]].append(p["id"])
    got = {g["representative"]: (shown.get(g["parent_group"]), g["entry"], g["processes"], *(g[c] for c in SUMS),
                                 g["start"], g["end"],
                                 members[g["id"]]) for g in rows}
    yield "groups", got, groups(profile.processes)
