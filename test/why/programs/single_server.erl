%% 16 sessions ask one process that does nearly all the work. fixed: each session does it itself.
-module(single_server).
-export([main/1]).

main(Args) ->
    Rates = spawn_link(fun() -> register(rates, self()), serve() end),
    Work = case Args of ["fixed"] -> fun work/1; _ -> fun(N) -> call(Rates, N) end end,
    Refs = [element(2, spawn_monitor(fun() -> [Work(N) || N <- lists:seq(1, 150)] end)) || _ <- lists:seq(1, 16)],
    [receive {'DOWN', R, _, _, _} -> ok end || R <- Refs].

call(To, N) -> Ref = make_ref(), To ! {self(), Ref, N}, receive {Ref, V} -> V end.
serve() -> receive {From, Ref, N} -> From ! {Ref, work(N)}, serve() end.
work(N) -> lists:foldl(fun(I, A) -> erlang:phash2({I, A, N}) end, 0, lists:seq(1, 3000)).
