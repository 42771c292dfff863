%% Two nodes: messages by pid, by name and by alias, processes started there, links, monitors, calls, large messages.
-module(program_nodes).
-export([prepare/0, run/0]).

%% The other node, whose work is traced, too. Wants -start_epmd false -erl_epmd_port N, where it listens.
prepare() ->
    {ok, _} = net_kernel:start('a@127.0.0.1', #{name_domain => longnames, dist_listen => false}),
    Cookie = atom_to_list(erlang:get_cookie()),
    {ok, Peer, 'b@127.0.0.1'} = peer:start(#{name => b, host => "127.0.0.1", longnames => true,
                                             connection => standard_io,
                                             args => ["-setcookie", Cookie]}),
    {peers, [Peer], fun() -> peer:stop(Peer), net_kernel:stop() end}.

run() ->
    There = 'b@127.0.0.1',
    pong = net_adm:ping(There),
    Echo = spawn_link(There, fun() -> register(echo, self()), echo() end),
    [begin Echo ! {self(), I}, receive {Echo, I} -> ok end end || I <- lists:seq(1, 30)],
    [begin {echo, There} ! {self(), I}, receive {Echo, I} -> ok end end || I <- lists:seq(1, 10)],
    Big = lists:seq(1, 50000),
    Echo ! {self(), Big},
    receive {Echo, Big} -> ok end,
    Alias = alias(),
    Echo ! {Alias, by_alias},
    receive {Echo, by_alias} -> unalias(Alias) end,
    Clients = [spawn_monitor(fun() ->
                                 [begin Echo ! {self(), {C, I}}, receive {Echo, {C, I}} -> ok end end
                                  || I <- lists:seq(1, 10)] end)
               || C <- lists:seq(1, 5)],
    [receive {'DOWN', Ref, _, _, normal} -> ok end || {_, Ref} <- Clients],
    [1, 2, 3] = erpc:call(There, lists, seq, [1, 3]),
    [1, 2, 3] = rpc:call(There, lists, seq, [1, 3]),
    {Short, Gone} = spawn_monitor(There, fun() -> receive stop -> exit(stopped) end end),
    Short ! stop,
    receive {'DOWN', Gone, _, Short, stopped} -> ok end,
    Self = self(),
    Back = spawn(There, fun() ->
                            spawn_link(node(Self), fun() -> Self ! {from_home, self()}, receive after 1 -> ok end end),
                            timer:sleep(20) end),
    receive {from_home, Home} when node(Home) =:= node() -> ok end,
    Watch = monitor(process, Back),
    receive {'DOWN', Watch, _, _, _} -> ok end,
    unlink(Echo),
    exit(Echo, kill).

echo() ->
    receive {From, What} -> From ! {self(), What}, echo() end.
