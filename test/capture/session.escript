#!/usr/bin/env escript
%%! +S 2
%% Captures from inside a node: nothing lost uncounted, nothing left behind, whoever is killed.
-mode(compile).

main(_) ->
    Root = filename:dirname(filename:dirname(filename:dirname(filename:absname(escript:script_name())))),
    put(strobe, os:getenv("STROBE", filename:join(Root, "build/strobe"))),
    code:add_patha(filename:join(filename:dirname(get(strobe)), "erlang/strobe/ebin")),
    Dir = string:trim(os:cmd("mktemp -d")),
    ok = file:set_cwd(Dir),
    make(work),
    [run(Name, Test) || {Name, Test} <- tests()],
    file:set_cwd("/"),
    os:cmd("rm -rf " ++ Dir),
    halt().

run(Name, Test) ->
    try Test() of
        ok -> io:format("ok capture: ~s~n", [Name])
    catch _:Reason:Stack -> io:format("not ok capture: ~s: ~0P ~0P~n", [Name, Reason, 30, hd(Stack), 12])
    after
        catch strobe:stop_profile()
    end.

tests() ->
    [{"calls kept and dropped are calls made", fun drops_calls/0},
     {"messages kept and dropped are messages sent", fun drops_messages/0},
     {"the events are those that OTP's file port writes", fun like_file_port/0},
     {"sizes of messages are flat sizes", fun sizes/0},
     {"a reply to an alias names the process, DOWN and EXIT name theirs", fun peers/0},
     {"processes have the names a person knows", fun names/0},
     {"the owner is killed: nothing is traced, the file is whole", fun owner_killed/0},
     {"the caller is killed: the capture ends", fun caller_killed/0},
     {"the drain is killed: the next goes on", fun drain_killed/0},
     {"fifty captures one after another leave nothing", fun many/0},
     {"what the function raises is raised, and the file is whole", fun raises/0},
     {"a limit of events ends the capture", fun limit/0},
     {"a function that has had its budget is counted", fun budget/0},
     {"a full ring makes counters of the hottest", fun full_ring/0},
     {"somebody else's tracing is left alone", fun others/0},
     {"the tracer is reloaded and purged under load", fun reload/0},
     {"stopping ends the tracing at once, whatever is queued", fun stops_at_once/0}].

%% ---- programs to record

make(Module) ->
    Source = "-module(work). -export([calls/1, echo/1, fib/1]).\n"
             "calls(0) -> ok; calls(N) -> one(N), calls(N - 1).\n"
             "one(N) -> N + 1.\n"
             "fib(N) when N < 2 -> N; fib(N) -> fib(N - 1) + fib(N - 2).\n"
             "echo(0) -> ok; echo(N) -> receive {From, _} -> From ! {self(), N}, echo(N - 1) end.\n",
    ok = file:write_file("work.erl", Source),
    {ok, Module} = compile:file("work"),
    code:add_patha("."),
    {module, Module} = code:load_file(Module).

flood(F) ->
    {Pid, Ref} = spawn_monitor(fun() -> receive go -> F() end end),
    {Pid, fun() -> Pid ! go, receive {'DOWN', Ref, process, Pid, _} -> ok end end}.

%% The drain of the capture that runs, as the system numbers it.
drain() ->
    [Drain] = [element(2, erlang:port_info(P, os_pid)) || P <- erlang:ports(),
               {name, Name} <- [erlang:port_info(P, name)], string:find(Name, "strobe-drain") =/= nomatch],
    integer_to_list(Drain).

%% Nobody empties the rings meanwhile: however slow or fast this machine is, they fill.
undrained(F) ->
    Drain = drain(),
    "" = os:cmd("kill -STOP " ++ Drain),
    try F() after "" = os:cmd("kill -CONT " ++ Drain) end.

info(File) ->
    Json = os:cmd(get(strobe) ++ " info --format json " ++ File),
    Kinds = section(Json, "by_kind"),
    {fun(Kind) -> proplists:get_value(Kind, Kinds, 0) end, section(Json, "loss")}.

section(Json, Name) ->
    {match, [Body]} = re:run(Json, "\"" ++ Name ++ "\": *{([^}]*)}", [{capture, all_but_first, list}]),
    case re:run(Body, "\"([^\"]+)\": *(\\d+)", [global, {capture, all_but_first, list}]) of
        {match, Pairs} -> [{K, list_to_integer(V)} || [K, V] <- Pairs];
        nomatch -> []
    end.

dump(File) -> string:lexemes(os:cmd(get(strobe) ++ " dump " ++ File), "\n").
lines(File, Pattern) -> [L || L <- dump(File), re:run(L, Pattern) =/= nomatch].
is(X, X) -> ok;
is(Got, Wanted) -> error({got, Got, wanted, Wanted}).
true(true, _) -> ok;
true(false, What) -> error(What).

%% ---- nothing lost uncounted

drops_calls() ->
    {Pid, Go} = flood(fun() -> work:calls(300000) end),
    {ok, _, Summary} = strobe:profile("d.sbt", fun() -> undrained(Go) end, [{trace, [calls]}, {modules, [work]}, {processes, [Pid]}, {buffer, 65536},
                                                 {governor, false}]),
    {Kind, Loss} = info("d.sbt"),
    Lost = proplists:get_value("calls", Loss, 0),
    true(Lost > 0, no_flood),
    is(Kind("call") + Kind("return_to") + Lost, 300001 + 2 * 300000 + 1),
    is(maps:get(lost, Summary), Lost),
    %% every gap is told where it was, and the gaps add up to the loss
    Gaps = [list_to_integer(N) || L <- lines("d.sbt", " drop "),
                                  {match, [N]} <- [re:run(L, "events=(\\d+)", [{capture, all_but_first, list}])]],
    is(lists:sum(Gaps), Lost).

drops_messages() ->
    {Pid, Go} = flood(fun() -> [self() ! N || N <- lists:seq(1, 200000)] end),
    {ok, _, _} = strobe:profile("d.sbt", fun() -> undrained(Go) end, [{trace, [messages]}, {processes, [Pid]}, {buffer, 65536}]),
    {Kind, Loss} = info("d.sbt"),
    true(Loss =/= [], no_flood),
    %% it takes `go`, and never looks at what it sends to itself
    is(Kind("send") + Kind("receive") + proplists:get_value("messages", Loss, 0), 200000 + 1).

like_file_port() ->
    Program = fun() ->
        Parent = self(),
        Pids = [spawn_link(fun() -> work:echo(20), Parent ! done end) || _ <- lists:seq(1, 50)],
        [[begin P ! {self(), lists:seq(1, K)}, receive {P, _} -> ok end end || K <- lists:seq(1, 20)] || P <- Pids],
        [receive done -> ok end || _ <- Pids],
        work:fib(15)
    end,
    {Pid1, Go1} = flood(Program),
    {ok, _, _} = strobe:profile("n.sbt", Go1, [{trace, [procs, messages, calls]}, {modules, [work]}, {processes, [Pid1]}]),
    {Pid2, Go2} = flood(Program),
    {ok, _} = dbg:tracer(port, dbg:trace_port(file, "o.trace")),
    erlang:trace_pattern({work, '_', '_'}, true, [local]),
    {ok, Tracer} = dbg:get_tracer(),
    erlang:trace(Pid2, true, [procs, send, 'receive', call, return_to, arity, set_on_spawn, {tracer, Tracer}]),
    Go2(),
    dbg:stop_clear(),
    {Ours, []} = info("n.sbt"),
    {Theirs, []} = info("o.trace"),
    [is({K, Ours(K)}, {K, Theirs(K)})
     || K <- ["spawn", "spawned", "exit", "link", "getting_linked", "getting_unlinked", "send", "receive", "call", "return_to"]],
    true(Ours("send") > 2000, too_little),
    ok.

%% ---- what is said of messages

sizes() ->
    Terms = [{}, {a}, {1, 2, 3}, [], [a], lists:seq(1, 20), "text", [[1], [2, [3]]], 1.5, {1.5, [2.5]}, #{}, #{a => 1},
             #{a => 1, b => {2}, c => [3]}, make_ref(), {make_ref(), self()}, 1 bsl 62, -(1 bsl 62), 1 bsl 59, {alias()},
             binary:copy(<<1>>, 10), binary:copy(<<1>>, 64), binary:copy(<<1>>, 65), {binary:copy(<<1>>, 300)}, [a | b],
             list_to_tuple(lists:seq(1, 50)), {ok, [{K, K} || K <- lists:seq(1, 10)]}],
    Self = self(),
    {Pid, Go} = flood(fun() -> [Self ! T || T <- Terms] end),
    {ok, _, _} = strobe:profile("s.sbt", Go, [{trace, [messages]}, {processes, [Pid]}]),
    Sent = [list_to_integer(N) || L <- lines("s.sbt", " send "),
                                  {match, [N]} <- [re:run(L, "words=(\\d+)", [{capture, all_but_first, list}])]],
    [receive T -> ok end || T <- Terms],
    %% the last message is the DOWN of the flood, which the VM sends
    is(lists:sublist(Sent, length(Terms)), [erts_debug:flat_size(T) || T <- Terms]).

peers() ->
    Self = self(),
    Server = spawn(fun() -> receive {call, Alias} -> Alias ! {[alias | Alias], reply}, receive stop -> ok end end end),
    {Pid, Go} = flood(fun() ->
        process_flag(trap_exit, true),
        A = alias(),
        Server ! {call, A},
        receive {_, reply} -> ok end,
        {P, R} = spawn_monitor(fun() -> ok end),
        receive {'DOWN', R, process, P, _} -> ok end,
        Q = spawn_link(fun() -> exit(normal) end),
        receive {'EXIT', Q, _} -> Self ! {self(), P, Q} end
    end),
    {ok, _, _} = strobe:profile("a.sbt", Go, [{trace, [messages]}, {processes, [Pid, Server]}]),
    {P, Q} = receive {Pid, P0, Q0} -> {P0, Q0} end,
    [Reply] = lines("a.sbt", pid_to_list(Server) ++ " .* send .* alias"),
    {match, _} = re:run(Reply, "to=" ++ pid_to_list(Pid)),
    [_] = lines("a.sbt", pid_to_list(Pid) ++ " .* receive .*down=" ++ pid_to_list(P)),
    [_] = lines("a.sbt", pid_to_list(Pid) ++ " .* receive .*down=" ++ pid_to_list(Q)),
    [Print] = [H || {match, [H]} <- [re:run(Reply, "hash=(\\w+)", [{capture, all_but_first, list}])]],
    true(lines("a.sbt", pid_to_list(Pid) ++ " .* receive .*hash=" ++ Print) =/= [], fingerprints_differ).

names() ->
    {Pid, Go} = flood(fun() ->
        register(famous, self()),
        {ok, E} = gen_event:start(),
        gen_event:stop(E),
        proc_lib:spawn(work, fib, [2]),
        [spawn(fun() -> N end) || N <- [1, 2]]
    end),
    {ok, _, _} = strobe:profile("p.sbt", Go, [{trace, [procs]}, {processes, [Pid]}]),
    [_] = lines("p.sbt", pid_to_list(Pid) ++ " .* register name=famous"),
    true(lines("p.sbt", " spawn .*entry=work:fib/1") =/= [], no_entry),
    true(lines("p.sbt", " spawn .*entry=gen_event:init_it/6") =/= [], no_entry_of_gen_event),
    2 = length(lines("p.sbt", " spawn .*mfa=erlang:apply/2 entry=.*(-names/0-fun-|fun)")),
    true(lines("p.sbt", "exists .*name=kernel_sup") =/= [], no_snapshot).

%% ---- nothing left behind

untraced(Pid) ->
    {flags, []} = erlang:trace_info(Pid, flags),
    {flags, []} = erlang:trace_info(new_processes, flags),
    {traced, false} = erlang:trace_info({work, fib, 1}, traced),
    true(filelib:wildcard("/dev/shm/strobe-" ++ os:getpid() ++ "-*") =:= [], rings_left).

wait_until(F) -> wait_until(F, 3000).
wait_until(_, 0) -> error(never_happened);
wait_until(F, N) ->
    case catch F() of
        ok -> ok;
        _ -> timer:sleep(10), wait_until(F, N - 1)
    end.

everything() -> [{trace, [all]}, {modules, [work]}].

owner_killed() ->
    {ok, Owner} = strobe:profile("k.sbt", everything()),
    work:fib(15),
    exit(Owner, kill),
    wait_until(fun() -> untraced(self()) end),
    wait_until(fun() -> {Kind, []} = info("k.sbt"), true(Kind("call") >= 1973, too_few) end),
    {error, not_running} = strobe:stop_profile(),
    ok.

caller_killed() ->
    Caller = spawn(fun() -> {ok, _} = strobe:profile("c.sbt", everything()), receive never -> ok end end),
    wait_until(fun() -> true(is_pid(whereis(strobe_session)), not_yet) end),
    timer:sleep(50),
    exit(Caller, kill),
    wait_until(fun() -> untraced(self()) end),
    wait_until(fun() -> true(whereis(strobe_session) =:= undefined, still_there) end),
    {_, _} = info("c.sbt"),
    ok.

drain_killed() ->
    {ok, _} = strobe:profile("x.sbt", everything()),
    work:fib(20),
    timer:sleep(50),
    os:cmd("kill -9 " ++ drain()),
    work:fib(20),
    {ok, #{lost := 0}} = strobe:stop_profile(),
    {Kind, []} = info("x.sbt"),
    is(Kind("call"), 2 * 21891).

many() ->
    Before = {length(processes()), length(erlang:ports()), length(filelib:wildcard("/proc/self/map_files/*"))},
    [begin
         {ok, 610, #{lost := 0}} = strobe:profile("m.sbt", fun() -> work:fib(15) end, everything()),
         {Kind, []} = info("m.sbt"),
         is(Kind("call"), 1973)
     end || _ <- lists:seq(1, 50)],
    wait_until(fun() -> untraced(self()) end),
    is({length(processes()), length(erlang:ports()), length(filelib:wildcard("/proc/self/map_files/*"))}, Before).

raises() ->
    oops = try strobe:profile("r.sbt", fun() -> work:fib(10), throw(oops) end, everything()) catch throw:T -> T end,
    {error, not_running} = strobe:stop_profile(),
    {Kind, []} = info("r.sbt"),
    is(Kind("call"), 177).

limit() ->
    {ok, _} = strobe:profile("l.sbt", [{trace, [calls]}, {modules, [work]}, {limit_events, 1000}]),
    work:fib(20),
    wait_until(fun() -> untraced(self()) end),
    {ok, #{stop := 2, events := N}} = strobe:stop_profile(),
    true(N >= 1000, N).

budget() ->
    {ok, _} = strobe:profile("b.sbt", [{trace, [calls]}, {modules, [work]}, {budget, 5000}]),
    work:fib(20),
    wait_until(fun() -> counting({work, fib, 1}) end),
    work:fib(10),
    {ok, #{lost := 0}} = strobe:stop_profile(),
    [_, Counted] = lines("b.sbt", " counter mfa=work:fib/1"),
    {match, [Calls]} = re:run(Counted, "calls=(\\d+)", [{capture, all_but_first, list}]),
    true(list_to_integer(Calls) >= 177, Calls),
    untraced(self()).

%% Both steps of the change are done: it counts, and makes no events.
counting(MFA) ->
    {call_count, N} = erlang:trace_info(MFA, call_count),
    true(is_integer(N), not_counted_yet),
    {traced, Traced} = erlang:trace_info(MFA, traced),
    true(Traced =/= local, still_recorded).

full_ring() ->
    {Pid, Go} = flood(fun() -> work:calls(100000), wait_until(fun() -> work:calls(10000), counting({work, one, 1}) end) end),
    {ok, _, _} = strobe:profile("g.sbt", fun() -> undrained(Go) end, [{trace, [calls]}, {modules, [work]}, {processes, [Pid]}, {buffer, 65536}]),
    true(lines("g.sbt", " counter mfa=work:") =/= [], never_counted).

others() ->
    case erlang:function_exported(trace, session_create, 3) of
        true -> ok;
        false ->
            Pid = spawn(fun() -> receive stop -> ok end end),
            erlang:trace(Pid, true, [call]),
            {error, {already_traced_by, Self}} = strobe:profile("o.sbt", []),
            is(Self, self()),
            {flags, [call]} = erlang:trace_info(Pid, flags),
            Pid ! stop,
            ok
    end.

reload() ->
    {Pid, Go} = flood(fun() -> [work:fib(10) || _ <- lists:seq(1, 2000)] end),
    {ok, _} = strobe:profile("r.sbt", [{trace, [calls]}, {modules, [work]}, {processes, [Pid]}]),
    spawn(fun() -> [begin {module, _} = code:load_file(strobe_nif), code:purge(strobe_nif) end || _ <- lists:seq(1, 20)] end),
    Go(),
    {ok, #{lost := 0}} = strobe:stop_profile(),
    {Kind, []} = info("r.sbt"),
    is(Kind("call"), 2000 * 177).

stops_at_once() ->
    Busy = [spawn(fun B() -> work:fib(12), B() end) || _ <- [1, 2]],
    {ok, Owner} = strobe:profile("f.sbt", everything()),
    Ref = make_ref(),
    undrained(fun() ->
        Owner ! {stop, self(), Ref},
        wait_until(fun untraced_flags/0)
    end),
    receive {Ref, {ok, _}} -> ok end,
    [exit(B, kill) || B <- Busy],
    ok.

untraced_flags() ->
    {flags, []} = erlang:trace_info(new_processes, flags),
    {flags, []} = erlang:trace_info(self(), flags),
    ok.
