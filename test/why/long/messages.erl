%% Programs that mostly exchange messages: messages:main(Program). Prints how long it took, in ns.
-module(messages).
-export([main/1, record/2]).

main(Program) ->
    Before = erlang:monotonic_time(nanosecond),
    run(Program),
    io:format("~p~n", [erlang:monotonic_time(nanosecond) - Before]),
    halt().

%% Writes a trace of the same.
record(Program, Trace) ->
    ok = code:ensure_modules_loaded([strobe, lists, ets]),
    {ok, _} = strobe:profile(Trace, #{quiet => true, buffer => 256 bsl 20}),
    run(Program),
    {ok, _} = strobe:stop_profile(),
    halt().

%% five stages with at most a hundred messages between them
run(pipeline) ->
    First = lists:foldl(fun(_, To) -> spawn(fun() -> forward(To) end) end, self(), lists:seq(1, 5)),
    [First ! N || N <- lists:seq(1, 100)],
    [receive _ -> First ! N end || N <- lists:seq(1, 39900)],
    take(100);
%% sixteen senders, one receiver that computes a little
run(fan_in) ->
    Self = self(),
    [spawn(fun() -> [begin burn(100), Self ! N end || N <- lists:seq(1, 8000)] end) || _ <- lists:seq(1, 16)],
    take_each(16 * 8000, 30);
%% one sender, sixteen receivers that compute more than it does
run(fan_out) ->
    Workers = list_to_tuple([worker(8000, 200) || _ <- lists:seq(1, 16)]),
    [element(1 + N rem 16, Workers) ! N || N <- lists:seq(1, 16 * 8000)],
    take(16);
%% a token on each of four rings
run(rings) ->
    Self = self(),
    [spawn(fun() -> ring(20, 60000), Self ! done end) || _ <- lists:seq(1, 4)],
    take(4);
%% twelve callers of one gen_server in all but name
run(server) ->
    Server = spawn(fun() -> serve(0) end),
    callers(12, fun() -> [begin call(Server, 50), burn(50) end || _ <- lists:seq(1, 8000)] end);
%% publishers and subscribers of four topics
run(pub_sub) ->
    Topics = [[worker(4000, 20) || _ <- lists:seq(1, 8)] || _ <- lists:seq(1, 4)],
    [spawn(fun() -> [[S ! N || S <- Topic] || N <- lists:seq(1, 4000)] end) || Topic <- Topics],
    take(32);
%% a pool that hands each worker its next job when it asks
run(pool) ->
    Self = self(),
    [spawn(fun() -> work_for(Self) end) || _ <- lists:seq(1, 8)],
    hand_out(60000, 8);
%% requests to a server that reads a table before it answers
run(table) ->
    T = ets:new(t, [public]),
    ets:insert(T, [{N, N} || N <- lists:seq(0, 999)]),
    Servers = list_to_tuple([spawn(fun() -> look_up(T) end) || _ <- lists:seq(1, 4)]),
    callers(8, fun() -> [call(element(1 + N rem 4, Servers), N rem 1000) || N <- lists:seq(1, 15000)] end);
%% rounds of sixteen workers that all wait for each other
run(barrier) ->
    Workers = [spawn(fun() -> round() end) || _ <- lists:seq(1, 16)],
    [begin [W ! {self(), 300} || W <- Workers], take(16) end || _ <- lists:seq(1, 5000)];
%% trees of processes that add up
run(tree) ->
    [tree(self(), 10) || _ <- lists:seq(1, 40)],
    take(40).

forward(To) -> receive N -> burn(20), To ! N, forward(To) end.

take(0) -> ok;
take(N) -> receive _ -> take(N - 1) end.

take_each(0, _) -> ok;
take_each(N, Work) -> receive _ -> burn(Work), take_each(N - 1, Work) end.

worker(Messages, Work) ->
    Self = self(),
    spawn(fun() -> take_each(Messages, Work), Self ! done end).

ring(Size, Hops) ->
    Next = lists:foldl(fun(_, To) -> spawn(fun() -> hop(To) end) end, self(), lists:seq(2, Size)),
    turn(Next, Hops div Size).

turn(_, 0) -> ok;
turn(Next, N) -> Next ! token, receive token -> burn(30), turn(Next, N - 1) end.

hop(To) -> receive token -> burn(30), To ! token, hop(To) end.

serve(N) -> receive {From, Ref, Work} -> burn(Work), From ! {Ref, N}, serve(N + 1) end.

look_up(T) -> receive {From, Ref, Key} -> From ! {Ref, ets:lookup(T, Key)}, look_up(T) end.

call(Server, What) ->
    Ref = monitor(process, Server),
    Server ! {self(), Ref, What},
    receive {Ref, Reply} -> demonitor(Ref, [flush]), Reply end.

callers(N, Do) ->
    Refs = [element(2, spawn_monitor(Do)) || _ <- lists:seq(1, N)],
    [receive {'DOWN', Ref, _, _, _} -> ok end || Ref <- Refs].

work_for(Pool) -> Pool ! {ready, self()}, receive stop -> ok; Job -> burn(Job), work_for(Pool) end.

hand_out(0, 0) -> ok;
hand_out(0, Left) -> receive {ready, Worker} -> Worker ! stop, hand_out(0, Left - 1) end;
hand_out(Jobs, Left) -> receive {ready, Worker} -> Worker ! 200, hand_out(Jobs - 1, Left) end.

round() -> receive {From, Work} -> burn(Work), From ! done, round() end.

tree(Parent, 0) -> burn(200), Parent ! 1;
tree(Parent, Depth) ->
    spawn(fun() -> [tree(self(), Depth - 1) || _ <- [left, right]], take(2), Parent ! 2 end).

burn(0) -> ok;
burn(N) -> burn(N - 1).
