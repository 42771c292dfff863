%% watch looks for a message all the time beside 3 processes that work. fixed: it waits for one.
-module(busy_wait).
-export([main/1]).

main(Args) ->
    Fixed = Args =:= ["fixed"],
    Watch = spawn_link(fun() -> register(watch, self()), watch(Fixed) end),
    Refs = [element(2, spawn_monitor(fun() -> work(N) end)) || N <- lists:seq(1, 3)],
    [receive {'DOWN', R, _, _, _} -> ok end || R <- Refs],
    Watch ! stop.

watch(true) -> receive stop -> ok end;
watch(false) -> receive stop -> ok after 0 -> erlang:yield(), watch(false) end.
work(N) -> lists:foldl(fun(I, A) -> erlang:phash2({I, A, N}) end, 0, lists:seq(1, 700000)).
