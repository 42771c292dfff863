%% Five clients make eight connections each and begin the handshake of TLS 20 ms after they were told that they may. The
%% process that accepts makes the handshake, and no other connection is told before. fixed: a process for each does.
-module(slow_accept_tls).
-export([main/1]).

main(Args) ->
    {ok, _} = application:ensure_all_started(ssl),
    Key = [{digest, sha256}, {key, {rsa, 2048, 65537}}],
    Chain = #{root => Key, intermediates => [], peer => Key},
    #{server_config := Server} = public_key:pkix_test_data(#{server_chain => Chain, client_chain => Chain}),
    {ok, L} = gen_tcp:listen(0, [{active, false}, binary, {backlog, 64}]),
    {ok, Port} = inet:port(L),
    spawn_link(fun() -> accept(L, Server, Args) end),
    Clients = [spawn_monitor(fun() -> [connect(Port) || _ <- lists:seq(1, 8)] end) || _ <- lists:seq(1, 5)],
    [receive {'DOWN', Ref, _, _, normal} -> ok end || {_, Ref} <- Clients].

accept(L, Server, Args) ->
    {ok, Tcp} = gen_tcp:accept(L),
    Shake = fun() -> ok = gen_tcp:send(Tcp, "READY"), {ok, S} = ssl:handshake(Tcp, Server), S end,
    case Args of
        ["fixed"] -> hand(gen_tcp, Tcp, fun() -> serve(Shake()) end);
        _ -> S = Shake(), hand(ssl, S, fun() -> serve(S) end)
    end,
    accept(L, Server, Args).

hand(Module, Socket, Serve) ->
    Pid = spawn(fun() -> receive go -> Serve() end end),
    ok = Module:controlling_process(Socket, Pid),
    Pid ! go.

serve(S) ->
    {ok, Request} = ssl:recv(S, 4),
    ok = ssl:send(S, Request).

connect(Port) ->
    {ok, Tcp} = gen_tcp:connect("localhost", Port, [binary, {active, false}]),
    {ok, <<"READY">>} = gen_tcp:recv(Tcp, 5),
    timer:sleep(20),
    {ok, S} = ssl:connect(Tcp, [{verify, verify_none}]),
    ok = ssl:send(S, <<"page">>),
    {ok, _} = ssl:recv(S, 4),
    ssl:close(S).
