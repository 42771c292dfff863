%% 5 importers lock one id for each of 6 items. fixed: an id each.
-module(global_lock).
-export([main/1]).

main(Args) ->
    Refs = [element(2, spawn_monitor(fun() -> [item(Args, W, N) || N <- lists:seq(1, 6)] end)) || W <- lists:seq(1, 5)],
    [receive {'DOWN', R, _, _, _} -> ok end || R <- Refs].

item(Args, W, N) ->
    Id = case Args of ["fixed"] -> {import, W}; _ -> import end,
    global:trans({Id, self()}, fun() -> receive after 5 -> erlang:phash2(N) end end).
