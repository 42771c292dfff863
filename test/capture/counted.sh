#!/bin/bash
# Calls that the governor only counted, against the program's own number, when the node stops, halts, aborts or is
# killed. The program ends once the growing trace has the last count, or after five seconds: then it is in a ring, since
# a count is written within 10 ms, and the drain finds it there.
root=$(cd "$(dirname "$0")/../.." && pwd)
STROBE=${STROBE:-$root/build/strobe}
ebin=$(cd "$(dirname "$STROBE")" && pwd)/erlang/strobe/ebin
dir=$(mktemp -d) && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT

cat > hot.erl <<'END'
-module(hot).
-export([main/1, leaf/1]).
main([End]) ->
    {ok, _} = strobe:profile("t.sbt", [{trace, [calls]}, {modules, [?MODULE]}, {budget, 5000}, {quiet, true}]),
    Made = rounds(0, call_counted()),
    ok = file:write_file("made.new", integer_to_list(Made)),
    ok = file:rename("made.new", "made"),
    until_exists("known"),
    end_by(End).
end_by("recording") -> {ok, _} = strobe:stop_profile(), halt(0);
end_by("stop") -> init:stop();
end_by("halt") -> halt(0);
end_by("abort") -> halt(abort);
end_by("kill") -> os:cmd("kill -9 " ++ os:getpid()).
until_exists(File) -> filelib:is_file(File) orelse (timer:sleep(20) =:= ok andalso until_exists(File)).
%% The last round is counted only.
rounds(Made, true) -> more(Made);
rounds(Made, false) when Made > 1000000000 -> error(never_counted_only);
rounds(Made, false) -> rounds(more(Made), call_counted()).
more(Made) -> [leaf(I) || I <- lists:seq(1, 20000)], Made + 20000.
call_counted() ->
    Infos = case code:ensure_loaded(trace) of
        {module, _} -> [trace:info(S, {?MODULE, leaf, 1}, call_count) || {strobe, _} = S <- trace:session_info(all)];
        _ -> [erlang:trace_info({?MODULE, leaf, 1}, call_count)] % before OTP 27
    end,
    lists:any(fun({call_count, N}) -> is_integer(N) end, Infos).
leaf(A) -> A + 1.
END
erlc hot.erl

# calls of the function in the profile, whether that is a lower bound, and whether some were only counted
known() { "$STROBE" query t.sbt "SELECT calls, at_least, counted > 0 FROM function WHERE mfa = 'hot:leaf/1'" \
    --format csv 2>/dev/null | tail -n 1 | tr -d '\r'; }
becomes() { for _ in $(seq "$2"); do [[ "$(known)" == $1 ]] && return; sleep 0.5; done; return 1; }
# What the ring lost nevertheless, beside a busy neighbour, stands in a line before.
account() { # HOW, whether the number is then a lower bound
    rm -f t.* made known
    ERL_CRASH_DUMP_BYTES=0 erl -noshell -pa "$ebin" -run hot main "$1" > out.log 2>&1 &
    local node=$!
    for _ in $(seq 3000); do [ -e made ] || ! kill -0 $node 2>/dev/null && break; sleep 0.02; done
    becomes "$(cat made),1,1" 10
    touch known
    wait $node
    if becomes "$(cat made),$2,1" 60 && "$STROBE" report t.sbt functions | sed -n 1,2p | grep -q '^COUNTED'
    then echo "ok counted: $1"
    else echo "not ok counted: $1: made $(cat made), calls,bound,counted $(known), $(tail -n 2 out.log)"; fi
}
account recording 0
account stop "[01]" # the recording may end before the node or with it
for how in halt abort kill; do account $how 1; done
rm -f erl_crash.dump
