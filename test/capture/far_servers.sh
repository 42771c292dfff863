#!/bin/bash
# Servers of one node that is recorded alone, asked from another one: what is known on their node is as their own stamps
# say, and the rest is unknown. till is a gen_server, with callers that give up or die; later lets others answer;
# raw answers {ask, Pid, Ref, Us}. Casts and work for erpc make no server. With the trace of the callers each server has
# its one row too.
. "$(dirname "$0")/lib/cluster.sh"

cat > shop.erl <<'END_OF_MODULE'
-module(shop).
-behaviour(gen_server).
-export([serve/0, ask/1, init/1, handle_call/3, handle_cast/2]).
serve() ->
    [{ok, _} = gen_server:start({local, Name}, ?MODULE, [], []) || Name <- [till, later, cast]],
    register(raw, spawn(fun() -> raw([]) end)),
    register(main, self()),
    receive stop -> ok end,
    [write(Name, gen_server:call(Name, stamps)) || Name <- [till, later]],
    raw ! {stamps, self()},
    receive {stamps, Stamps} -> write(raw, Stamps) end,
    init:stop().
write(Name, Stamps) -> ok = file:write_file(Name, [[integer_to_list(Ns), $\n] || Ns <- lists:sort(Stamps)]).
now_ns() -> erlang:monotonic_time(nanosecond).
work(From, Us) -> case now_ns() < From + Us * 1000 of true -> work(From, Us); false -> ok end.

init(_)                             -> {ok, []}.
handle_call(stamps, _, S)           -> {reply, S, S};
handle_call({work, Us}, _, S)       -> From = now_ns(), work(From, Us), {reply, ok, [now_ns() - From | S]};
handle_call({sleep, Ms}, _, S)      -> From = now_ns(), receive after Ms -> {reply, ok, [now_ns() - From | S]} end;
handle_call({later, Ms}, Client, S) ->
    From = now_ns(), Me = self(),
    spawn(fun() ->
        receive after Ms -> gen_server:cast(Me, {took, now_ns() - From}) end,
        gen_server:reply(Client, ok)
    end),
    {noreply, S}.
handle_cast({took, Ns}, S)          -> {noreply, [Ns | S]};
handle_cast({work, Us}, S)          -> work(now_ns(), Us), {noreply, S}.
raw(S) ->
    receive
        {ask, Client, Ref, Us} -> From = now_ns(), work(From, Us), Client ! {Ref, ok}, raw([now_ns() - From | S]);
        {stamps, To}           -> To ! {stamps, S}
    end.

ask([Name]) ->
    Node = list_to_atom(Name),
    found(Node, 500),
    Call = fun(Server, Request) -> gen_server:call({Server, Node}, Request) end,
    at_once(4, fun() -> [Call(till, {work, 500 + 20 * N}) || N <- lists:seq(1, 40)] end),
    at_once(1, fun() -> [Call(till, {sleep, 2}) || _ <- lists:seq(1, 30)] end),
    at_once(5, fun() -> catch gen_server:call({till, Node}, {sleep, 20}, 5) end),
    [begin
         Client = spawn(fun() -> Call(till, {sleep, 5}) end),
         timer:sleep(10),
         exit(Client, kill)
     end || _ <- lists:seq(1, 5)],
    at_once(4, fun() -> [Call(later, {later, 3}) || _ <- lists:seq(1, 40)] end),
    at_once(4, fun() ->
        [begin
             Ref = make_ref(),
             {raw, Node} ! {ask, self(), Ref, 500},
             receive {Ref, ok} -> ok end
         end || _ <- lists:seq(1, 40)]
    end),
    [gen_server:cast({cast, Node}, {work, 100}) || _ <- lists:seq(1, 50)],
    [0 = erpc:call(Node, erlang, length, [[]]) || _ <- lists:seq(1, 20)],
    {main, Node} ! stop,
    init:stop().
at_once(N, Do) ->
    All = [spawn_monitor(Do) || _ <- lists:seq(1, N)],
    [receive {'DOWN', Ref, _, _, _} -> ok end || {_, Ref} <- All].
found(Node, N) when N > 0 ->
    case net_kernel:connect_node(Node) andalso erpc:call(Node, erlang, whereis, [main]) of
        Pid when is_pid(Pid) -> ok;
        _                    -> timer:sleep(20), found(Node, N - 1)
    end.
END_OF_MODULE
erlc shop.erl
record_pair shop
"$STROBE" analyze a.sbt -o a.sbp > analyze.log 2>&1
"$STROBE" analyze a.sbt b.sbt -o both.sbp >> analyze.log 2>&1

# The stamps of a server: how many, and whether its times are theirs. Others may take the core between a stamp and the
# event beside it, so a median is that of the middle two fifths, and a 99th percentile between the fifth and the last.
stamps() {
    ask a.sbp "SELECT service_p50_ns, service_p99_ns FROM server WHERE who(process) = '$1'" | cat "$1" - | awk '
        NF == 1 { at[++n] = $1 }
        NF == 2 { low = at[n - 5] * 0.95; p99 = $2
                  print n, ($1 > 0.95 * at[int(n * 0.3)] && $1 < 1.05 * at[int(n * 0.7)]),
                      (p99 > low && p99 < 1.05 * at[n]) }'
}
row() { ask "$1" "SELECT requests, replies, clients FROM server WHERE who(process) = '$2'" | tr '\t' ' '; }
for server in till later raw; do
    n=$(wc -l < $server) clients=4
    [ $server = till ] && clients=15
    check "the times of $server are those of its stamps" "$n 1 1" "$(stamps $server)"
    check "with each of its requests and clients" "$n $n $clients" "$(row a.sbp $server)"
    check "one row of $server with both traces" 1 "$(row both.sbp $server | wc -l)"
done
check "no other process of the program is a server" 3 "$(ask a.sbp "SELECT count(*) FROM server")"
check "what nobody saw is unknown" 0 "$(ask a.sbp "SELECT count(mailbox_p50_ns) + count(mailbox_ns) +
    count(round_trip_p50_ns) + count(round_trip_max_ns) + count(reply_ns) FROM server")"
check "who of another node asks" 15 "$(ask a.sbp "SELECT sum(clients) FROM request
    WHERE who(server) = 'till' AND who(client) LIKE '<%> on shop_b$$@127.0.0.1'")"
check "a process that answers for the server is named" 1 \
    "$(ask a.sbp "SELECT count(*) FROM server WHERE who(process) = 'later' AND who(waits_for) LIKE 'shop:%'")"
