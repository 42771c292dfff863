#!/bin/bash
# Nodes whose clocks differ by hours, in time namespaces: each ends by its limit, and all are one profile on one clock.
# The clock of a recorder and that of its node are not the same there.
unshare --fork --time --monotonic 60 true 2> /dev/null || { echo "ok time_namespaces # SKIP not allowed"; exit 0; }
. "$(dirname "$0")/../capture/lib/cluster.sh"
trap '{ kill -9 $epmd "${nodes[@]}"; wait; } 2> /dev/null; rm -rf "$dir"' EXIT
cat > ring.erl <<'END'
-module(ring).
-export([main/1]).
main([Next, File]) ->
    register(ring, self()), To = {ring, list_to_atom(Next)},
    spawn(fun() -> send(To, 1) end), ok = file:write_file(File, ""), loop().
send(To, N) -> To ! {N, node()}, receive after 5 -> send(To, N + 1) end.
loop() -> receive {_, _} -> loop() end.
END
erlc ring.erl
export RELEASE_COOKIE=ring$$
start() { # NODE NEXT COMMAND...
    "${@:3}" erl -noshell -name "$1$$@127.0.0.1" -setcookie ring$$ -run ring main "$2$$@127.0.0.1" up.$1 \
        > $1.log 2>&1 & nodes+=($!); }
start one two
start two three unshare --fork --kill-child --time --monotonic 7200 --boottime 10800
start three one unshare --fork --kill-child --time --monotonic 20000 --boottime 9000
for i in one two three; do for _ in $(seq 3000); do [ -e up.$i ] && break; sleep 0.02; done; done
timeout 100 "$STROBE" attach {one,two,three}$$@127.0.0.1 --force --duration 1s -o x.sbt > attach.log 2>&1
check "attach ends" 0 $?
check "by the limit of each" 3 "$(grep -c "ended *by the time limit" attach.log)"
check "the clocks differ by what they do" "one 0 0 three -20000 0 two -7200 0" "$(echo $(ask x.sbp "SELECT
    substr(name, 1, instr(name, '$$@') - 1), CAST(round(clock_offset_ns / 1e9) AS INTEGER), clock_error_ns FROM node
    WHERE trace_start IS NOT NULL ORDER BY name"))"
check "all of them are recorded at once" 1 "$(ask x.sbp "SELECT max(trace_start) < min(trace_end) FROM node")"
check "with both ends of messages, none before it was sent" "3 1" "$(echo $(ask x.sbp "SELECT count(*), min(least) > 0
    FROM (SELECT min(received - sent) AS least FROM message m JOIN process s ON s.id = m.sender
    JOIN process r ON r.id = m.receiver WHERE s.node <> r.node AND r.name = 'ring' GROUP BY s.node, r.node)"))"
timeout 100 "$STROBE" record --duration 200ms -o r.sbt -- unshare --fork --time --monotonic 7200 --boottime 7200 \
    erl -noshell -eval 'timer:sleep(3000), halt().' > attach.log 2>&1
check "a recorded command is recorded for its time" 1 "$(grep -c "ended *by the time limit" attach.log)"
check "on one clock" 1 "$("$STROBE" dump r.sbt | awk '$1 ~ /^[0-9]+$/ { if (n++ == 0) least = most = $1
    least = $1 < least ? $1 : least; most = $1 > most ? $1 : most } END { print most - least < 3600e9 }')"
