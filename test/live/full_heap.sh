#!/bin/bash
# Processes whose heaps are full are scheduled out while a built-in function fills a fragment with its result. With a
# tuple for the switch in another fragment the VM would end ("no next heap size found", or a crash).
. "$(dirname "$0")/lib/attach.sh"

cat > split.erl <<'END'
-module(split).
-export([start/0]).
start() -> spawn(fun() -> loop(binary:copy(<<"abcdefgh,">>, 30000)) end).
loop(Text) ->
    lists:foreach(fun(Words) -> parallel([fun() -> run(Text, W) end || W <- lists:seq(Words, Words + 7)]) end,
                  lists:seq(0, 240, 8)),
    loop(Text).
parallel(Funs) ->
    Refs = [element(2, spawn_monitor(F)) || F <- Funs],
    [receive {'DOWN', Ref, process, _, Reason} -> normal = Reason end || Ref <- Refs].
run(Text, Words) -> % the list is kept, so that the heap has as much less room
    Kept = lists:seq(1, Words div 2),
    Parts = binary:split(Text, <<",">>, [global, trim]),
    30000 = length([P || P = <<"abcdefgh">> <- Parts]),
    Words div 2 =:= length(Kept) orelse exit(lost).
END
erlc split.erl
start_node -pa . -s subject start -s split start || { echo "not ok full_heap: a node starts: $(cat node.log)"; exit; }
survives() {
    attach --duration 6s || { cat attach.err node.log; return 1; }
    ask count > count.txt && [ -s count.txt ] && grep -q "is as before" attach.err ||
        { cat attach.err node.log; return 1; }
}
switches() { # a process that runs when the recording ends has one more or less
    "$STROBE" dump t.sbt | awk '$4 ~ /^in/ { n["in"]++ } $4 ~ /^out/ { n["out"]++ } /mfa=/ { known++ }
        END { print n["in"] + 0, n["out"] + 0, known + 0 }' > n
    read -r in out known < n
    echo "$in in, $out out, $known with a function"
    [ "$in" -gt 500 ] && [ $((in - out)) -ge -50 ] && [ $((in - out)) -le 50 ]
}
functions() { [ $((known * 100)) -ge $(((in + out) * 98)) ]; } # a built-in function may be one without a place in code
check "the VM survives" survives
check "every switch is in the trace" switches
if [ "$(erl -noshell -eval 'io:put_chars(erlang:system_info(otp_release)), halt().')" -lt 28 ]; then
    check "switches have their function, with room on the heap or without" functions
fi
