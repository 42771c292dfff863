%% What samples of the CPU tell: 4 processes make the VM work, each kind of work by a function of its own.
%% twin: they do as much without the VM.
-module(sampled).
-export([main/1]).

main([Kind]) ->
    Table = ets:new(shared, [set, public]),
    ets:insert(Table, [{N, lists:seq(1, 200)} || N <- lists:seq(1, 100)]),
    Sink = spawn_link(fun sink/0),
    Do = fun(N) -> do(list_to_atom(Kind), Table, Sink, N) end,
    Work = fun() -> put(data, [{N, N * 7} || N <- lists:seq(1, 4000)]), loop(Do, 1) end,
    Refs = [element(2, spawn_monitor(Work)) || _ <- lists:seq(1, 4)],
    [receive {'DOWN', R, _, _, _} -> ok end || R <- Refs].

loop(Do, N) ->
    [Do(N + I) || I <- lists:seq(1, 200)],
    element(1, statistics(runtime)) < 1000 andalso loop(Do, N + 200).

do(key, T, _, N) -> key(T, N, 20);
do(counter, T, _, _) -> counter(T, 20);
do(lookup, T, _, N) -> lookup(T, N);
do(copy, _, Sink, N) -> copy(Sink, N);
do(external, _, _, N) -> external(N);
do(regex, _, _, N) -> regex(N);
do(find, _, _, N) -> find(N);
do(join, _, _, N) -> join(N);
do(twin, _, _, N) -> twin(N, 0).

key(_, _, 0) -> ok;
key(T, N, I) -> ets:insert(T, {key, N + I}), key(T, N, I - 1).
counter(_, 0) -> ok;
counter(T, I) -> ets:update_counter(T, counter, 1, {counter, 0}), counter(T, I - 1).
lookup(T, N) -> length(ets:lookup(T, 1 + N rem 100)).
copy(Sink, N) -> Sink ! {self(), N, get(data)}, receive Sink -> ok end.
sink() -> receive {From, _, _} -> From ! self(), sink() end.
external(N) -> byte_size(term_to_binary(lists:duplicate(300, {N, <<"text">>}))).
find(N) -> lists:keyfind(N rem 4000 + 1, 1, get(data)).
join(N) -> get(data) ++ [N].
regex(N) -> re:run(integer_to_list(N) ++ "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", "(a|aa)*c").
twin(1000, Sum) -> Sum;
twin(N, Sum) when N > 1000 -> twin(N rem 1000, Sum);
twin(N, Sum) -> twin(N + 1, Sum + N bxor Sum band 255).
