#!/bin/bash
# One reading of a running node: its numbers against the rates that the program is made to have, and nothing is left.
. "$(dirname "$0")/lib/attach.sh"
erlc "$root/test/live/lib/rates.erl" "$root/test/live/lib/Elixir.Shop.Cart.erl" || exit 1
top() { "$STROBE" top "$node" --once "$@" 2> top.err; }
has_error() { ! [ -s top.err ] || { cat top.err; return 1; }; }

start_node -pa . -s subject start -s rates start || { echo "not ok top: a node starts: $(cat node.log)"; exit; }
before=$(state_at_rest)
cat > rates.py <<'END'
import csv, json, sys
rows = json.load(open("top.json"))
of = {k: [r for r in rows if r["kind"] == k] for k in ("scheduler", "process", "group")}
named = {r["name"]: r for r in of["process"]}
groups = {r["name"]: r for r in of["group"]}
def near(what, value, low, high):
    if not low <= value <= high:
        sys.exit(f"{what} is {value}, not within {low} to {high}")
seconds = rows[0]["interval_ns"] / 1e9
near("interval", seconds, 0.3, 30)
asker, answerer, spinner = (named[n] for n in ("asker", "answerer", "spinner"))
hoarder = named["hoarder"]
# rounds may be cut at both ends
near("rounds of the asker", asker["receives"], 5, seconds * 500 + 3)
near("sends of the asker", asker["sends"], 3 * asker["receives"] - 3, 3 * asker["receives"] + 3)
near("receives of the answerer", answerer["receives"], asker["sends"] - 3, asker["sends"] + 3)
near("sends of the answerer", answerer["sends"], asker["receives"] - 1, asker["receives"] + 1)
near("switches of the asker", asker["slices"], asker["receives"] - 1, asker["receives"] * 5 + 3)
if "beside" in sys.argv:
    unknown = [r[c] for r in of["process"] for c in ("mailbox", "memory_bytes")]
    near("known mailboxes and memories", len(unknown) - unknown.count(None), 0, 0)
else:
    near("mailbox of the hoarder", hoarder["mailbox"], 1234, 2234)
    near("memory of the hoarder", hoarder["memory_bytes"], 1234 * 3 * 8, 2 << 20)
near("share of the spinner", spinner["core_ppm"], 300000, 1000000) # less than all: others wait for the core too
near("the largest share", max(r["core_ppm"] for r in of["process"]), spinner["core_ppm"], spinner["core_ppm"])
near("collections of the spinner", spinner["gc_ppm"], 1, spinner["core_ppm"])
near("members", groups["rates:member/0"]["processes"], 7, 7)
near("switches of the members", groups["rates:member/0"]["slices"], 1, 7 * (seconds * 250 + 2))
# the program counts what its process Echo answers, most of all
echo = max(of["process"], key=lambda r: r["sends"])
near("answers of the echo", echo["sends"], 20, int(sys.argv[1]) + 100)
near("questions to the echo", echo["receives"], echo["sends"] - 3, echo["sends"] + 3)
near("Elixir", named["'Elixir.Shop.Cart':loop/0"]["slices"], 1, seconds * 250 + 2)
# what the schedulers ran is what the processes ran
ran, by = (sum(r["core_ppm"] for r in of[k]) for k in ("scheduler", "group"))
near("share of all groups", by, ran * 0.9, ran * 1.1)
if any(of["process"][i]["core_ppm"] < of["process"][i + 1]["core_ppm"] for i in range(len(of["process"]) - 1)):
    sys.exit("not in order")
END
reading() {
    local first
    first=$(ask count)
    top --format json --limit 100 > top.json && has_error && python3 rates.py $(($(ask count) - first)) && as_before
}
check "rates, shares, mailboxes and groups, and the node is as before" reading
formats() {
    top --interval 300ms --sort gc_ppm --limit 1 > top.txt && has_error && grep -q "^Schedulers" top.txt &&
        grep -q "^spinner " top.txt && ! grep -q "^asker" top.txt && top --interval 300ms --limit 100 > top.txt &&
        grep -q "^Shop.Cart.loop/0 " top.txt && top --interval 300ms --format csv > top.csv &&
        head -n 1 top.csv | grep -q '^kind,name,core_ppm,gc_ppm,' && grep -q '^process,spinner,' top.csv && as_before
}
check "text and csv; another order; names of Elixir" formats

one_line() { # PATTERN CODE STROBE'S ARGUMENTS
    local pattern=$1 code=$2; shift 2
    "$STROBE" top "$@" > top.out 2> top.err
    [ $? = "$code" ] && [ "$(wc -l < top.err)" = 1 ] && grep -q "^strobe: .*$pattern" top.err && ! [ -s top.out ] ||
        { cat top.err top.out; return 1; }
}
errors() {
    RELEASE_COOKIE=secret_$$ one_line "$node@.*refused the connection" 1 "$node" --once &&
        one_line "no node no_such_$$ runs.*epmd knows: .*$node" 1 "no_such_$$" --once &&
        one_line "add --once" 2 "$node" && one_line "reaches one node" 2 a b --once --via true &&
        one_line "longer than 0" 2 "$node" --once --interval 0 && as_before
}
check "each error is one line" errors
begin_top() { # $pid; returns when strobe is in the node
    "$STROBE" top "$node" --once --interval 60s --format json > top.json 2> top.err & pid=$!
    for _ in $(seq 3000); do
        grep -q "/strobe-$vm-.*rings (deleted)" "/proc/$vm/maps" && return
        kill -0 $pid || break
        sleep 0.02
    done
    cat top.err; return 1
}
interrupted() {
    begin_top && one_line "another strobe is attached to it" 1 "$node" --once && kill -INT $pid && wait $pid &&
        grep -q '"name": "spinner"' top.json && as_before
}
check "Ctrl-C prints the reading so far; a second strobe is refused" interrupted
begin_flight() { # $pid
    rm -f flight.err
    "$STROBE" attach "$node" --flight 20s -o f.sbt 2> flight.err & pid=$!
    for _ in $(seq 3000); do
        grep -q "keeping the last" flight.err && return
        kill -0 $pid || break
        sleep 0.02
    done
    cat flight.err; return 1
}
beside() { # a flight recorder keeps all; top has no part in the node, and no trace of its own stays
    local first
    begin_flight || return
    for _ in $(seq 10); do # a reading that had no core in time lost events, and says so
        first=$(ask count)
        top --format json --limit 100 > top.json && ! grep -q "events were lost" top.err && break
    done
    python3 rates.py $(($(ask count) - first)) beside &&
        grep -q "^strobe: a recorder records this node" top.err && [ "$(wc -l < top.err)" = 1 ] &&
        kill -INT $pid && wait $pid && ! ls f.*.sbt strobe-top* 2>/dev/null && as_before &&
        ! grep -q "top" flight.err && return
    cat top.err; kill -INT $pid; wait $pid; return 1
}
check "beside a flight recorder: the same rates, mailboxes and memory unknown" beside
recorded() { # a VM without distribution, by its pid, from the trace that is written
    "$STROBE" record -o r.sbt --report never -- erl -noshell -eval 'register(main, self()),
        file:write_file("vm", os:getpid()),
        W = fun W() -> filelib:is_regular("over") orelse (receive after 5 -> W() end) end, W(), halt().' \
        2> record.err & pid=$!
    until [ -s vm ]; do kill -0 $pid || return 1; sleep 0.02; done
    for _ in $(seq 50); do # until the drain has the rings
        "$STROBE" top "$(cat vm)" --once --interval 500ms --format csv > top.csv 2> top.err && break
        sleep 0.1
    done
    touch over
    wait $pid && grep -q '^process,main,' top.csv && grep -q '^scheduler,1,' top.csv ||
        { cat top.err top.csv; return 1; }
}
check "beside a recording of a VM without a name" recorded
killed() {
    begin_top && kill -9 $pid
    wait $pid 2>/dev/null
    as_before
}
check "strobe is killed: the node is as before" killed
dies() {
    begin_top && stop_node
    wait $pid
    [ $? = 1 ] && grep -q "ended while it was watched" top.err && ! [ -s top.json ]
}
check "the node is killed: no reading, and no file is left" dies
