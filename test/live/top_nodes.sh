#!/bin/bash
# `strobe top` of three nodes: one table with the node of each row, in one order; a node that refuses or ends is named
# and the others go on; nothing is left in any of them.
. "$(dirname "$0")/lib/attach.sh"
erlc "$root/test/live/lib/rates.erl" "$root/test/live/lib/Elixir.Shop.Cart.erl" || exit 1
. "$root/test/live/lib/nodes.sh"
begin_nodes -s rates calm
top() { "$STROBE" top "${names[@]}" "$@" --once 2> top.err; local code=$?; cat top.err >&2; return $code; }

cat > rows.py <<'END2'
import json, sys
rows = json.load(open("top.json"))
nodes = sys.argv[1:]
def fail(*what):
    sys.exit(" ".join(map(str, what)))
if any(next(iter(r)) != "node" for r in rows) or {r["node"] for r in rows} != set(nodes):
    fail("the first column has the nodes", {r.get("node") for r in rows})
for kind in ("process", "group"):
    core = [r["core_ppm"] for r in rows if r["kind"] == kind]
    if core != sorted(core, reverse=True):
        fail(kind, "not in one order")
for n in nodes: # what rates.erl does in each: messages stay within a node, and a round of the asker sends three
    of = {r["name"]: r for r in rows if r["node"] == n and r["kind"] == "process"}
    asker, answerer, hoarder = of["asker"], of["answerer"], of["hoarder"]
    if asker["receives"] < 5 or abs(asker["sends"] - 3 * asker["receives"]) > 3:
        fail(n, "rounds", asker)
    if abs(answerer["receives"] - asker["sends"]) > 3:
        fail(n, "messages", asker, answerer)
    if not 1234 <= hoarder["mailbox"] <= 2234:
        fail(n, "mailbox", hoarder)
    members = [r for r in rows if r["node"] == n and r["kind"] == "group" and r["name"] == "rates:member/0"]
    if [m["processes"] for m in members] != [7]:
        fail(n, "members", members)
END2
reading() {
    top --format json --limit 300 > top.json && ! [ -s top.err ] && python3 rows.py "${names[@]}" && all_as_before a b c
}
check "one table of three nodes" reading
formats() {
    top --interval 300ms --limit 2 --format csv --sort receives > top.csv &&
        grep -q "^node,kind,name,core_ppm" top.csv &&
        [ "$(grep -c ',process,' top.csv)" = 2 ] && [ "$(grep -c ',group,' top.csv)" = 2 ] &&
        COLUMNS=160 top --interval 300ms --limit 50 > top.txt && grep -q '^node  *name ' top.txt &&
        for n in "${names[@]}"; do grep -q "^$n  *asker " top.txt || return; done && all_as_before a b c
}
check "csv and text, limited over all of them" formats
refuses() {
    top "none_$$@$host" --format json --limit 300 > top.json
    [ $? = 1 ] && [ "$(wc -l < top.err)" = 1 ] && grep -q "no node none_$$" top.err && python3 rows.py "${names[@]}"
}
check "a node that is not there is named, and the others are shown" refuses
begin_top() { # $pid; returns when strobe is in all nodes
    "$STROBE" top "${names[@]}" --once --interval 60s --format json --limit 300 > top.json 2> top.err & pid=$!
    local n
    for n in a b c; do
        until grep -q "/strobe-${vms[$n]}-.*rings (deleted)" "/proc/${vms[$n]}/maps"; do
            kill -0 $pid || return
            sleep 0.02
        done
    done
}
interrupted() {
    begin_top && sleep 1 && kill -INT $pid && wait $pid && python3 rows.py "${names[@]}" && all_as_before a b c
}
check "Ctrl-C ends the reading of all" interrupted
killed() { begin_top && kill -9 $pid; wait $pid 2>/dev/null; all_as_before a b c; }
check "strobe is killed: all nodes are as before" killed
table() { "$root/test/live/lib/table.py" "$STROBE" "$(IFS=,; echo "${names[*]}")" "$@"; }
ended() { table ended "$1" && all_as_before a b c; }
check "the live table ends by SIGTERM: all nodes are as before" ended SIGTERM
check "or by SIGKILL" ended SIGKILL
dies() {
    begin_top && sleep 2 || return # until all are watched: rings are there before
    { kill -9 "${vms[c]}"; wait "${vms[c]}"; } 2>/dev/null
    sleep 1; kill -INT $pid; wait $pid
    [ $? = 1 ] && grep -q "${names[2]}" top.err && [ "$(wc -l < top.err)" = 1 ] &&
        python3 rows.py "${names[@]:0:2}" && all_as_before a b && ! ls -d /dev/shm/strobe-"${vms[c]}"-* 2>/dev/null
}
check "a node is killed: it is named, and the others are shown" dies
live() { begin_node c -s rates calm && table nodes "${vms[c]}" && all_as_before a b; }
check "the live table of three, of which one is killed" live
