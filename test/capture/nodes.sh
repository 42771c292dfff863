#!/bin/bash
# Two nodes recorded at once: what one sends the other is one message, with both ends, and their clock is one. Two that
# send equal messages to a third. And one that gets its name late.
. "$(dirname "$0")/lib/cluster.sh"

cat > talk.erl <<'END'
-module(talk).
-export([serve/1, ask/1, same/1, late/0]).
%% Answers until it is told to stop; says its node's name in a file when it listens.
serve([File]) ->
    register(server, self()),
    ok = file:write_file(File, atom_to_list(node())),
    serve_on(),
    init:stop().
serve_on() ->
    receive
        {ask, From, Ref, Words} -> From ! {answer, Ref, self(), length(Words)}, serve_on();
        {same, _}               -> serve_on();
        {from, From, _, _}      -> From ! answer, serve_on();
        stop -> ok
    after 60000 -> ok % nobody asks
    end.
%% Asks 500 times with what differs from node to node: atoms, a pid, a reference.
ask([File]) ->
    {ok, Name} = file:read_file(File),
    Node = binary_to_atom(Name, utf8),
    true = net_kernel:connect_node(Node),
    Server = {server, Node},
    [begin
         Ref = make_ref(),
         Server ! {ask, self(), Ref, lists:duplicate(N rem 7, a_word_of_this_node)},
         receive {answer, Ref, _, _} -> ok end
     end || N <- lists:seq(1, 500)],
    Server ! stop,
    init:stop().
%% Sends the server what another node sends it at the same time, then who it is, which the server answers.
same([File]) ->
    {ok, Name} = file:read_file(File),
    Node = binary_to_atom(Name, utf8),
    true = net_kernel:connect_node(Node),
    [begin
         {server, Node} ! {same, N},
         {server, Node} ! {from, self(), N, N},
         receive answer -> ok after 60000 -> exit(no_answer) end
     end || N <- lists:seq(1, 500)],
    init:stop().
%% Sends to itself by names of its node, before it has one, with it and without it again.
late() ->
    register(itself, self()),
    Ask = fun() -> {itself, node()} ! hello, receive hello -> ok end end,
    Ask(),
    {ok, _} = net_kernel:start(['late@127.0.0.1', longnames]),
    Ask(),
    timer:sleep(300),
    net_kernel:stop(),
    Ask(),
    init:stop().
END
erlc talk.erl
# the name of this machine may have an address of its own, where this epmd does not listen
node() { "$STROBE" record -o "$1.sbt" --trace procs,messages -- erl -noshell -name "$1$$@127.0.0.1" \
    -setcookie "talk$$" -run talk "$2" listens > "$1.log" 2>&1; }
node server serve & server=$!
for _ in $(seq 3000); do [ -s listens ] && break; sleep 0.02; done
node one same & one=$!
node two same & two=$!
wait $one $two
node client ask
wait $server
ask() { "$STROBE" query both.sbp "$1" --format tsv 2>> client.log | tail -n +2; }
"$STROBE" analyze server.sbt client.sbt -o both.sbp > analyze.log 2>&1
of="JOIN process s ON s.id = m.sender JOIN process r ON r.id = m.receiver
    JOIN node sn ON sn.id = s.node JOIN node rn ON rn.id = r.node"
check "every question has both its ends" 501 \
    "$(ask "SELECT count(*) FROM message m $of
        WHERE r.name = 'server' AND sn.name LIKE 'client%' AND m.sent IS NOT NULL AND m.received IS NOT NULL")"
check "every answer too" 500 \
    "$(ask "SELECT count(*) FROM message m $of
        WHERE s.name = 'server' AND rn.name LIKE 'client%' AND m.sent IS NOT NULL AND m.received IS NOT NULL")"
check "none is received before it is sent" 0 "$(ask "SELECT count(*) FROM message WHERE received < sent")"
check "the clocks of one boot are one" "0 0 0 0" \
    "$(echo $(ask "SELECT max(abs(clock_offset_ns)), max(clock_error_ns), min(boot_ns), max(boot_ns) FROM node"))"

"$STROBE" analyze server.sbt one.sbt two.sbt -o both.sbp > analyze.log 2>&1
mine="FROM message f WHERE f.sender = m.sender AND f.receiver = m.receiver AND f.words = 5"
check "equal messages of two nodes are paired between their senders' others, or not at all" 0 \
    "$(ask "SELECT count(*) FROM message m $of WHERE r.name = 'server' AND m.words = 3
        AND m.sent + m.received IS NOT NULL
        AND (m.received > (SELECT f.received $mine AND f.sent > m.sent ORDER BY f.sent LIMIT 1)
            OR m.received < (SELECT f.received $mine AND f.sent < m.sent ORDER BY f.sent DESC LIMIT 1))")"
check "and some are" 1 \
    "$(ask "SELECT count(*) > 0 FROM message m $of WHERE r.name = 'server' AND m.words = 3
        AND m.sent + m.received IS NOT NULL")"

"$STROBE" record -o late.sbt --trace procs,messages -- erl -noshell -run talk late > client.log 2>&1
"$STROBE" analyze late.sbt -o both.sbp > analyze.log 2>&1
check "one that gets its name late has it" late@127.0.0.1 "$(ask "SELECT name FROM node")"
check "and is one node under all its names" 3 \
    "$(ask "SELECT count FROM message_edge JOIN process ON id = receiver WHERE sender = receiver AND name = 'itself'")"
