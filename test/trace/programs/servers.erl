%% Many ask one, by its name; an event manager; who hibernates; who sleeps with mail.
-module(program_servers).
-export([run/0]).

run() ->
    {ok, Bus} = gen_event:start_link({local, 'my bus'}),
    Server = spawn_link(fun() -> server(0) end),
    register(srv, Server),
    Clients = [spawn_monitor(fun() -> [ask(srv, lists:seq(1, I)) || _ <- lists:seq(1, 20)],
                                 gen_event:notify('my bus', x) end)
               || I <- lists:seq(1, 12)],
    [receive {'DOWN', Ref, _, _, normal} -> ok end || {_, Ref} <- Clients],
    Parent = self(),
    Sleeper = spawn_link(fun() -> timer:sleep(3), receive late -> Parent ! woken end end),
    [begin timer:sleep(1), Sleeper ! early end || _ <- [1, 2]],
    Sleeper ! late,
    receive woken -> ok end,
    Hibernator = spawn_link(fun() -> hibernator(Parent) end),
    [begin Hibernator ! ping, receive pong -> ok end end || _ <- lists:seq(1, 5)],
    gen_event:stop(Bus),
    [begin unlink(P), exit(P, kill) end || P <- [Server, Hibernator]].

server(N) ->
    receive {From, Ref, L} -> From ! {Ref, N}, server(N + length(L)) after 50 -> server(N) end.

ask(Server, What) ->
    Ref = make_ref(),
    Server ! {self(), Ref, What},
    receive {Ref, N} -> N end.

hibernator(Parent) ->
    receive ping -> Parent ! pong end,
    erlang:hibernate(erlang, apply, [fun hibernator/1, [Parent]]).
