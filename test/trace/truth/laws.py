"""What holds of any profile."""

# Each gives what breaks it. In what the VM told, a wait counts as one where it began, also if nothing shows its end.
LAWS = {
    "states make a life": "SELECT pid FROM process WHERE run_ns + runnable_ns + wait_ns + dirty_ns + unknown_ns <> coalesce(end, "
                          "(SELECT max(value + 0) FROM meta WHERE key = 'span_ns')) - coalesce(start, 0)",
    "no time is below nothing": "SELECT pid FROM process WHERE min(run_ns, runnable_ns, wait_ns, dirty_ns, unknown_ns, gc_ns) < 0",
    "who collects runs": "SELECT pid FROM process WHERE gc_ns > run_ns + dirty_ns + unknown_ns",
    "slices make the time of processes": "SELECT 1 WHERE (SELECT sum(dur) FROM slice WHERE port IS NULL) <> (SELECT sum(run_ns + dirty_ns) FROM process)",
    "slices make the time of schedulers": "SELECT 1 WHERE (SELECT sum(slice_ns) FROM scheduler) <> (SELECT sum(dur) FROM slice WHERE port IS NULL)",
    "gaps make the rest": "SELECT pid FROM process p JOIN (SELECT process, sum(wait_ns) w, sum(runnable_ns) r FROM gap GROUP BY process) "
                          "ON process = id WHERE w <> wait_ns OR r <> runnable_ns",
    "a bound is one": "SELECT process, start FROM gap WHERE NOT low_ns BETWEEN 0 AND runnable_ns OR NOT high_ns BETWEEN runnable_ns "
                      "AND wait_ns + runnable_ns + unknown_ns",
    "one state at a time": "SELECT process, start FROM (SELECT process, start, dur, lead(start) OVER (PARTITION BY process ORDER BY start) AS next "
                           "FROM state WHERE dur > 0) WHERE start + dur > next",
    "what arrived was received": "SELECT pid FROM process p WHERE receives <> (SELECT count(received) FROM message WHERE receiver = p.id)",
    "what was sent arrived or not": "SELECT 1 WHERE (SELECT count(sent) FROM message WHERE sender IS NOT NULL) <> (SELECT sum(count) FROM message_edge)",
    "nothing arrives before it is sent": "SELECT receiver, sent FROM message WHERE received < sent",
    "any zoom adds up": "SELECT level FROM pyramid WHERE track = 1 GROUP BY level HAVING sum(running_ns + gc_ns + dirty_ns) <> "
                        "(SELECT sum(run_ns + dirty_ns) FROM process) OR sum(runnable_ns) <> (SELECT sum(runnable_ns) FROM process) "
                        "OR sum(waiting_ns) <> (SELECT sum(wait_ns) FROM process)",
    "groups add up": "SELECT 1 WHERE (SELECT sum(run_ns) FROM process_group) <> (SELECT sum(run_ns) FROM process)",
    "places of waiting are in the waits": "SELECT pid FROM process p JOIN (SELECT process, sum(total_ns) AS t FROM wait GROUP BY process) ON process = id "
                                          "WHERE t > wait_ns AND NOT EXISTS (SELECT 1 FROM meta WHERE key = 'runnable' AND value = 'system_profile')",
}


def figures(profile, traces):
    if traces[0].untimed:
        return
    broken = profile.ask(" UNION ALL ".join(f"SELECT '{law}' AS law, count(*) AS times FROM ({sql})" for law, sql in LAWS.items()))
    for law in broken:
        yield law["law"], profile.ask(LAWS[law["law"]] + " LIMIT 3") if law["times"] else [], []
