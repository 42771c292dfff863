#!/bin/bash
# Processes whose heaps are full are scheduled out while a built-in function fills a fragment with its result. With a
# tuple for the switch in another fragment the VM would end ("no next heap size found").
root=$(cd "$(dirname "$0")/../.." && pwd)
STROBE=${STROBE:-$root/build/strobe}
dir=$(mktemp -d) && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT

cat > split.erl <<'END'
-module(split).
-export([main/0]).
main() ->
    Text = binary:copy(<<"abcdefgh,">>, 30000),
    lists:foreach(fun(Words) -> parallel([fun() -> run(Text, W) end || W <- lists:seq(Words, Words + 7)]) end,
                  lists:seq(0, 240, 8)),
    io:format("all parts are right~n").
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
"$STROBE" record --report never --trace procs,running -o t.sbt -- \
    erl -noshell -run split main -run init stop > out 2> err
if grep -q "all parts are right" out; then echo "ok full heap: the VM survives"
else echo "not ok full heap: the VM survives: $(tail -n 3 out err)"; fi

"$STROBE" dump t.sbt | awk '$4 == "in" || $4 == "out" { n[$4]++; known += /mfa=/ }
    END { print n["in"] + 0, n["out"] + 0, known + 0 }' > n
read -r in out known < n
# some slices end in out_exited
if [ "$in" -gt 2000 ] && [ "$out" -le "$in" ] && [ $((in - out)) -le 600 ]; then
    echo "ok full heap: every switch is in the trace"
else
    echo "not ok full heap: every switch is in the trace: $in in, $out out"
fi
if [ $((known * 10)) -ge $(((in + out) * 8)) ]; then
    echo "ok full heap: switches with room on the heap have their function"
else
    echo "not ok full heap: switches with room on the heap have their function: $known of $((in + out))"
fi
