"""
The voices of a profile: reports, SQL, the routes of the server (build/ask runs them without a socket) and the one-file
report. Each fact is asked from all that tell it. In SQL, {since} and {until} are a range.
"""
import base64
import functools
import gzip
import json
import os
import re
import struct
import subprocess

from .profile import ASK, STROBE, Profile, strobe

# answers that a range narrows, and those that are of the whole run
RANGED = "processes", "gc", "ports", "schedulers", "messages", "migrations", "waits", "active", "marks", "samples"
WHOLE = RANGED + ("why", "findings", "servers", "functions", "calls", "nodes", "loss", "stacks", "critical", "tree")

PART = "(min(start + dur, {until}) - max(start, {since}))"
OVERLAPS = "start < {until} AND start + max(dur, 1) > {since}"
SQL = {
    "at work": f"SELECT sum({PART}) FROM slice WHERE process > 0 AND {OVERLAPS}",
    "collecting": f"SELECT sum({PART}) FROM gc WHERE {OVERLAPS}",
    "in state gc": f"SELECT sum({PART}) FROM state WHERE state = 'gc' AND {OVERLAPS}",
    "collections": f"SELECT count(*) FROM gc WHERE {OVERLAPS}",
    "sent": "SELECT count(*) FROM message WHERE sender > 0 AND receiver > 0 AND sent >= {since} AND sent < {until}",
    "samples": "SELECT count(*) FROM cpu_sample WHERE at >= {since} AND at < {until}",
    "migrations": "SELECT count(*) FROM migration WHERE at >= {since} AND at < {until}",
}
STATES = "run_ns", "runnable_ns", "wait_ns", "dirty_ns", "handover_ns", "unknown_ns"


def total(rows, *columns):
    """None: the answer does not tell it."""
    return None if any(c not in r for r in rows for c in columns) else sum(r[c] or 0 for r in rows for c in columns)


def said(sentence):
    lost = re.search(r"(?:LOST: |has gaps: )([^.;]*)", sentence)
    if not lost:
        return {}
    return {c: int(n.replace(",", "")) for c, n in re.findall(r"([a-z]+)(?: in)? ([\d,]+\d|\d)", lost[1])}


class Voices(Profile):
    """Of a profile in a range of time; None: of the whole run."""

    def __init__(self, path, span, between=None, trace=None, analyzed=""):
        """`analyzed`: what was said when the profile was made of the trace."""
        super().__init__(path)
        self.trace, self.analyzed = trace, analyzed
        self.span, self.between, self.since, self.until = span, between, *(between or (0, span))
        self.end = self.until + (self.until == span)  # a range that ends with the run includes its last moment
        # what is asked of a report, and of the routes
        self.narrow = ["--since", f"{self.since}ns", "--until", f"{self.until}ns"] if between else []

    @functools.cache
    def answers(self, name):
        return self.report(name, "--limit", "0", *self.narrow)

    def routes(self, *addresses):
        """Returns what the page is told: facts and tables."""
        out = subprocess.run([ASK, self.path, *addresses], capture_output=True, text=True, check=True).stdout
        read, found = json.JSONDecoder(), []
        while out:
            answer, end = read.raw_decode(out)
            found.append(answer)
            out = out[end:].lstrip()
        return found

    @functools.cached_property
    def summary(self):
        return {r["item"]: r["value"] for r in self.report("summary", *self.narrow)}

    def sql(self, fact):
        statement = SQL[fact].format(since=self.since, until=self.end)
        return next(iter(self.ask(f"{statement} LIMIT 1")[0].values())) or 0

    def window(self, first, last):
        return f"{first}={self.since}&{last}={self.until}" if self.between else ""

    def within(self, life):
        end = self.span if life["end"] is None else life["end"]
        return max(0, min(end, self.until) - max(life["start"] or 0, self.since))

    def tables(self):
        """Yields each answer as the report and as the route tell it."""
        reported = self.ask("SELECT 1 FROM meta WHERE key = 'runnable' AND value = 'system_profile'")
        names = [n for n in RANGED if n != "waits" or not reported] if self.between else WHOLE
        within = f"since={self.since}ns&until={self.until}ns&" if self.between else ""
        for name, route in zip(names, self.routes(*(f"answer/{n}?{within}limit=0" for n in names))):
            yield name, {"report": self.answers(name), "route": route["answer"]}

    def facts(self):
        """Yields a fact and its value by voice."""
        processes, collectors, lanes = (self.answers(n) for n in ("processes", "gc", "schedulers"))
        overview, people, ask, tree, graph = self.routes(
            *(f"{route}{self.window('t0', 't1')}" for route in (
                "overview?", "processes?n=5000&", "ask/collections?", "calls?of=cpu&", "call_graph?of=cpu&")))
        yield "samples of the CPU", {"SQL": self.sql("samples"), "tree": tree["meta"]["total"],
                                     "graph": graph["meta"]["total"], "rows": total(tree["call"], "own")}
        yield "samples by function", {"report": {r["function"]: r["total"] for r in self.answers("cpu")},
                                      "graph": {r["mfa"]: r["acc"] for r in graph["function"]
                                                if r["mfa"] not in ("", "outside of processes")}}
        listed = people["processes"]
        yield "processes", {"summary": self.summary["processes"], "page": people["meta"]["total"]}
        if not self.between:
            yield "names", {"report": {r["id"]: r["process"] for r in processes},
                            "page": {r["id"]: r["who"] for r in listed},
                            "SQL": {r["id"]: r["who"] for r in self.ask("SELECT id, who(id) AS who FROM process")}}
        yield "at work", {"processes": total(processes, "run_ns", "dirty_ns"), "schedulers": total(lanes, "slice_ns"),
                          "SQL": self.sql("at work")}
        yield "ran", {"processes": total(processes, "run_ns"), "summary": self.summary.get("ran") or 0,
                      "page": total(listed, "run_ns")}
        for state in STATES[1:]:
            yield state, {"processes": total(processes, state), "page": total(listed, state)}
        shown = {r["id"] for r in processes if r["unknown_ns"] is not None}
        yield "lived", {"processes": total(processes, *STATES), "page": total(listed, *STATES), "SQL": sum(
            self.within(r) for r in self.ask("SELECT id, start, end FROM process") if r["id"] in shown)}
        yield "collecting", {"processes": total(processes, "gc_ns"), "gc": total(collectors, "gc_ns"),
                             "SQL": self.sql("collecting"), "state": self.sql("in state gc"),
                             "summary": self.summary.get("collected", 0), "activity": self.activity("gc_ns"),
                             "schedulers": total(lanes, "gc_ns"), "collections": total(ask["kind"], "total_ns")}
        yield "collections", {"processes": total(processes, "gc_count"), "gc": total(collectors, "gc_count"),
                              "SQL": self.sql("collections"), "collections": total(ask["kind"], "count")}
        yield "migrations", {"processes": total(processes, "migrations"), "SQL": self.sql("migrations"),
                             "migrations": total(self.answers("migrations"), "migrations")}
        yield "sent by processes", {
            "messages": total(self.answers("messages"), "count"), "SQL": self.sql("sent"),
            "summary": None if self.ports else self.summary.get("messages") or 0}
        if not self.between:
            yield "processes of the run", {"report": len(processes), "summary": self.summary["processes"],
                                           "SQL": self.ask("SELECT count(*) AS n FROM process")[0]["n"]}
            yield "collecting in groups", {"processes": total(processes, "gc_ns"), "groups": self.ask(
                "SELECT coalesce(sum(gc_ns), 0) AS n FROM process_group")[0]["n"]}
            yield "collecting on normal schedulers", {"account": self.accounted("gc"), "SQL": self.ask(
                "SELECT coalesce(sum(dur), 0) AS n FROM gc JOIN scheduler s ON s.id = scheduler WHERE s.kind = "
                "'normal'")[0]["n"]}
            yield "sent", {"processes": total(processes, "sends"), "page": total(listed, "sends"),
                           "summary": self.summary.get("messages") or 0}
            yield from self.lost()
            accounted = [r for r in self.answers("why") if r["share"] is not None]
            yield "scheduler time", {"report": total(accounted, "ns"), "SQL": self.ask(
                "SELECT coalesce(sum(ns), 0) AS ns FROM account")[0]["ns"]}
            yield "findings", {"report": [r["title"] for r in self.answers("findings")], "SQL": [
                r["title"] for r in self.ask("SELECT title FROM finding")]}
            yield from self.calls()

    def accounted(self, part):
        """None: no account is made, or the system took cores away."""
        of = {r["part"]: r["ns"] for r in self.ask("SELECT part, ns FROM account")}
        return of.get(part, 0) if of and "preempted" not in of else None

    def lost(self):
        """By class, as numbers and as sentences."""
        info, = self.routes("info")
        by_class = {}
        for r in self.answers("loss"):
            by_class[r["class"]] = by_class.get(r["class"], 0) + (r["events"] or 0)
        warned = subprocess.run([STROBE, "report", self.path, "processes", "--format", "csv"], capture_output=True,
                                text=True, check=True).stderr
        first = [r["text"] for r in self.report("summary") if r["item"] == "LOST"]
        counted = {of: n for of, n in by_class.items() if of != "damage"}
        at_once = re.search(r"(\d+) events? w", self.analyzed)
        yield "lost in all", {"summary": self.summary.get("LOST") or 0, "report": sum(counted.values()),
                              "analyze": int(at_once[1]) if at_once else 0}
        yield "lost by class", {"report": counted, "trace": json.loads(
            strobe("info", self.trace, "--format", "json"))["loss"]}
        yield "lost", {"report": by_class, "info": json.loads(strobe("info", self.path, "--format", "json"))["loss"],
                "page": said("LOST: " + (info["meta"]["lost"] or "")),
                "SQL": {r["class"]: r["n"] for r in self.ask(
                    "SELECT class, sum(events) AS n FROM loss GROUP BY class")},
                "first line": said(warned), "summary": said("".join(first))}

    def activity(self, column):
        """Buckets are powers of two, so only those of the whole run add up to it."""
        return None if self.between else total(self.answers("activity"), column)

    def calls(self):
        """Yields times of the call trees, which are of the whole run."""
        if not self.ask("SELECT 1 FROM call_node LIMIT 1"):
            return
        paths, functions = self.answers("paths"), self.answers("functions")
        tree, narrow, graph = self.routes("calls", "calls?n=16", "call_graph")
        nodes, = self.ask("SELECT sum(own_ns) AS stack, sum(own_ns) FILTER (WHERE mfa <> 'suspend') AS run, "
                          "sum(own_ns) FILTER (WHERE mfa = 'garbage_collect') AS gc FROM call_node")
        stacks = strobe("export", self.path, "--to", "collapsed", "-o", "-").splitlines()
        roots = [r for r in paths if r["parent"] == 0]
        yield "on a stack", {"SQL": nodes["stack"], "tree": tree["meta"]["total"], "graph": graph["meta"]["total"],
                             "rows": total(narrow["call"], "own"), "paths": total(roots, "acc_ns")}
        yield "running on a stack", {
            "SQL": nodes["run"], "tree": tree["meta"]["total_run"], "graph": graph["meta"]["total_run"],
            "rows": total([r for r in narrow["call"] if r["parent"] == 0], "run"), "paths": total(roots, "run_ns"),
            "export": sum(int(s.rsplit(" ", 1)[1]) for s in stacks),
            "functions": total(functions, "own_ns") + (nodes["gc"] or 0)}
        for what, whole in ("acc", lambda r: r["own"]), ("run", lambda r: 0 if r["mfa"] == "suspend" else r["own"]):
            for answer in tree["call"], narrow["call"]:
                below = {}
                for r in answer:
                    below[r["parent"]] = below.get(r["parent"], 0) + r[what]
                for r in answer:
                    if not r["more"]:
                        yield f"{what} of {r['mfa']}", {"row": r[what], "parts": whole(r) + below.get(r["id"], 0)}

    def saved(self):
        """Yields each answer in the one-file report, beside that of the route for the whole run."""
        page = strobe("report", self.path, "--format", "html")
        answers = json.loads(re.search(r'<script type="application/json" id="saved">(.*?)</script>', page, re.S)[1])
        plain = [key for key in answers if "?" not in key and key not in NARROWED]
        for key, route in zip(plain, self.routes(*(key.removeprefix("api/") for key in plain))):
            yield key, {"one file": decoded(gzip.decompress(base64.b64decode(answers[key]))), "route": route}


NARROWED = "api/calls", "api/processes"  # with more rows than a page asks at once


def decoded(answer):
    """What web/src/lib/table.ts makes of the bytes of an answer."""
    length, = struct.unpack_from("<I", answer, 4)
    head = json.loads(answer[8:8 + length])
    return {"meta": head["meta"]} | {t["name"]: rows_of(t, answer) for t in head["tables"]}


def rows_of(table, answer):
    columns = {c["name"]: cells_of(c, table["rows"], answer) for c in table["columns"]}
    return [dict(zip(columns, row)) for row in zip(*columns.values())]


def cells_of(c, rows, answer):
    stored = struct.unpack_from(f"<{rows}{ {1: 'B', 2: 'H', 4: 'I', 8: 'd'}[c['width']]}", answer, c["at"])
    if "texts" in c:
        text = [None, *c["texts"]]
        return [int(text[i]) if c.get("digits") and i else text[i] for i in stored]
    if c["width"] == 8:
        return [None if v != v else v for v in stored]
    return [None if v == 256 ** c["width"] - 1 else c["base"] + (v << c["shift"]) for v in stored]
