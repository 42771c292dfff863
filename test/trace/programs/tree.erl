%% Supervisors that restart, links, monitors, kills, an alias, the dead.
-module(program_tree).
-export([run/0, init/1, start_child/1]).

run() ->
    process_flag(trap_exit, true),
    {ok, Sup} = supervisor:start_link({local, my_sup}, ?MODULE, []),
    [crash(I) || I <- lists:seq(1, 9)],
    unlink(Sup),
    exit(Sup, shutdown),
    chain(30),
    receive {'EXIT', _, end_of_chain} -> ok end,
    Many = [spawn_link(fun() -> receive stop -> ok after 5 -> exit(late) end end) || _ <- lists:seq(1, 20)],
    [P ! stop || P <- Many, erlang:phash2(P, 2) =:= 0],
    [receive {'EXIT', P, _} -> ok end || P <- Many],
    {Killed, Ref} = spawn_monitor(fun() -> receive after infinity -> ok end end),
    exit(Killed, kill),
    receive {'DOWN', Ref, _, _, killed} -> ok end,
    Killed ! to_the_dead,
    Request = spawn_request(fun() -> ok end, [monitor]),
    receive {spawn_reply, Request, ok, _} -> receive {'DOWN', Request, _, _, _} -> ok end end,
    Alias = alias([reply]),
    spawn(fun() -> Alias ! {Alias, hi}, Alias ! {Alias, again} end),
    receive {Alias, hi} -> ok end.

init([]) ->
    Child = fun(I) -> {I, {?MODULE, start_child, [I]}, permanent, 10, worker, []} end,
    {ok, {{one_for_all, 100, 1}, [Child(I) || I <- lists:seq(1, 4)]}}.

start_child(I) ->
    {ok, spawn_link(fun() -> process_flag(trap_exit, I =:= 2), child() end)}.

child() ->
    receive crash -> exit(crashed); {'EXIT', _, Why} -> exit(Why); _ -> child() end.

crash(I) ->
    Kids = [P || {_, P, _, _} <- supervisor:which_children(my_sup), is_pid(P)],
    Kid = lists:nth(I rem length(Kids) + 1, Kids),
    Ref = monitor(process, Kid),
    case I rem 3 of 0 -> exit(Kid, kill); 1 -> Kid ! crash; 2 -> exit(Kid, bad) end,
    receive {'DOWN', Ref, _, _, _} -> ok end,
    timer:sleep(1).

chain(0) -> timer:sleep(1), exit(end_of_chain);
chain(N) ->
    spawn_link(fun() ->
        process_flag(trap_exit, N rem 2 =:= 0),
        chain(N - 1),
        receive {'EXIT', _, Why} -> exit(Why) after 1000 -> ok end
    end).
