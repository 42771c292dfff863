#!/bin/bash
# One trace analysed by several commands at once, and a trace that is analysed while it is written.
STROBE=${STROBE:-$(cd "$(dirname "$0")/../.." && pwd)/build/strobe}
dir=$(mktemp -d) && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
check() { # NAME, then a command that must succeed
    local name=$1; shift
    if "$@" >out.log 2>&1; then echo "ok together: $name"
    else echo "not ok together: $name: $(tail -n 5 out.log | tr '\n' ' ')"; fi
}

at_once() {
    awk 'BEGIN { for (i = 0; i < 60000; i++) { p = 5 + i % 50
        printf "%dus <0.%d.0> s1 in mfa=m:f/0\n%dus <0.%d.0> s1 out mfa=m:f/0\n", 2 * i, p, 2 * i + 1, p } }' > T.txt
    cp T.txt alone.txt
    "$STROBE" analyze alone.txt -o alone.sbp && mkdir a && cp T.txt a/ || return 1
    local pids=() pid
    for i in 1 2 3; do "$STROBE" analyze a/T.txt -o a/T.sbp > "log.$i" 2>&1 & pids+=($!); done
    "$STROBE" query a/T.txt "SELECT count(*) AS n FROM slice" --format csv > asked 2>log.q & pids+=($!)
    for pid in "${pids[@]}"; do wait "$pid" || { cat log.*; return 1; }; done
    [ "$(tr -d '\r' < asked | tail -n 1)" = 60000 ] || { cat asked; return 1; }
    [ "$("$STROBE" query a/T.sbp "SELECT group_concat(n) FROM (SELECT sum(dur) n FROM slice GROUP BY process)")" = \
    "$("$STROBE" query alone.sbp "SELECT group_concat(n) FROM (SELECT sum(dur) n FROM slice GROUP BY process)")" ] &&
        [ "$(ls a | tr '\n' ' ')" = "T.sbp T.txt " ] || { ls a; return 1; }
}
events() { "$STROBE" query "$1" "SELECT sum(sends) AS n FROM process" --format csv | tr -d '\r' | tail -n 1; }
while_written() {
    "$STROBE" record -o t.sbt --trace procs,messages -- erl -noshell -eval '
        F = fun F(N) -> self() ! N, receive N -> ok end,
                case filelib:is_file("end") of true -> halt(0); false -> F(N + 1) end end,
        ok = file:write_file("pid.new", os:getpid()), ok = file:rename("pid.new", "pid"), F(1).' >rec.log 2>&1 &
    local recorder=$! trace first
    for _ in $(seq 3000); do [ -s pid ] && break; sleep 0.02; done
    trace=t.$(cat pid).sbt
    for _ in $(seq 300); do first=$(events "$trace") && [ "${first:-0}" -gt 0 ] 2>/dev/null && break; sleep 0.1; done
    touch end
    wait $recorder || { cat rec.log; return 1; }
    [ "$first" -gt 0 ] && [ "$(events t.sbt)" -gt "$first" ] || { echo "first $first, then $(events t.sbt)"; return 1; }
    [ "$(events t.sbt)" = "$("$STROBE" info --format json t.sbt | grep -o '"send": *[0-9]*' | grep -o '[0-9]*$')" ]
}

check "several commands analyse one trace: each ends well, the profile is that of one" at_once
check "a trace is analysed while it is written: what is there, and later all of it" while_written
