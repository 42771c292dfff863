%% Healthy: 16 servers share the load of 16 clients.
-module(healthy_servers).
-export([main/1]).

main(_) ->
    Servers = list_to_tuple([spawn_link(fun serve/0) || _ <- lists:seq(1, 16)]),
    Refs = [element(2, spawn_monitor(fun() ->
                                         [call(element(1 + (C * 7 + N * 5) rem 16, Servers), N)
                                          || N <- lists:seq(1, 200)] end)) || C <- lists:seq(1, 16)],
    [receive {'DOWN', R, _, _, _} -> ok end || R <- Refs].

call(To, N) -> Ref = make_ref(), To ! {self(), Ref, N}, receive {Ref, V} -> V end.
serve() -> receive {From, Ref, N} ->
               From ! {Ref, lists:foldl(fun(I, A) -> erlang:phash2({I, A}) end, N, lists:seq(1, 2000))}, serve() end.
