%% A service that waits for requests: 6 times, 60 clients come at once and ask one server 10 times each, for 40 us of
%% work. fixed: each client does the work itself.
-module(burst).
-export([main/1]).

main(Args) ->
    Prices = spawn_link(fun() -> register(prices, self()), serve() end),
    Ask = case Args of ["fixed"] -> fun work/1; _ -> fun(N) -> call(Prices, N) end end,
    [begin visit(Ask), timer:sleep(400) end || _ <- lists:seq(1, 6)].

visit(Ask) ->
    Refs = [element(2, spawn_monitor(fun() -> [Ask(N) || N <- lists:seq(1, 10)] end)) || _ <- lists:seq(1, 60)],
    [receive {'DOWN', R, _, _, _} -> ok end || R <- Refs].

call(To, N) -> Ref = make_ref(), To ! {self(), Ref, N}, receive {Ref, V} -> V end.
serve() -> receive {From, Ref, N} -> From ! {Ref, work(N)}, serve() end.
work(N) -> lists:foldl(fun(I, A) -> erlang:phash2({I, A, N}) end, 0, lists:seq(1, 300)).
