%% 8 processes of which one has two thirds of the work. fixed: equal parts.
-module(imbalance).
-export([main/1]).

main(Args) ->
    Size = fun(1) when Args =/= ["fixed"] -> 2000000; (_) when Args =/= ["fixed"] -> 150000; (_) -> 380000 end,
    Refs = [element(2, spawn_monitor(fun() -> render(Size(N)) end)) || N <- lists:seq(1, 8)],
    [receive {'DOWN', R, _, _, _} -> ok end || R <- Refs].

render(N) -> lists:foldl(fun(I, A) -> erlang:phash2({I, A}) end, 0, lists:seq(1, N)).
