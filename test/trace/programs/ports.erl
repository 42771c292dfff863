%% Programs outside, and TCP.
-module(program_ports).
-export([run/0]).

run() ->
    Cat = open_port({spawn, "cat"}, [binary]),
    [begin Cat ! {self(), {command, <<"hello\n">>}}, receive {Cat, {data, _}} -> ok end end || _ <- lists:seq(1, 10)],
    port_close(Cat),
    "hello\n" = os:cmd("echo hello"),
    {ok, L} = gen_tcp:listen(0, [binary, {active, true}]),
    {ok, Number} = inet:port(L),
    {_, Server} = spawn_monitor(fun() -> {ok, S} = gen_tcp:accept(L), echo(S) end),
    {ok, C} = gen_tcp:connect("localhost", Number, [binary, {active, false}]),
    [begin ok = gen_tcp:send(C, <<"x">>), {ok, _} = gen_tcp:recv(C, 1) end || _ <- lists:seq(1, 15)],
    gen_tcp:close(C),
    receive {'DOWN', Server, _, _, normal} -> ok end.

echo(S) ->
    receive {tcp, S, D} -> gen_tcp:send(S, D), echo(S); {tcp_closed, S} -> ok end.
