%% Programs that count what they do, in a file that outlives them. chaos:main([Work, End, Trace]) records itself until
%% the file `end' exists, then ends as it is told; something else records it if Trace is "none".
%% Slot 2 * N counts operations begun, 2 * N + 1 those done: N = 0 sends, 1 receives, 2 spawns, 3 calls, 4 opened ports.
-module(chaos).
-export([main/1, hot/1]).

main([Work, End, Trace | Buffer]) ->
    ok = tally:open("tally"),
    Leader = spawn(fun() -> receive after infinity -> ok end end),
    Root = spawn(fun() -> group_leader(Leader, self()), receive go -> work(Work) end end),
    Trace =:= "none" orelse record(Work, Trace, Root, Buffer),
    Root ! go,
    ok = file:write_file("pid.new", os:getpid()),
    ok = file:rename("pid.new", "pid"),
    until_exists("end"),
    End =:= "stop" andalso kill_all(Leader),
    end_by(End).

record(Work, Trace, Root, Buffer) ->
    {ok, _} = strobe:profile(Trace, [{trace, classes(Work)}, {quiet, true} |
                                     [{processes, [Root]} || Work =/= "ports"] ++
                                     [{modules, [?MODULE]} || classes(Work) =:= [calls]] ++
                                     [{buffer, list_to_integer(B)} || B <- Buffer]]).

%% All processes of the program, which its group leader tells from others.
kill_all(Leader) ->
    case [P || P <- processes(), process_info(P, group_leader) =:= {group_leader, Leader}] of
        [] -> ok;
        Ps -> [exit(P, kill) || P <- Ps], kill_all(Leader)
    end.

classes("ring")   -> [messages];
classes("fan_in") -> [messages];
classes("spawn")  -> [procs];
classes("ports")  -> [ports];
classes(_)        -> [calls].

%% The program is at work while the node ends. What it does after the end of a recording is in no trace, so it ends
%% first.
end_by("wait")  -> receive after infinity -> ok end;
end_by("stop")  -> {ok, _} = strobe:stop_profile(), ok = file:write_file("stopped", ""), halt(0);
end_by("halt")  -> halt(0);
end_by("abort") -> halt(abort).

until_exists(File) -> filelib:is_file(File) orelse (timer:sleep(10) =:= ok andalso until_exists(File)).

counted(N, Do) ->
    tally:add(2 * N),
    Result = Do(),
    tally:add(2 * N + 1),
    Result.

send(To) -> counted(0, fun() -> To ! token end).

take() ->
    tally:add(2),
    receive token -> ok end,
    tally:add(3).

work("ring") ->
    First = self(),
    Last = lists:foldl(fun(_, Next) -> spawn_link(fun() -> pass_on(Next) end) end, First, lists:seq(1, 20)),
    [send(Last) || _ <- lists:seq(1, 3)],
    pass_on(Last);
work("fan_in") ->
    Self = self(),
    [spawn_link(fun() -> feed(Self) end) || _ <- lists:seq(1, 8)],
    swallow();
work("spawn") ->
    [counted(2, fun() -> spawn_link(fun multiply/0) end) || _ <- lists:seq(1, 4)],
    receive after infinity -> ok end;
work("calls") ->
    [spawn_link(fun() -> call(0) end) || _ <- lists:seq(1, 2)],
    receive after infinity -> ok end;
work("compile") ->
    [spawn_link(fun() -> compile(0) end) || _ <- lists:seq(1, 2)],
    receive after infinity -> ok end;
work("ports") ->
    process_flag(trap_exit, true),
    ports().

pass_on(Next) -> take(), send(Next), pass_on(Next).

feed(To) ->
    send(To),
    erlang:yield(),
    feed(To).

swallow() -> take(), swallow().

multiply() ->
    {_, Ref} = counted(2, fun() -> spawn_monitor(fun() -> ok end) end),
    receive {'DOWN', Ref, process, _, _} -> multiply() end.

call(N) ->
    tally:add(6),
    M = hot(N),
    tally:add(7),
    call(M).

hot(N) -> N + 1.

%% Much garbage, many messages and code that changes, between two calls.
compile(N) ->
    tally:add(6),
    M = hot(N),
    tally:add(7),
    {ok, Module, Code} = compile:forms([{attribute, 1, module, chaos_made}, {attribute, 1, export, [{f, 0}]},
                                        {function, 1, f, 0, [{clause, 1, [], [], [{integer, 1, N}]}]}]),
    true = is_binary(Code) andalso is_atom(Module),
    compile(M).

ports() ->
    Port = counted(4, fun() -> open_port({spawn_executable, "/bin/true"}, []) end),
    receive {'EXIT', Port, _} -> ports() end.
