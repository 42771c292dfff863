%% 6 producers cast to one consumer that does the work. fixed: they do it themselves and send the result.
-module(mailbox_growth).
-export([main/1]).

main(Args) ->
    Fixed = Args =:= ["fixed"],
    Consumer = spawn_link(fun() -> register(consumer, self()), consume(0) end),
    Refs = [element(2, spawn_monitor(fun() -> [Consumer ! item(Fixed, N) || N <- lists:seq(1, 4000)] end))
            || _ <- lists:seq(1, 6)],
    [receive {'DOWN', R, _, _, _} -> ok end || R <- Refs],
    Consumer ! {stop, self()},
    receive stopped -> ok end.

item(true, N) -> {done, work(N)};
item(false, N) -> {item, N}.
consume(S) ->
    receive {item, N} -> consume(S + work(N)); {done, V} -> consume(S + V); {stop, P} -> P ! stopped end.
work(N) -> lists:foldl(fun(I, A) -> erlang:phash2({I, A}) end, N, lists:seq(1, 200)).
