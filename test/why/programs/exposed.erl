%% Eight processes that count into one ETS table with every round, that count for themselves and write once, or that
%% only compute: exposed:main(shared | loop | counted | compute), or several times over.
-module(exposed).
-export([main/1, main/2]).

main(What) -> main(What, 1).

main(What, Times) ->
    T = ets:new(stats, [ordered_set, public]),
    ets:insert(T, [{K, 0, none} || K <- lists:seq(0, 63)]),
    Work = fun(W) -> [work(What, T, W, 100000) || _ <- lists:seq(1, Times)] end,
    Refs = [element(2, spawn_monitor(fun() -> Work(W) end)) || W <- lists:seq(1, 8)],
    [receive {'DOWN', R, _, _, normal} -> ok end || R <- Refs],
    halt().

work(shared, T, W, N) -> shared(T, W, N);
work(loop, T, _, N) -> loop(T, N div 20);
work(counted, T, W, N) -> [ets:update_counter(T, K, V) || {K, V} <- maps:to_list(counted(W, N, #{}))];
work(compute, _, _, N) -> compute(N * 10).

%% A process is seen where its reductions are used up. Rounds of unequal length let that be any of the calls.
shared(_, _, 0) -> ok;
shared(T, W, N) ->
    K = N * W rem 64,
    ets:update_counter(T, K, 1),
    ets:update_element(T, K, {3, {W, N}}),
    compute(N rem 5),
    shared(T, W, N - 1).

%% A process is always seen in the same call of such a loop, which is not the write.
loop(_, 0) -> ok;
loop(T, N) -> ets:update_counter(T, N rem 64, 1), loop(T, N - 1).

counted(_, 0, M) -> M;
counted(W, N, M) -> K = N * W rem 64, counted(W, N - 1, M#{K => 1 + maps:get(K, M, 0)}).
compute(0) -> ok;
compute(N) -> compute(N - 1).
