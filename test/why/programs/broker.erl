%% All messages of 8 publishers go through one process to 6 subscribers. fixed: publishers send to the subscribers.
-module(broker).
-export([main/1]).

main(Args) ->
    Subs = list_to_tuple([spawn_link(fun() -> subscriber(0) end) || _ <- lists:seq(1, 6)]),
    Broker = spawn_link(fun() -> register(broker, self()), broker(Subs) end),
    Send = case Args of
               ["fixed"] -> fun(N) -> element(1 + route(N), Subs) ! {event, N} end;
               _ -> fun(N) -> Broker ! {event, N} end
           end,
    Refs = [element(2, spawn_monitor(fun() -> [Send(N) || N <- lists:seq(1, 8000)] end)) || _ <- lists:seq(1, 8)],
    [receive {'DOWN', R, _, _, _} -> ok end || R <- Refs],
    Broker ! {stop, self()},
    receive stopped -> ok end.

broker(Subs) ->
    receive
        {event, N} -> element(1 + route(N), Subs) ! {event, N}, broker(Subs);
        {stop, P} -> P ! stopped
    end.
subscriber(S) -> receive {event, N} -> subscriber(S + N) end.
route(N) -> lists:foldl(fun(I, A) -> erlang:phash2({I, A}) end, N, lists:seq(1, 150)) rem 6.
