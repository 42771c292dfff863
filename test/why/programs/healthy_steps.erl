%% Two simulations that make a step every 20 ms, each of another length.
-module(healthy_steps).
-export([main/1]).

main(_) ->
    Refs = [element(2, spawn_monitor(fun() -> rand:seed(exsss, {Seed, 2, 3}), step(60, 0) end)) || Seed <- [1, 2]],
    [receive {'DOWN', R, _, _, _} -> ok end || R <- Refs].

step(0, _) -> ok;
step(N, Sum) ->
    timer:sleep(20),
    Length = 200 + rand:uniform(2500),
    step(N - 1, lists:foldl(fun(I, A) -> erlang:phash2({I, A}) end, Sum, lists:seq(1, Length))).
