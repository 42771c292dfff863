#!/bin/bash
# Several nodes attached to at once: a trace each and one profile of all; one that refuses is named. --all finds the
# nodes that a node is connected to.
. "$(dirname "$0")/../capture/lib/cluster.sh"

cat > echo.erl <<'END'
-module(echo).
-export([one/1, two/1]).
one([File]) -> register(echo, self()), ok = file:write_file(File, ""), answer().
answer() -> receive {N, From} -> From ! N, answer() end.
two([Node, File]) -> true = net_kernel:connect_node(list_to_atom(Node)), ok = file:write_file(File, ""),
    ask({echo, list_to_atom(Node)}, 1).
ask(To, N) -> To ! {N, self()}, receive N -> ok end, timer:sleep(5), ask(To, N + 1).
END
erlc echo.erl
export RELEASE_COOKIE=echo$$
start() { erl -noshell -name "$1$$@127.0.0.1" -setcookie echo$$ -run echo "${@:2}" > "$1.log" 2>&1 & nodes+=($!); }
ready() { for _ in $(seq 3000); do [ -e "$1" ] && break; sleep 0.02; done; }
start one one up1; one=$!
ready up1
start two two one$$@127.0.0.1 up2; two=$!
ready up2
wait_for() { for _ in $(seq 3000); do eval "$1" && return; sleep 0.02; done; }

"$STROBE" attach one$$@127.0.0.1 two$$@127.0.0.1 none$$@127.0.0.1 --force --duration 2s -o x.sbt > attach.log 2>&1
check "it ends as the node that refused" 1 $?
check "which is named" 1 "$(grep -c "none$$@127.0.0.1 was not recorded" attach.log)"
check "the others have a trace each" "x.one$$@127.0.0.1.sbt x.two$$@127.0.0.1.sbt" "$(echo x.*.sbt)"
check "and are one profile, on one clock" "one$$@127.0.0.1 0 two$$@127.0.0.1 0" \
    "$(echo $(ask x.sbp "SELECT name, clock_error_ns FROM node WHERE trace_start IS NOT NULL ORDER BY name"))"
check "with messages that have both ends" 1 "$(ask x.sbp "SELECT count(*) > 0 FROM message m
    JOIN process s ON s.id = m.sender JOIN process r ON r.id = m.receiver
    WHERE s.node <> r.node AND m.sent + m.received IS NOT NULL")"
"$STROBE" attach two$$@127.0.0.1 --all --force --duration 1s --report always -o all.sbt > attach.log 2>&1
check "--all records what it is connected to" "0 all.one$$@127.0.0.1.sbt all.two$$@127.0.0.1.sbt" "$? $(echo all.*.sbt)"
check "the profile of all is named and looked at once" "1 1" "$(grep -c "^  next .* report all.sbp" attach.log) \
$(grep -c "^Worth looking at" attach.log)"
"$STROBE" attach one$$@127.0.0.1 --all --via true > attach.log 2>&1
check "a command reaches one node" 2 $?

# nodes that join while others are recorded
said() { [ "$(grep -c "$1" attach.log)" -ge "$2" ]; }
"$STROBE" attach one$$@127.0.0.1 --all --force --duration 300s -o j.sbt > attach.log 2>&1 & it=$!
wait_for 'said "^strobe: recording" 2'
sleep 2
start three two one$$@127.0.0.1 up3; three=$!
wait_for 'said "^strobe: recording three" 1'
sleep 1; kill -9 $three; wait $three 2> none
wait_for 'said "three$$@127.0.0.1 was not recorded" 1'
sleep 5 # so that it is seen to be away
start three two one$$@127.0.0.1 up3; three=$!
wait_for 'said "^strobe: recording three" 2'
sleep 1; kill -INT $it; wait $it
check "an attach ends as the node that ended" 1 $?
check "a node that starts later is recorded from then on" "one 0 three 1 three 1 two 0" "$(echo $(ask j.sbp "SELECT
    substr(name, 1, instr(name, '$$@127.0.0.1') - 1), trace_start > 2000000000 FROM node
    WHERE trace_start IS NOT NULL ORDER BY name"))"
check "with both ends of its messages" 1 "$(ask j.sbp "SELECT count(*) > 0 FROM message m
    JOIN process s ON s.id = m.sender JOIN process r ON r.id = m.receiver
    WHERE s.node IN (SELECT id FROM node WHERE name LIKE 'three%') AND r.node <> s.node AND m.sent + m.received > 0")"
check "until the end of all" 1 "$(awk '/^strobe: recording three/ && match($0, /stops after [0-9.]+/) {
    s = substr($0, RSTART + 12, RLENGTH - 12) + 0; n += s < 298.5 && s > 0 } END { print n == 2 }' attach.log)"
check "one that comes back has a further trace" 1 "$(grep -c "three$$@127.0.0.1 is back: j.three$$@127.0.0.1.2.sbt" \
    attach.log)"
check "of the node that was started again" "three$$@127.0.0.1 $three" "$(echo $(ask j.three$$@127.0.0.1.2.sbt \
    "SELECT name, os_pid FROM node WHERE trace_start IS NOT NULL"))"
check "a node of its own in the profile" 1 "$(ask j.sbp "SELECT count(*) FROM node WHERE os_pid = $three")"
kill -9 $three; wait $three 2> none; rm up3
"$STROBE" attach none$$@127.0.0.1 --all --duration 1s -o none.sbt > attach.log 2>&1
check "without a node to ask" "1 0" "$? $(grep -vc "none$$" attach.log)"

# `record --nodes`: the same nodes from before a command starts until it has ended
cat > cmd.erl <<'END'
-module(cmd).
-export([run/1]).
run([Node, N, Code]) ->
    To = {echo, list_to_atom(Node)},
    [begin To ! {I, self()}, receive I -> ok end end || I <- lists:seq(1, list_to_integer(N))],
    halt(list_to_integer(Code)).
END
erlc cmd.erl
record() { # NODES MESSAGES CODE OPTION...: what is left of earlier traces goes first
    rm -f r.*; "$STROBE" record --nodes "$1" -o r.sbt --force "${@:4}" -- erl -noshell -name cmd$$@127.0.0.1 \
        -setcookie echo$$ -run cmd run one$$@127.0.0.1 "$2" "$3" > attach.log 2>&1; }
record one$$@127.0.0.1,none$$@127.0.0.1,two$$@127.0.0.1 30 3
check "record --nodes ends as its command" 3 $?
check "and names the node that refused" 1 "$(grep -c "none$$@127.0.0.1 was not recorded" attach.log)"
check "there is a trace of each" "r.one$$@127.0.0.1.sbt r.sbt r.two$$@127.0.0.1.sbt" "$(echo r.*)"
hint=$(sed -n 's/^  all  *[^ ]* analyze //p' attach.log)
check "the hint names them" "r.sbt r.one$$@127.0.0.1.sbt r.two$$@127.0.0.1.sbt -o all.sbp" "$hint"
# shellcheck disable=SC2086
"$STROBE" analyze $hint > analyze.log 2>&1
check "and opens all on one clock" "cmd$$@127.0.0.1 0 one$$@127.0.0.1 0 two$$@127.0.0.1 0" \
    "$(echo $(ask all.sbp "SELECT name, clock_error_ns FROM node WHERE trace_start IS NOT NULL ORDER BY name"))"
check "with both ends of what the command sent and got, first to last" 60 "$(ask all.sbp "SELECT count(*) FROM message m
    JOIN process s ON s.id = m.sender JOIN process r ON r.id = m.receiver
    WHERE m.sent + m.received > 0 AND 'echo' IN (s.name, r.name) AND s.node <> r.node
    AND (SELECT id FROM node WHERE name LIKE 'cmd%') IN (s.node, r.node)")"
record none$$@127.0.0.1 1 0
check "a command without a node that could be recorded is one that strobe failed" "125 r.sbt" "$? $(echo r.*)"
record one$$@127.0.0.1 1 0
check "with all of them it is as it ended" 0 $?
stopped() { # SIGNAL: while the command runs
    rm -f r.* up3
    "$STROBE" record --nodes one$$@127.0.0.1 -o r.sbt --force -- erl -noshell -eval \
        'file:write_file("pid", os:getpid()), file:rename("pid", "up3"), timer:sleep(infinity)' > attach.log 2>&1 &
    local it=$!
    wait_for '[ -e up3 ]'
    kill "-$1" $it; wait $it 2> none
    wait_for '! kill -0 "$(cat up3)" 2> none'
    check "SIG$1 ends the command" 1 "$(kill -0 "$(cat up3)" 2> none; echo $?)"
    wait_for '"$STROBE" info r.one*.sbt --format json 2> none | grep -q "\"damage\": \[\]"'
    check "after SIG$1 the node's trace is whole" 1 "$(grep -c '"damage": \[\]' <("$STROBE" info \
        r.one$$@127.0.0.1.sbt --format json))"
    rm -f again.sbt
    wait_for '"$STROBE" attach one$$@127.0.0.1 --force --duration 100ms -o again.sbt > attach.log 2>&1'
    check "and the node can be recorded again" again.sbt "$(echo again.*)"
}
stopped TERM
stopped KILL
usage() { "$STROBE" record "$@" -- true > attach.log 2>&1; check "refused: $*" 2 $?; }
usage --nodes ''
usage --nodes a@h,
usage --nodes a@h,,b@h
usage --nodes a@h,b@h,a@h
usage --force
usage --nodes a@h --runs 2 -o runs
usage --nodes a@h --flight 10s
