%% Programs whose scaling is known: workers that share nothing, a serial part before them, and workers that write to one
%% ETS table, which has one lock.
-module(scales).
-export([main/1]).

main([Kind, Work]) -> run(list_to_atom(Kind), list_to_integer(Work)).

run(parallel, N) -> together(8, fun() -> spin(N) end);
run(serial, N) -> spin(8 * N);
run(locked, N) ->
    T = ets:new(t, [public]),
    together(8, fun() -> [ets:insert(T, {I rem 16, I}) || I <- lists:seq(1, N)] end).

together(K, Work) ->
    Refs = [element(2, spawn_monitor(fun() -> worker(Work) end)) || _ <- lists:seq(1, K)],
    [receive {'DOWN', R, _, _, _} -> ok end || R <- Refs].

worker(Work) -> Work(), ok.

spin(0) -> ok;
spin(N) -> spin(N - 1).
