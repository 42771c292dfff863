%% Requests by alias: answered, late, to one that is no more, to another process; and one who sends to itself by its
%% own.
-module(program_alias).
-export([run/0]).

run() ->
    Server = spawn_link(fun server/0),
    Clients = [spawn_monitor(fun() -> [ask(Server, I) || I <- lists:seq(1, 12)] end) || _ <- lists:seq(1, 6)],
    [receive {'DOWN', Ref, _, _, normal} -> ok end || {_, Ref} <- Clients],
    Mine = alias(),
    [Mine ! {mine, I} || I <- lists:seq(1, 5)],
    [receive {mine, I} -> ok end || I <- lists:seq(1, 5)],
    true = unalias(Mine),
    Mine ! nobody,
    Both = monitor(process, Server, [{alias, demonitor}]),
    Server ! {Both, 1},
    receive {Both, 1} -> demonitor(Both, [flush]) end,
    Server ! {Both, 2},
    unlink(Server),
    exit(Server, kill).

server() ->
    receive {Alias, I} -> Alias ! {Alias, I}, Alias ! {Alias, once_more}, server() end.

ask(Server, I) ->
    Alias = monitor(process, Server, [{alias, reply_demonitor}]),
    Server ! {Alias, I},
    receive {Alias, I} -> ok after I rem 4 * 10 -> demonitor(Alias, [flush]) end.
