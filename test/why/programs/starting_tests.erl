%% Each of eight tests of EUnit starts a server, which waits for another program before it is ready. fixed: one for all.
-module(starting_tests).
-export([main/1, init/1]).

main(["fixed"]) ->
    Server = start(),
    eunit:test([fun() -> {ok, _} = ask(Server) end || _ <- lists:seq(1, 8)]);
main(_) ->
    eunit:test([fun() -> {ok, _} = ask(start()) end || _ <- lists:seq(1, 8)]).

start() ->
    {ok, Server} = proc_lib:start(?MODULE, init, [self()]),
    Server.

init(Parent) ->
    Port = open_port({spawn, "sleep 0.15"}, [exit_status]),
    receive {Port, {exit_status, 0}} -> proc_lib:init_ack(Parent, {ok, self()}) end,
    loop().

loop() -> receive {ask, From, Ref} -> From ! {Ref, {ok, done}}, loop() end.

ask(Server) ->
    Ref = make_ref(),
    Server ! {ask, self(), Ref},
    receive {Ref, Reply} -> Reply end.
