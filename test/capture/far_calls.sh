#!/bin/bash
# Calls from one node to a gen_server of another. The reply goes to an alias of the caller's node, which only the
# request explains: each reply has its receiver, in the trace of the server's node alone too, and the server
# has its row.
. "$(dirname "$0")/lib/cluster.sh"

cat > far.erl <<'END_OF_MODULE'
-module(far).
-behaviour(gen_server).
-export([serve/0, ask/1, init/1, handle_call/3, handle_cast/2]).
serve() ->
    {ok, Pid} = gen_server:start({local, far}, ?MODULE, [], []),
    Ref = monitor(process, Pid),
    receive {'DOWN', Ref, _, _, _} -> init:stop() end.
init(_) -> {ok, []}.
handle_call(stop, _, S)          -> {stop, normal, ok, S};
handle_call(N, _, S)             -> receive after 1 -> {reply, N, S} end.
handle_cast(_, S)                -> {noreply, S}.

%% 4 times 50 calls, 30 requests by send_request, and 20 with the tag of requests that are collected
ask([Node]) ->
    Server = {far, list_to_atom(Node)},
    found(list_to_atom(Node), 500),
    Calls = fun() -> [N = gen_server:call(Server, N) || N <- lists:seq(1, 50)] end,
    All = [spawn_monitor(Calls) || _ <- lists:seq(1, 4)],
    [receive {'DOWN', Ref, _, _, normal} -> ok end || {_, Ref} <- All],
    [{reply, N} = gen_server:wait_response(gen_server:send_request(Server, N), infinity) || N <- lists:seq(1, 30)],
    [collected(Server, N) || N <- lists:seq(1, 20)],
    ok = gen_server:call(Server, stop),
    init:stop().
collected(Server, N) ->
    Alias = alias(),
    Server ! {'$gen_call', {self(), [[alias | Alias] | label]}, N},
    receive {[[alias | Alias] | label], N} -> unalias(Alias) end.
found(Node, N) when N > 0 ->
    case net_kernel:connect_node(Node) andalso rpc:call(Node, erlang, whereis, [far]) of
        Pid when is_pid(Pid) -> ok;
        _                    -> timer:sleep(20), found(Node, N - 1)
    end.
END_OF_MODULE
erlc far.erl
record_pair far
"$STROBE" analyze a.sbt -o a.sbp > analyze.log 2>&1
"$STROBE" analyze a.sbt b.sbt -o both.sbp >> analyze.log 2>&1

replies="FROM message m JOIN process s ON s.id = m.sender JOIN process r ON r.id = m.receiver
    WHERE s.name = 'far' AND r.node <> s.node"
check "each reply has its receiver, in the trace of the server" 251 "$(ask a.sbp "SELECT count(*) $replies")"
# where the machine takes the core for long between a reply and its stamp, the two ends have no pair; without one kind
# of request the fifth caller would have three fifths of its pairs
check "in both traces it is received as well" 1 "$(ask both.sbp "SELECT min(pairs) >= 70 FROM (SELECT
    100 * count(m.sent + m.received) / count(*) AS pairs $replies GROUP BY r.id)")"
check "the callers, and how often each was answered" "50 50 50 50 51" \
    "$(echo $(ask both.sbp "SELECT count(*) AS n $replies GROUP BY r.id ORDER BY n"))"
row() { "$STROBE" report both.sbp servers --format json | python3 -c "
import json, sys
rows = [r for r in json.load(sys.stdin) if r['server'] == 'far']
print(*[r['requests'] >= 251 and r['service_p50_ns'] >= 1000000 for r in rows])"; }
check "the server has its row" True "$(row 2>&1)"
