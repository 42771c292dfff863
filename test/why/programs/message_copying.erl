%% planner sends the whole table to each of 8 workers for each of 100 jobs. fixed: the table is a persistent term.
-module(message_copying).
-export([main/1]).

main(Args) ->
    Fixed = Args =:= ["fixed"],
    Table = [{I, I * 7, "some text"} || I <- lists:seq(1, 3000)],
    persistent_term:put(table, Table),
    Workers = [spawn_link(fun worker/0) || _ <- lists:seq(1, 8)],
    {Planner, Ref} = spawn_monitor(fun() -> register(planner, self()), plan(100, Workers, Fixed, Table) end),
    receive {'DOWN', Ref, _, Planner, _} -> ok end.

plan(0, _, _, _) -> ok;
plan(N, Ws, Fixed, Table) ->
    [W ! {job, self(), N, case Fixed of true -> table; false -> Table end} || W <- Ws],
    [receive {W, _} -> ok end || W <- Ws],
    plan(N - 1, Ws, Fixed, Table).
worker() -> receive {job, From, N, T} -> From ! {self(), look(N, T)}, worker() end.
look(N, table) -> look(N, persistent_term:get(table));
look(N, T) -> lists:keyfind(N, 1, T).
