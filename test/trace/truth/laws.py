"""
Laws of every profile that strobe makes from a trace: parts add up to their wholes, nothing takes longer than what
contains it, bounds contain their value, ids refer to rows. tools/run-tests checks them on every profile of a test.
"""
import contextlib
import functools
import itertools
import os
import re

from . import account, summary
from .profile import ROOT, Profile

# CPU time runs backwards, and no time is none
WALL = "EXISTS (SELECT 1 FROM meta WHERE key = 'time' AND value = 'wall')"
LARGE = 16 << 20  # bytes of a profile beyond which only what reads small tables is asked: the rest would take seconds
YEARS = 1 << 55  # ns
SWEPT = 1 << 20  # ... below which the first page is held against a sweep here

MOMENTS = 200 << 10  # ... below which the account of scheduler time is made again moment by moment

SPAN = "(SELECT max(value + 0) FROM meta WHERE key = 'span_ns')"
# NULL where those of one node are unknown
SCHEDULERS = "(SELECT sum(schedulers) FROM node HAVING count(*) = count(schedulers))"
USED = "(SELECT count(*) FROM scheduler s WHERE s.node = n.id AND s.kind = 'normal' AND s.slices > 0)"
INFERRED = "NOT EXISTS (SELECT 1 FROM meta WHERE key = 'runnable' AND value = 'system_profile')"


def lacks(name):
    """The trace says what was recorded, and this was not."""
    return f"EXISTS (SELECT 1 FROM meta WHERE key = 'recorded' AND ',' || value || ',' NOT LIKE '%,{name},%')"


# Each selects what breaks it: a column that says where.
SMALL = {
    "the states of a process make its life":
        f"SELECT pid FROM process WHERE run_ns + runnable_ns + wait_ns + dirty_ns + handover_ns + unknown_ns <> "
        f"coalesce(end, {SPAN}) - coalesce(start, 0)",
    "no time is negative":
        "SELECT pid FROM process WHERE min(run_ns, runnable_ns, wait_ns, dirty_ns, handover_ns, unknown_ns, gc_ns, "
        "dirty_gc_ns) < 0",
    "a process lives within the run":
        f"SELECT pid FROM process WHERE start < 0 OR end > {SPAN} OR start > end OR first_seen > last_seen",
    "a process collects while it runs":
        "SELECT pid FROM process WHERE gc_ns > run_ns + unknown_ns OR dirty_gc_ns > gc_ns",
    "the time that a process was ready lies within its bounds":
        "SELECT pid FROM process WHERE NOT runnable_ns BETWEEN runnable_low_ns AND runnable_high_ns OR "
        "runnable_high_ns > runnable_ns + wait_ns + handover_ns + unknown_ns",
    "a group is the sum of its members":
        "SELECT 'group ' || g.id FROM process_group g JOIN (SELECT group_id, count(*) AS n, sum(run_ns) AS run, "
        "sum(runnable_ns) AS ready, sum(wait_ns) AS wait, "
        "sum(gc_ns) AS gc, sum(dirty_ns) AS dirty, sum(handover_ns) AS over, sum(dirty_gc_ns) AS dirty_gc, sum(sends) "
        "AS sends, sum(receives) AS receives FROM process GROUP BY group_id) p ON p.group_id = g.id "
        "WHERE dirty <> g.dirty_ns OR over <> g.handover_ns OR dirty_gc <> g.dirty_gc_ns OR n <> processes OR run <> "
        "g.run_ns OR ready <> g.runnable_ns OR wait <> g.wait_ns OR gc <> g.gc_ns OR p.sends <> g.sends OR p.receives "
        "<> g.receives",
    "a group is shown by a member":
        "SELECT 'group ' || g.id FROM process_group g LEFT JOIN process p ON p.id = representative WHERE p.group_id "
        "IS NOT g.id",
    "a scheduler works no longer than the run":
        f"SELECT kind || ' ' || number FROM scheduler WHERE kind <> 'unknown' AND number > 0 AND (slice_ns > {SPAN} "
        f"OR active_ns > {SPAN} OR gc_ns > slice_ns)",
    "normal schedulers work no longer than the run, each":
        f"SELECT NULL WHERE (SELECT sum(slice_ns) FROM scheduler WHERE kind = 'normal') > {SCHEDULERS} * {SPAN}",
    "schedulers work as long as processes":
        "SELECT NULL WHERE (SELECT sum(slice_ns) FROM scheduler) <> (SELECT sum(run_ns + dirty_ns) FROM process)",
    "what pairs sent is part of what processes sent":
        "SELECT pid FROM process p JOIN (SELECT sender, sum(count) AS n, sum(total_words) AS w FROM message_edge "
        "GROUP BY sender) ON sender = p.id "
        "WHERE n > sends OR w > send_words",
    "the largest and the slowest message of a pair are part of its sums":
        "SELECT sender || ' to ' || receiver FROM message_edge WHERE matched > count OR max_words > total_words OR "
        "max_latency_ns > latency_ns "
        "OR latency_ns < 0 OR first > last",
    "a port works within its life":
        f"SELECT name FROM port WHERE run_ns > coalesce(end, {SPAN}) - coalesce(start, 0)",
    "what was not recorded is unknown":
        f"SELECT pid FROM process WHERE ({lacks('messages')} AND coalesce(sends, receives, send_words, receive_words) "
        f"IS NOT NULL) "
        f"OR ({lacks('gc')} AND coalesce(gc_ns, gc_count) IS NOT NULL)",
    # the kernel brings its counters up to date at ticks, up to 10 ms apart
    "a thread is on a CPU or queued no longer than it was watched":
        "SELECT name FROM thread WHERE cpu_ns + queue_ns > end - start + 20000000",
    "a function takes no longer alone than with what it calls":
        "SELECT mfa FROM function WHERE own_ns > acc_ns",
}
ROWS = {
    "the last reading of a thread is its sum":
        "SELECT t.name FROM thread t JOIN (SELECT node, tid, max(at) AS at, max(cpu_ns) AS cpu, max(queue_ns) AS "
        "queue, max(voluntary) AS v, max(involuntary) AS i "
        "FROM thread_sample GROUP BY 1, 2) s ON s.node = t.node AND s.tid = t.tid WHERE s.at <> end OR cpu <> cpu_ns "
        "OR queue <> queue_ns OR v <> voluntary OR i <> involuntary",
    # as above: the later of the two may be up to date, the earlier not
    "a thread is on a CPU no longer than from one reading to the next":
        "SELECT t.name || ' at ' || s.at FROM (SELECT node, tid, at, cpu_ns - lag(cpu_ns) OVER w AS cpu, at - lag(at) "
        "OVER w AS passed FROM thread_sample "
        "WINDOW w AS (PARTITION BY node, tid ORDER BY at)) s JOIN thread t ON t.node = s.node AND t.tid = s.tid WHERE "
        "cpu > passed + 20000000",
    "the slices of a process are its work":
        "SELECT pid FROM process p LEFT JOIN (SELECT process, sum(dur) AS d FROM slice WHERE process IS NOT NULL "
        "GROUP BY process) ON process = id "
        "WHERE coalesce(d, 0) <> run_ns + dirty_ns",
    "the slices of a scheduler are its work":
        "SELECT kind || ' ' || number FROM scheduler LEFT JOIN (SELECT scheduler, sum(dur) AS d FROM slice WHERE port "
        "IS NULL GROUP BY scheduler) ON scheduler = id "
        "WHERE coalesce(d, 0) <> slice_ns",
    "a scheduler runs one process at a time":
        "SELECT kind || ' ' || number || ' at ' || start FROM (SELECT s.number, s.kind, x.start, dur, lead(x.start) "
        "OVER (PARTITION BY scheduler ORDER BY x.start, dur) "
        "AS next FROM slice x JOIN scheduler s ON s.id = scheduler WHERE dur > 0 AND port IS NULL AND s.kind <> "
        "'unknown' AND s.number > 0) "
        f"WHERE start + dur > next AND {WALL}",
    "the states of a process are its times":
        "SELECT pid FROM process JOIN (SELECT process, sum(CASE WHEN state IN ('running', 'gc') THEN dur ELSE 0 END) "
        "AS run, "
        "sum(CASE WHEN state = 'dirty' THEN dur ELSE 0 END) AS dirty, "
        "sum(CASE WHEN state = 'handover' THEN dur ELSE 0 END) AS over, sum(CASE WHEN state = 'runnable' THEN dur "
        "ELSE 0 END) AS ready, "
        "sum(CASE WHEN state = 'waiting' THEN dur ELSE 0 END) AS wait FROM state WHERE state <> 'port' GROUP BY "
        "process) ON process = id "
        "WHERE run <> run_ns OR dirty <> dirty_ns OR over <> handover_ns OR ready <> runnable_ns OR wait <> wait_ns",
    "the dirty slices of a process are its dirty work and collections":
        "SELECT pid FROM process LEFT JOIN (SELECT process, sum(dur) AS d FROM slice WHERE kind LIKE 'dirty%' AND "
        "process IS NOT NULL GROUP BY process) ON process = id "
        "WHERE coalesce(d, 0) <> dirty_ns + dirty_gc_ns",
    "a process is in one state at a time":
        "SELECT process || ' at ' || start FROM (SELECT process, start, dur, lead(start) OVER (PARTITION BY process "
        "ORDER BY start) AS next "
        "FROM state WHERE dur > 0 AND state <> 'port') WHERE start + dur > next",
    "gaps are what a process waited and was ready":
        "SELECT pid FROM process JOIN (SELECT process, sum(wait_ns) AS w, sum(runnable_ns) AS r, sum(low_ns) AS l, "
        "sum(high_ns) AS h, sum(handover_ns) AS o FROM gap "
        "GROUP BY process) ON process = id WHERE o <> handover_ns OR w <> wait_ns OR r <> runnable_ns OR l <> "
        "runnable_low_ns OR h <> runnable_high_ns",
    "the bounds of a gap hold its value":
        "SELECT process || ' at ' || start FROM gap WHERE NOT low_ns BETWEEN 0 AND runnable_ns OR NOT high_ns BETWEEN "
        "runnable_ns AND wait_ns + runnable_ns + handover_ns + unknown_ns",
    # one that lasts to the end of the trace has a place in the last slice and no row
    "collections are what a process collected":
        "SELECT pid || ' with ' || n || ' of ' || gc_count || ', ' || d || ' of ' || gc_ns || ' ns, end ' || "
        "coalesce(p.end, 'none') FROM process p JOIN (SELECT process, sum(dur) AS d, count(*) AS n FROM gc GROUP BY "
        "process) g ON g.process = id "
        "WHERE n <> gc_count OR d > gc_ns OR (d < gc_ns AND (p.end IS NOT NULL "
        "OR gc_ns - d > (SELECT dur FROM slice s WHERE s.process = p.id ORDER BY start DESC LIMIT 1)))",
    "migrations are counted":
        "SELECT pid FROM process JOIN (SELECT process, count(*) AS n FROM migration GROUP BY process) ON process = id "
        "WHERE n <> migrations",
    "received messages are counted":
        f"SELECT pid FROM process p WHERE receives <> (SELECT count(received) FROM message WHERE receiver = p.id) AND "
        f"EXISTS (SELECT 1 FROM message WHERE sent IS NOT NULL) AND {WALL}",
    "messages are counted by pair":
        "SELECT e.sender || ' to ' || e.receiver FROM message_edge e LEFT JOIN (SELECT sender, receiver, count(*) AS "
        "n, sum(words) AS w FROM message "
        "WHERE sender IS NOT NULL AND sent IS NOT NULL GROUP BY 1, 2) m ON m.sender = e.sender AND m.receiver = "
        "e.receiver "
        f"WHERE EXISTS (SELECT 1 FROM message) AND (n IS NOT count OR w <> total_words) AND {WALL}",
    "what was sent arrived or not":
        f"SELECT NULL WHERE (SELECT count(sent) FROM message WHERE sender IS NOT NULL) <> (SELECT sum(count) FROM "
        f"message_edge) AND {WALL}",
    "nothing arrives before it is sent":
        "SELECT sender || ' to ' || receiver FROM message WHERE received < sent",
    "every zoom adds up":
        "SELECT 'level ' || level FROM pyramid WHERE track = 1 GROUP BY level HAVING sum(running_ns + gc_ns + "
        "dirty_ns) <> (SELECT sum(run_ns + dirty_ns) FROM process) "
        "OR sum(runnable_ns) <> (SELECT sum(runnable_ns) FROM process) OR sum(waiting_ns) <> (SELECT sum(wait_ns) "
        "FROM process) "
        "OR sum(handover_ns) <> (SELECT sum(handover_ns) FROM process) "
        "OR sum(dirty_gc_ns) <> (SELECT sum(dirty_gc_ns) FROM process)",
    "a bucket of one process holds no more than its time":
        "SELECT track || ': ' || bucket FROM pyramid JOIN track t ON t.id = track WHERE t.kind = 'process' "
        "AND running_ns + gc_ns + dirty_ns + handover_ns + runnable_ns + waiting_ns > 1 << level",
    "places of waiting are part of the waits":
        f"SELECT pid FROM process JOIN (SELECT process, sum(total_ns) AS t FROM wait GROUP BY process) ON process = "
        f"id WHERE t > wait_ns AND {INFERRED}",
    "an activation does not overlap itself":
        "SELECT mfa || ' at ' || start FROM (SELECT process, mfa, start, dur, lead(start) OVER (PARTITION BY process, "
        "mfa ORDER BY start) AS next FROM activation "
        "WHERE dur > 0) WHERE start + dur > next",
    # one that was on the stack before its first call in the trace has time without an activation
    "activations are the time of their function":
        "SELECT mfa FROM function f JOIN (SELECT mfa AS of, sum(busy_ns) AS busy, max(busy_ns - dur) AS over FROM "
        "activation GROUP BY mfa) ON of = mfa "
        "WHERE busy > acc_ns OR over > 0 OR (busy <> acc_ns AND NOT EXISTS (SELECT 1 FROM call_node c WHERE c.mfa = "
        "f.mfa AND c.calls = 0))",
    "an activation lies within the life of its process":
        f"SELECT mfa || ' at ' || a.start FROM activation a JOIN process p ON p.id = process WHERE a.start < p.start "
        f"OR a.start + dur > coalesce(p.end, {SPAN})",
    "calls in contexts are the calls of functions":
        "SELECT f.mfa FROM function f JOIN (SELECT mfa, sum(calls) AS n, sum(own_ns) AS t FROM call_node GROUP BY "
        "mfa) c ON c.mfa = f.mfa WHERE n <> calls - coalesce(counted, 0) OR t <> f.own_ns",
    "the account of scheduler time adds up":
        "SELECT 'node ' || a.node FROM (SELECT node, sum(ns) AS ns, min(ns) AS least FROM account GROUP BY node) a "
        f"JOIN node n ON n.id = a.node WHERE least < 0 OR ns <> {SPAN} * CASE WHEN schedulers_online > 0 THEN "
        f"max(schedulers_online, {USED}) ELSE schedulers END",
    "shares of scheduler time add up":
        "SELECT total FROM (SELECT sum(share) AS total FROM account HAVING count(*) > 0 AND sum(ns) > 0) "
        "WHERE abs(total - 100) > 0.000001",
    "a node whose schedulers are known has an account":
        f"SELECT name FROM node n WHERE trace_start IS NOT NULL AND schedulers > 0 AND {SPAN} > 0 "
        "AND NOT EXISTS (SELECT 1 FROM account a WHERE a.node = n.id)",
    "the critical path covers the run":
        "SELECT 'step ' || id FROM (SELECT id, start, dur, lag(start + dur, 1, 0) OVER (ORDER BY id) AS before FROM "
        "critical) WHERE start <> before OR dur < 0 UNION ALL "
        "SELECT total FROM (SELECT sum(dur) AS total FROM critical) "
        f"WHERE coalesce(total, 0) <> {SPAN} AND {WALL}",
    "the critical path runs where its process runs": # checked for the first steps only
        "SELECT 'step ' || c.id FROM (SELECT * FROM critical LIMIT 300) c WHERE kind IN ('run', 'gc') "
        "AND NOT EXISTS (SELECT 1 "
        "FROM slice s WHERE s.process = c.process AND s.start <= c.start AND s.start + s.dur >= c.start + c.dur)",
    # with a port a scheduler may run both, and costs and phases are taken out
    "the work of the account is what schedulers worked":
        "SELECT 'node ' || s.node FROM (SELECT node, sum(slice_ns) AS ns FROM scheduler WHERE kind = 'normal' GROUP BY "
        "node) s JOIN (SELECT node, sum(ns) AS ns FROM account WHERE part IN ('work', 'gc', 'tracing') GROUP BY node) "
        "a ON a.node = s.node WHERE s.ns <> a.ns AND NOT EXISTS (SELECT 1 FROM account WHERE part IN ('preempted', "
        "'startup', 'shutdown')) AND NOT EXISTS (SELECT 1 FROM slice WHERE port IS NOT NULL) AND NOT EXISTS (SELECT 1 "
        f"FROM slice WHERE kind = 'unknown') AND NOT EXISTS (SELECT 1 FROM loss) AND {WALL}",
}
# tables that grow
OF_ROWS = {"slice", "gap", "message", "migration", "gc", "activation", "call_node", "call_edge", "stack", "event",
           "pyramid", "wait"}
ROOTS = {("call_node", "parent"): " AND parent <> 0"}


def references():
    """In schema.def a column of ids says what it names. Reading gives no id that names nothing, so the file has to hold
    NULL where a row is missing."""
    with open(os.path.join(ROOT, "src", "profile", "schema.def"), encoding="utf-8") as f:
        for table, columns in re.findall(r"^TABLE\((\w+),(.*?)(?=^TABLE|\Z)", f.read(), re.M | re.S):
            for column, of in re.findall(r'REF(?:_OR_0)?\((\w+), (\w+),', columns):
                yield (table, f"{table}.{column} names a {of}",
                       f"SELECT {column} FROM {table} WHERE NOT {column} BETWEEN 1 AND (SELECT count(*) FROM "
                       f"{of}){ROOTS.get((table, column), '')}")


@functools.cache
def statement(large):
    laws = SMALL | {law: sql for table, law, sql in references() if table not in OF_ROWS}
    if not large:
        laws |= ROWS | {law: sql for table, law, sql in references() if table in OF_ROWS}
    return " UNION ALL ".join(
        f"SELECT '{law}' AS law, count(*) AS times, min(place) AS place FROM (SELECT NULL AS place WHERE 0 UNION ALL "
        f"{sql})"
                              for law, sql in laws.items())


def figures(profile, traces):
    """Untimed profiles have no times to compare: NULL breaks no law."""
    for law in profile.ask(statement(os.path.getsize(profile.path) > LARGE)):
        yield law["law"], f"broken {law['times']} times, e.g. by {law['place']}" if law["times"] else "holds", "holds"


def topics(profile):
    """Skips profiles without events, which were not made from a trace, and stamps so far apart that sums overflow."""
    meta = {m["key"]: m["value"] for m in profile.ask("SELECT * FROM meta")}
    if "events" in meta and int(meta.get("span_ns") or 0) < YEARS:
        yield figures(profile, None)
        if os.path.getsize(profile.path) < SWEPT and meta["time"] == "wall":
            yield summary.figures(profile, None)
        if os.path.getsize(profile.path) < MOMENTS and meta["time"] == "wall":
            yield account.figures(profile, None)


def broken(path):
    """Yields a line for each broken law. A profile that strobe refuses was damaged by a test."""
    try:
        with contextlib.closing(Profile(path)) as profile:
            for what, got, want in itertools.chain.from_iterable(topics(profile)):
                if got != want:
                    yield f"{what}: {got}, not {want}"
    except AssertionError as refused:
        if not re.search("is damaged|strobe wrote this profile", str(refused)):
            yield str(refused).strip()
