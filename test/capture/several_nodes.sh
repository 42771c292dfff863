#!/bin/bash
# Three nodes on one host, without messages from 2 to 3 or from 3 to 1, recorded by strobe and traced by OTP. They share
# a clock, so the true offsets are 0, apart from what a VM's own calculation adds to OTP's stamps (slack, in ns). A
# message is paired with its own receive or with none: a preempted VM may stamp a send after the message was received,
# which is frequent with OTP's tracing. A send to a name counts for the node of that name, and a process spawned from
# another node has the function it was given.
. "$(dirname "$0")/lib/cluster.sh"

cat > net.erl <<'END_OF_MODULE'
-module(net).
-export([main/1, child/0]).
-define(EDGES, [{1, 2}, {1, 3}, {3, 2}, {2, 1}]).
-define(EACH, 100).
main([Dir, Id, "otp"]) ->
    {ok, _} = dbg:tracer(port, dbg:trace_port(file, Dir ++ "/" ++ Id ++ ".otp")),
    {ok, _} = dbg:p(all, [m, p, timestamp]),
    main([Dir, Id]),
    dbg:stop_clear();
main([Dir, Id, "sbt"]) ->
    main([Dir, Id]);
main([Dir, Id]) ->
    Me = list_to_integer(Id),
    register(peer, self()),
    file:write_file(Dir ++ "/up" ++ Id, <<>>),
    wait_for_files(Dir ++ "/up"),
    [wait_for(fun() -> net_kernel:connect_node(name(I)) end) || I <- [1, 2, 3], I =/= Me],
    file:write_file(Dir ++ "/ready" ++ Id, <<>>),
    wait_for_files(Dir ++ "/ready"),
    spawn_link(fun() -> [begin {peer, name(To)} ! {m, Me, N}, pause(N) end
                         || N <- lists:seq(1, ?EACH), {From, To} <- ?EDGES, From =:= Me] end),
    [receive {m, _, _} -> ok end || {_, To} <- ?EDGES, To =:= Me, _ <- lists:seq(1, ?EACH)],
    [begin
         {_, Child} = spawn_monitor(name(2), net, child, []),
         receive {'DOWN', Child, _, _, _} -> ok end
     end || Me =:= 1, _ <- [1, 2, 3]],
    file:write_file(Dir ++ "/done" ++ Id, <<>>),
    wait_for_files(Dir ++ "/done"),
    init:stop().
child() -> ok.
name(I) -> list_to_atom("net" ++ integer_to_list(I) ++ "@127.0.0.1").
pause(N) when N rem 3 =:= 0 -> timer:sleep(1);
pause(_) -> ok.
wait_for_files(Base) -> [wait_for(fun() -> filelib:is_file(Base ++ Id) end) || Id <- ["1", "2", "3"]].
wait_for(What) -> What() =:= true orelse begin timer:sleep(10), wait_for(What) end.
END_OF_MODULE
erlc net.erl

of="FROM message m JOIN process s ON s.id = m.sender JOIN process r ON r.id = m.receiver
    WHERE r.name = 'peer' AND s.entry LIKE 'net:%' AND s.node <> r.node"

for how in sbt otp; do
    slack=10000 paired=80 # most are, on a busy machine, too
    [ $how = otp ] && slack=1000000 paired=1
    mkdir $how
    for i in 1 2 3; do
        node="erl -noshell -name net$i@127.0.0.1 -setcookie net$$ -run net main $dir/$how $i $how"
        if [ $how = sbt ]; then
            "$STROBE" record -o sbt/$i.sbt --trace procs,messages -- $node > record$i.log 2>&1 &
        else
            $node > otp$i.log 2>&1 &
        fi
        nodes[i]=$!
    done
    wait "${nodes[@]}"
    nodes=()
    "$STROBE" analyze $how/1.$how $how/2.$how $how/3.$how -o $how.sbp > analyze.log 2>&1
    check "$how: the clocks of all three nodes are bounded" 3 \
        "$(ask $how.sbp "SELECT count(*) FROM node WHERE clock_error_ns IS NOT NULL AND clock_conflict_ns IS NULL")"
    check "$how: all true offsets are within the error" 0 \
        "$(ask $how.sbp "SELECT count(*) FROM node WHERE abs(clock_offset_ns) > clock_error_ns + $slack")"
    check "$how: each message has its sender and receiver" "100 100 100 100" \
        "$(echo $(ask $how.sbp "SELECT count(m.sent) $of GROUP BY s.node, r.node"))"
    check "$how: as many have a receive as stamps allow" 1 \
        "$(ask $how.sbp "SELECT min(n) >= $paired
            FROM (SELECT count(m.sent + m.received) AS n $of GROUP BY s.node, r.node)")"
    check "$how: which is its own" 0 "$(ask $how.sbp "SELECT count(*)
        FROM (SELECT row_number() OVER (PARTITION BY sender, receiver ORDER BY sent) AS sent,
        row_number() OVER (PARTITION BY sender, receiver ORDER BY received) AS received
            FROM (SELECT m.* $of AND m.sent + m.received IS NOT NULL)) WHERE sent <> received")"
    check "$how: what other nodes spawned has its function" 3 \
        "$(ask $how.sbp "SELECT count(*) FROM process WHERE entry = 'net:child/0'")"
done
cp otp/1.otp alone.otp
check "of one trace alone, sends to names count for their nodes" "net2@127.0.0.1 net3@127.0.0.1" \
    "$(echo $(ask alone.otp "SELECT t.name FROM node_edge e JOIN node f ON f.id = from_node
        JOIN node t ON t.id = to_node WHERE f.name LIKE 'net1@%' AND t.id <> f.id AND e.count >= 100 ORDER BY 1"))"
