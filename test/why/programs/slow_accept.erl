%% Six clients make eight connections each, and greet 15 ms after they were told that they may. The process that accepts
%% waits for the greeting, and no other connection is told before. fixed: a process for each connection waits.
-module(slow_accept).
-export([main/1]).

main(Args) ->
    {ok, L} = gen_tcp:listen(0, [binary, {packet, line}, {active, false}, {backlog, 64}]),
    {ok, Port} = inet:port(L),
    Starter = self(),
    spawn_link(fun() -> Starter ! ready, accept(L, Args) end),
    receive ready -> ok end,
    Clients = [spawn_monitor(fun() -> [connect(Port) || _ <- lists:seq(1, 8)] end) || _ <- lists:seq(1, 6)],
    [receive {'DOWN', Ref, _, _, normal} -> ok end || {_, Ref} <- Clients].

accept(L, Args) ->
    {ok, Socket} = gen_tcp:accept(L),
    {Greeted, Serve} = case Args of
        ["fixed"] -> {ok, fun() -> greet(Socket), serve(Socket) end};
        _ -> {greet(Socket), fun() -> serve(Socket) end}
    end,
    ok = Greeted,
    Pid = spawn(fun() -> receive go -> Serve() end end),
    ok = gen_tcp:controlling_process(Socket, Pid),
    Pid ! go,
    accept(L, Args).

greet(Socket) ->
    ok = gen_tcp:send(Socket, "READY\n"),
    {ok, <<"HELO\n">>} = gen_tcp:recv(Socket, 0),
    ok.

serve(Socket) ->
    {ok, Line} = gen_tcp:recv(Socket, 0),
    ok = gen_tcp:send(Socket, Line).

connect(Port) ->
    {ok, Socket} = gen_tcp:connect("localhost", Port, [binary, {packet, line}, {active, false}]),
    {ok, <<"READY\n">>} = gen_tcp:recv(Socket, 0),
    timer:sleep(15),
    ok = gen_tcp:send(Socket, "HELO\n"),
    ok = gen_tcp:send(Socket, "PAGE\n"),
    {ok, _} = gen_tcp:recv(Socket, 0),
    gen_tcp:close(Socket).
