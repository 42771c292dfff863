%% Four clients write the length of each request and then the request. fixed: both at once.
-module(delayed_ack).
-export([main/1, listen/0]).

main(Args) ->
    Port = listen(),
    Clients = [spawn_monitor(fun() -> client(Port, Args) end) || _ <- lists:seq(1, 4)],
    [receive {'DOWN', Ref, _, _, normal} -> ok end || {_, Ref} <- Clients].

listen() ->
    {ok, L} = gen_tcp:listen(0, [binary, {packet, 4}, {active, false}, {backlog, 64}]),
    {ok, Port} = inet:port(L),
    spawn_link(fun() -> accept(L) end),
    Port.

accept(L) ->
    {ok, Socket} = gen_tcp:accept(L),
    Pid = spawn(fun() -> receive go -> serve(Socket) end end),
    ok = gen_tcp:controlling_process(Socket, Pid),
    Pid ! go,
    accept(L).

serve(Socket) ->
    case gen_tcp:recv(Socket, 0) of
        {ok, Request} -> ok = gen_tcp:send(Socket, Request), serve(Socket);
        {error, closed} -> ok
    end.

client(Port, Args) ->
    {ok, Socket} = gen_tcp:connect("localhost", Port, [binary, {active, false}]),
    [request(Socket, <<"get ", N:32>>, Args) || N <- lists:seq(1, 25)],
    gen_tcp:close(Socket).

request(Socket, Request, Args) ->
    Length = <<(byte_size(Request)):32>>,
    case Args of
        ["fixed"] -> ok = gen_tcp:send(Socket, [Length, Request]);
        _ -> ok = gen_tcp:send(Socket, Length), ok = gen_tcp:send(Socket, Request)
    end,
    {ok, <<_:32, Request/binary>>} = gen_tcp:recv(Socket, 4 + byte_size(Request)).
