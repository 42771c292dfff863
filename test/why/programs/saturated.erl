%% 16 equal CPU-bound processes. fixed: they wait instead.
-module(saturated).
-export([main/1]).

main(Args) ->
    Refs = [element(2, spawn_monitor(fun() -> work(Args, N) end)) || N <- lists:seq(1, 16)],
    [receive {'DOWN', R, _, _, _} -> ok end || R <- Refs].

work(["fixed"], _) -> receive after 200 -> ok end;
work(_, N) -> lists:foldl(fun(I, A) -> erlang:phash2({I, A, N}) end, 0, lists:seq(1, 150000)).
