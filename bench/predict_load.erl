%% Calls of 16 clients to 4 servers, with little work between.
-module(predict_load).
-export([main/1]).

main(Calls) ->
    Servers = list_to_tuple([spawn(fun serve/0) || _ <- lists:seq(1, 4)]),
    Clients = [spawn_monitor(fun() -> ask(element(1 + N rem 4, Servers), Calls) end) || N <- lists:seq(1, 16)],
    [receive {'DOWN', Ref, _, _, _} -> ok end || {_, Ref} <- Clients],
    ok.

serve() -> receive {From, Ref} -> burn(300), From ! Ref, serve() end.

ask(_, 0) -> ok;
ask(Server, N) ->
    Ref = make_ref(),
    Server ! {self(), Ref},
    receive Ref -> burn(300) end,
    ask(Server, N - 1).

burn(0) -> ok;
burn(N) -> burn(N - 1).
