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
    put(drain, []),
    put(shell, open_port({spawn, "sh"}, [])),
    [run(Name, Test) || {Name, Test} <- tests()],
    put(drain, [{drain, process}]),
    [run(Name ++ " (drained by a process)", Test) || {Name, Test} <- drained_tests()],
    put(drain, []),
    [run(Name, Test) || {Name, Test} <- no_program_tests()],
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
    drained_tests() ++
    [{"the events are those that OTP's file port writes", fun like_file_port/0},
     {"sizes of messages are flat sizes", fun sizes/0},
     {"a reply to an alias names the process, DOWN and EXIT name theirs", fun peers/0},
     {"processes have the names a person knows", fun names/0},
     {"a function that has had its budget is counted", fun budget/0},
     {"somebody else's counters are left alone", fun others_count/0},
     {"a full ring makes counters of the hottest", fun full_ring/0},
     {"somebody else's tracing is left alone", fun others/0},
     {"the tracer is reloaded and purged under load", fun reload/0}].

%% Whoever empties the rings.
drained_tests() ->
    [{"what is kept and dropped of each class is what was made", fun drops/0},
     {"every gap is reported, and they add up", fun gaps/0},
     {"the owner is killed: nothing is traced, the file is whole", fun owner_killed/0},
     {"owner and guard are killed at once: the file is whole, and the next recording begins",
      fun owner_and_guard_killed/0},
     {"the caller is killed: the capture ends", fun caller_killed/0},
     {"the drain is killed: the next goes on", fun drain_killed/0},
     {"ten captures one after another leave nothing", fun many/0},
     {"an earlier trace of the same name is kept", fun kept/0},
     {"what the function raises is raised, and the file is whole", fun raises/0},
     {"a limit of events ends the capture", fun limit/0},
     {"a limit of bytes ends the capture", fun limit_bytes/0},
     {"the next recording takes the place of one that a limit has ended", fun next_after_limit/0},
     {"marks alone; migration and schedulers follow from running", fun marks_alone/0},
     {"reasons of exits show atoms and shapes, and no data", fun reasons/0},
     {"strobe:load/0 makes it usable in embedded mode", fun embedded/0},
     {"stopping ends the tracing at once, whatever is queued", fun stops_at_once/0}].

no_program_tests() ->
    [{"no program strobe-drain: a process drains", fun() -> no_program(fun(_) -> ok end) end},
     {"a strobe-drain that cannot run: a process drains",
      fun() -> no_program(fun(Drain) -> ok = file:write_file(Drain, "none"),
                              ok = file:change_mode(Drain, 8#755) end) end},
     {"a strobe-drain that may not run: a process drains",
      fun() -> no_program(fun(Drain) -> ok = file:write_file(Drain, "none"),
                              ok = file:change_mode(Drain, 8#644) end) end},
     {"the node dies: what the process had not drained is read from the rings", fun node_killed/0}].

%% ---- programs to record

make(Module) ->
    Source = "-module(work). -export([calls/1, one/1, echo/1, fib/1]).\n"
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

profile(File, Options) -> strobe:profile(File, [{quiet, true} | Options ++ get(drain)]).
profile(File, F, Options) -> strobe:profile(File, F, Options ++ get(drain)).

%% The drain of the capture that runs: a process, or a program as the system numbers it. Only the session and those it
%% watches are asked: a question wakes a process.
drain() ->
    {monitors, Watched} = process_info(whereis(strobe_session), monitors),
    case [P || {process, P} <- Watched, is_pid(P), P =/= self(), {_, Stack} <- [process_info(P, current_stacktrace)],
          lists:keymember(strobe_drain, 1, Stack)] of
        [Process] -> Process;
        [] ->
            [Drain] = [element(2, erlang:port_info(P, os_pid)) || P <- erlang:ports(),
                       {name, Name} <- [erlang:port_info(P, name)], string:find(Name, "strobe-drain") =/= nomatch],
            integer_to_list(Drain)
    end.

kill(Drain) when is_pid(Drain) -> exit(Drain, kill);
kill(Drain) -> "" = os:cmd("kill -9 " ++ Drain).

%% By a shell that is there already: what is started now may be recorded.
shell(Command) ->
    port_command(get(shell), Command ++ "; echo done\n"),
    receive {_, {data, "done\n"}} -> ok end.

%% Nobody empties the rings meanwhile: however slow or fast this machine is, they fill.
undrained(F) ->
    case drain() of
        Drain when is_pid(Drain) ->
            suspend(Drain),
            try F() after erlang:resume_process(Drain) end;
        Drain ->
            shell("kill -STOP " ++ Drain),
            try F() after shell("kill -CONT " ++ Drain) end
    end.

%% The VM may give up with internal_error while the process runs on a dirty scheduler.
suspend(P) ->
    try erlang:suspend_process(P, [unless_suspending]) of _ -> ok
    catch error:internal_error -> timer:sleep(10), suspend(P)
    end.

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

%% Programs that make so many events of each class, into rings of 64 KiB that nobody empties meanwhile.
drops() ->
    N = 5000,
    {Pid, Go} = flood(fun() -> times(N, fun of_each/0) end),
    accounts(Go, [procs, messages, gc, calls], [Pid],
             [{"procs", ["spawn", "spawned", "exit", "register", "unregister", "link", "unlink"], 5 * N + 1},
              {"messages", ["send", "receive"], 3 * N + 1}, % and one that the flood begins with
              {"gc", ["gc_major_start", "gc_major_end", "gc_minor_start", "gc_minor_end"], 2 * N},
              {"calls", ["call", "return_to"], 2 * N},
              {"marks", ["mark"], N}]),
    {Yields, GoYield} = flood(fun() -> times(5 * N, fun erlang:yield/0) end),
    accounts(GoYield, [running], [Yields], [
            {"running", ["in", "out", "out_exited", "in_exiting", "out_exiting"], 2 * (5 * N + 1)}]),
    Ports = 6000,
    accounts(fun() -> {_, GoPorts} = flood(fun() ->
                                               times(Ports, fun() -> {ok, S} = gen_udp:open(0),
                                                                gen_udp:close(S) end) end), GoPorts() end,
             [ports], new, [{"ports", ["open", "closed"], 2 * Ports}]).

%% Leaves nothing to collect.
times(0, _) -> ok;
times(N, F) -> F(), times(N - 1, F).

of_each() ->
    register(of_each, self()), unregister(of_each),
    {P, R} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', R, process, P, _} -> ok end,
    self() ! x,
    receive x -> ok end,
    erlang:garbage_collect(),
    work:one(1),
    strobe:mark("of each").

accounts(Go, Classes, Who, Made) ->
    {ok, _, #{lost := All}} = profile("d.sbt", fun() -> undrained(Go) end,
                                      [{trace, Classes}, {modules, [work || lists:member(calls, Classes)]},
                                       {processes, Who},
                                                         {buffer, 65536}, {governor, false}]),
    {Kind, Loss} = info("d.sbt"),
    [begin
         Lost = proplists:get_value(Class, Loss, 0),
         true(Lost > 0, {no_flood_of, Class}),
         is({Class, lists:sum([Kind(K) || K <- Kinds]) + Lost}, {Class, Number})
     end || {Class, Kinds, Number} <- Made],
    is(All, lists:sum([L || {_, L} <- Loss])).

gaps() ->
    {Pid, Go} = flood(fun() -> work:calls(300000) end),
    {ok, _, Summary} = profile("d.sbt", fun() -> undrained(Go) end,
                               [{trace, [calls]}, {modules, [work]}, {processes, [Pid]}, {buffer, 65536},
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

like_file_port() ->
    Program = fun() ->
        process_flag(trap_exit, true),
        Pids = [spawn_link(fun() -> work:echo(20) end) || _ <- lists:seq(1, 50)],
        [[begin P ! {self(), lists:seq(1, K)}, receive {P, _} -> ok end end || K <- lists:seq(1, 20)] || P <- Pids],
        %% one that ended after its parent would unlink neither
        [receive {'EXIT', P, normal} -> ok end || P <- Pids],
        work:fib(15)
    end,
    {Pid1, Go1} = flood(Program),
    {ok, _, _} = profile("n.sbt", Go1, [{trace, [procs, messages, calls]}, {modules, [work]}, {processes, [Pid1]}]),
    {Pid2, Go2} = flood(Program),
    {ok, _} = dbg:tracer(port, dbg:trace_port(file, "o.trace")),
    erlang:trace_pattern({work, '_', '_'}, true, [local]),
    {ok, Tracer} = dbg:get_tracer(),
    erlang:trace(Pid2, true, [procs, send, 'receive', call, return_to, arity, set_on_spawn, {tracer, Tracer}]),
    Go2(),
    dbg:stop(),
    erlang:trace_pattern({work, '_', '_'}, false, [local]),
    {Ours, []} = info("n.sbt"),
    {Theirs, []} = info("o.trace"),
    [is({K, Ours(K)}, {K, Theirs(K)})
     || K <- ["spawn", "spawned", "exit", "link", "getting_linked", "getting_unlinked", "send", "receive", "call",
              "return_to"]],
    is(Ours("send"), 2000),
    ok.

%% ---- what is said of messages

sizes() ->
    Terms = [{}, {a}, {1, 2, 3}, [], [a], lists:seq(1, 20), "text", [[1], [2, [3]]], 1.5, {1.5, [2.5]}, #{}, #{a => 1},
             #{a => 1, b => {2}, c => [3]}, make_ref(), {make_ref(), self()}, 1 bsl 62, -(1 bsl 62), 1 bsl 59,
             {alias()},
             binary:copy(<<1>>, 10), binary:copy(<<1>>, 64), binary:copy(<<1>>, 65), {binary:copy(<<1>>, 300)}, [a | b],
             list_to_tuple(lists:seq(1, 50)), {ok, [{K, K} || K <- lists:seq(1, 10)]}],
    Self = self(),
    {Pid, Go} = flood(fun() -> [Self ! T || T <- Terms] end),
    {ok, _, _} = profile("s.sbt", Go, [{trace, [messages]}, {processes, [Pid]}]),
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
    {ok, _, _} = profile("a.sbt", Go, [{trace, [messages]}, {processes, [Pid, Server]}]),
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
    {ok, _, _} = profile("p.sbt", Go, [{trace, [procs]}, {processes, [Pid]}]),
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
    {ok, Owner} = profile("k.sbt", everything()),
    work:fib(15),
    exit(Owner, kill),
    wait_until(fun() -> untraced(self()) end),
    wait_until(fun() -> {Kind, []} = info("k.sbt"), true(Kind("call") >= 1973, too_few) end),
    {error, not_started} = strobe:stop_profile(),
    ok.

%% The second way is that of a release upgrade: both run code of one module.
owner_and_guard_killed() ->
    Kill = fun(Owner) ->
               {monitored_by, Guards} = process_info(Owner, monitored_by),
               [exit(P, kill) || P <- Guards, is_pid(P), P =/= self(),
                                 {_, {erlang, apply, 2}} <- [process_info(P, initial_call)]],
               exit(Owner, kill)
           end,
    Purge = fun(_) -> code:delete(strobe_session), code:purge(strobe_session) end,
    [begin
         {ok, Owner} = profile("g.sbt", everything()),
         work:fib(15),
         Ref = erlang:monitor(process, Owner),
         End(Owner),
         receive {'DOWN', Ref, _, _, _} -> ok end,
         wait_until(fun() -> {Kind, []} = info("g.sbt"), true(Kind("call") >= 1973, too_few) end),
         %% what is traced still is removed at its next event, or by the next recording
         {ok, _, _} = profile("h.sbt", fun() -> work:fib(10) end, everything()),
         untraced(self()),
         true(erlang:trace_info({work, fib, 1}, call_count) =:= {call_count, false}, still_counted)
     end || End <- [Kill, Purge, Kill]],
    ok.

%% The counters of another tool go on through a recording, also of a function that would be counted only.
others_count() ->
    1 = erlang:trace_pattern({work, fib, 1}, true, [call_count]),
    work:fib(10),
    {ok, _, #{lost := 0}} = profile("o.sbt", fun() -> work:fib(20), timer:sleep(300), work:fib(10) end,
                                    [{trace, [calls]}, {modules, [work]}, {budget, 5000}]),
    is(erlang:trace_info({work, fib, 1}, call_count), {call_count, 177 + 21891 + 177}),
    erlang:trace_pattern({work, fib, 1}, false, [call_count]),
    {0, Said} = strobe_program:run(["query", "o.sbt",
                                    "SELECT calls || ' calls' FROM function WHERE mfa = 'work:fib/1'"]),
    true(string:find(Said, "22068 calls") =/= nomatch, Said),
    untraced(self()).

caller_killed() ->
    Drain = get(drain),
    Caller = spawn(fun() -> put(drain, Drain), {ok, _} = profile("c.sbt", everything()), receive never -> ok end end),
    wait_until(fun() -> true(is_pid(whereis(strobe_session)), not_yet) end),
    timer:sleep(50),
    exit(Caller, kill),
    wait_until(fun() -> untraced(self()) end),
    wait_until(fun() -> true(whereis(strobe_session) =:= undefined, still_there) end),
    {_, _} = info("c.sbt"),
    ok.

drain_killed() ->
    {ok, _} = profile("x.sbt", everything()),
    work:fib(20),
    timer:sleep(50),
    kill(drain()),
    work:fib(20),
    {ok, #{lost := 0}} = strobe:stop_profile(),
    {Kind, []} = info("x.sbt"),
    is(Kind("call"), 2 * 21891).

many() ->
    There = fun() -> {length(processes()), length(erlang:ports()), length(filelib:wildcard("/proc/self/map_files/*")),
                      [F || N <- filelib:wildcard("/proc/self/fd/*"), {ok, F} <- [file:read_link(N)],
                       re:run(F, "rings|sbt") =/= nomatch]} end,
    Before = There(),
    [begin
         {ok, 610, #{lost := 0}} = profile("m.sbt", fun() -> work:fib(15) end, everything()),
         {Kind, []} = info("m.sbt"),
         is(Kind("call"), 1973)
     end || _ <- lists:seq(1, 10)],
    wait_until(fun() -> untraced(self()) end),
    wait_until(fun() -> is(There(), Before) end).

kept() ->
    _ = file:delete("kept.sbt"),
    {ok, 1, First} = profile("kept.sbt", fun() -> strobe:mark("first"), 1 end, []),
    {ok, 2, #{trace := Trace, old := Old}} = profile("kept.sbt", fun() -> 2 end, []),
    is(maps:find(old, First), error),
    is(Old, Trace ++ ".old"),
    Has = fun(File) -> string:find(os:cmd(get(strobe) ++ " dump " ++ File), "first") =/= nomatch end,
    is({Has(Old), Has(Trace)}, {true, false}).

raises() ->
    oops = try profile("r.sbt", fun() -> work:fib(10), throw(oops) end, everything()) catch throw:T -> T end,
    {error, not_started} = strobe:stop_profile(),
    {Kind, []} = info("r.sbt"),
    is(Kind("call"), 177).

limit() ->
    {ok, _} = profile("l.sbt", [{trace, [calls]}, {modules, [work]}, {limit_events, 1000}]),
    work:fib(20),
    wait_until(fun() -> untraced(self()) end),
    {ok, #{stop := 2, events := N}} = strobe:stop_profile(),
    true(N >= 1000, N).

limit_bytes() ->
    {ok, _} = profile("l.sbt", [{trace, [calls]}, {modules, [work]}, {limit_bytes, 300000}]),
    Busy = spawn(fun B() -> work:fib(12), B() end),
    wait_until(fun() -> untraced(self()) end),
    exit(Busy, kill),
    {ok, #{stop := 3, bytes := N}} = strobe:stop_profile(),
    true(N >= 300000, N).

next_after_limit() ->
    Limited = fun(File) -> profile(File, [{trace, [calls]}, {modules, [work]}, {limit_events, 1000}]) end,
    {ok, First} = Limited("f.sbt"),
    {error, {already_started, _}} = Limited("g.sbt"),
    work:fib(20),
    wait_until(fun() -> untraced(self()) end),
    {ok, Second} = Limited("g.sbt"),
    true(First =/= Second, Second),
    {ok, #{events := _}} = strobe:stop_profile(),
    {error, not_started} = strobe:stop_profile(),
    ok.

marks_alone() ->
    %% any term: a mark makes no caller fail
    Terms = ["here", <<"and here">>, here, {a, [1 | 2]}, <<255>>, [-1], self(), lists:seq(-100000, 0)],
    {ok, _, #{lost := 0}} = profile("m.sbt", fun() -> [ok = strobe:mark(T) || T <- Terms], work:fib(3) end,
                                    [{trace, [marks]}]),
    {Marks, []} = info("m.sbt"),
    {8, 0, 0} = {Marks("mark"), Marks("in"), Marks("spawn")},
    {ok, _, _} = profile("m.sbt", fun() -> timer:sleep(1) end, [{trace, [migration, schedulers]}]),
    {Runs, []} = info("m.sbt"),
    true(Runs("in") > 0, Runs("in")),
    is(Runs("spawn"), 0).

reasons() ->
    Long = list_to_atom(lists:duplicate(100, $x)),
    Cases = [{{timeout, {gen_server, call, [prices, get, 5000]}}, "{timeout,{gen_server,call,[prices,...]}}"},
             {{because, "secret"}, "{because,[...,...]}"},
             {{because, [{a, 1}, {b, <<"x">>}]}, "{because,[{a,...},...]}"},
             {{{badmatch, 7}, [{shop, total, 2, [{line, 3}]}]}, "{{badmatch,...},[{shop,total,...,...}]}"},
             {{1, 2, 3, 4, 5}, "{1,2,3,4,...}"},
             {[], "[]"}, {{}, "{}"},
             {{shutdown, Long}, "{shutdown," ++ lists:duplicate(80 - 10 - 3, $x) ++ "..."}],
    {ok, _, _} = strobe:profile("t.sbt", fun() -> [exits(R) || {R, _} <- Cases] end, [procs]),
    Seen = string:lexemes(os:cmd(get(strobe) ++ " query t.sbt 'SELECT exit_reason FROM process WHERE exit_reason "
                                                "IS NOT NULL ORDER BY start' --format tsv"), "\n"),
    [] = [Shown || {_, Shown} <- Cases] -- Seen,
    ok.

exits(Reason) ->
    {Pid, Monitor} = spawn_monitor(fun() -> exit(Reason) end),
    receive {'DOWN', Monitor, process, Pid, Reason} -> ok end.

%% The modules are loaded in any order; that of the tracer needs another one.
embedded() ->
    Ebin = filename:join(filename:dirname(get(strobe)), "erlang/strobe/ebin"),
    Eval = "[Ebin] = init:get_plain_arguments(), code:load_abs(filename:join(Ebin, strobe)), ok = strobe:load(), "
        "{ok, 5, _} = strobe:profile(atom_to_list(e) ++ [$. | atom_to_list(sbt)], fun() -> 5 end, []), "
        "io:put_chars(atom_to_list(recorded)), halt().",
    is(os:cmd("erl -mode embedded -noshell -eval '" ++ Eval ++ "' -extra '" ++ Ebin ++ "'"), "recorded").

%% ---- where no program can be started

%% Our application with such a program in its priv folder, in a node of its own.
no_program(Put) ->
    Home = filename:join(filename:dirname(get(strobe)), "erlang/strobe"),
    [] = os:cmd("rm -rf app && mkdir app && cp -r " ++ Home ++ "/ebin " ++ Home ++ "/priv app"),
    Put("app/priv/strobe-drain"),
    node("PATH=" ++ path_without_drain(),
         "{ok, 610, #{lost := 0}} = strobe:profile(\"n.sbt\", fun() -> work:fib(15) end, [{modules, work}]), halt()."),
    {Kind, []} = info("n.sbt"),
    is(Kind("call"), 1973),
    is(leftover(), []).

node(Environment, Eval) ->
    "" = os:cmd("env " ++ Environment ++ " erl -noshell -pa app/ebin -pa . -eval '" ++ Eval ++ "'").

path_without_drain() ->
    Path = string:lexemes(os:getenv("PATH"), ":"),
    lists:flatten(lists:join(":", [P || P <- Path, not filelib:is_regular(filename:join(P, "strobe-drain"))])).

%% Some of it is in the file by then, the rest is in the rings or dropped, since nobody takes it out any more.
node_killed() ->
    Kill = "os:cmd(\"kill -9 \" ++ os:getpid())",
    Stop = "Suspend = fun S(P) -> try erlang:suspend_process(P, [unless_suspending]) catch error:internal_error -> "
           "S(P) end end, "
           "{monitors, Ms} = process_info(whereis(strobe_session), monitors), [Suspend(P) || {process, P} <- Ms, "
           "is_pid(P), P =/= self()]",
    [begin
         file:delete("k.sbt"),
         os:cmd("erl -noshell -pa " ++ filename:join(filename:dirname(get(strobe)), "erlang/strobe/ebin")
                ++ " -pa . -eval '{ok, _} = "
                "strobe:profile(\"k.sbt\", [{trace, calls}, {modules, work}, {drain, process}, {quiet, true}, "
                "{governor, false}, {buffer, 65536}]), "
                "work:fib(15), timer:sleep(200), " ++ Stop ++ ", work:fib(23), " ++ End ++ ".'"),
         {Kind, Loss} = info("k.sbt"),
         Lost = proplists:get_value("calls", Loss, 0),
         true(Lost > 0, no_flood),
         is(Kind("call") + Kind("return_to") + Lost, 2 * (1973 + 92735)),
         {ok, <<_:40/binary, Rings/binary>>} = read("k.sbt", 256),
         [Path | _] = binary:split(Rings, <<0>>),
         "" = os:cmd("rm -r " ++ filename:dirname(binary_to_list(Path)))
     end || End <- [Kill, "halt()"]],
    ok.

read(File, N) ->
    {ok, F} = file:open(File, [read, raw, binary]),
    try file:read(F, N) after file:close(F) end.

leftover() -> filelib:wildcard("/dev/shm/strobe-" ++ os:getpid() ++ "-*").

budget() ->
    {ok, _} = profile("b.sbt", [{trace, [calls]}, {modules, [work]}, {budget, 5000}]),
    work:fib(20),
    wait_until(fun() -> counting({work, fib, 1}) end),
    work:fib(10),
    {ok, #{lost := 0}} = strobe:stop_profile(),
    %% when counting began, and what it came to, of two threads maybe
    Counted = lines("b.sbt", " counter mfa=work:fib/1"),
    [Calls] = [N || Line <- Counted, {match,
                                      [N]} <- [re:run(Line, "calls=(\\d+) last=1", [{capture, all_but_first, list}])]],
    true(list_to_integer(Calls) >= 177, Calls),
    %% fib(20) makes 21891 calls of fib, fib(10) 177: each is recorded or counted, and none is both
    {0, Said} = strobe_program:run(["query", "b.sbt",
                                    "SELECT calls || ' calls, ' || at_least FROM function WHERE mfa = 'work:fib/1'"]),
    true(string:find(Said, "22068 calls, 0") =/= nomatch, Said),
    untraced(self()).

%% Both steps of the change are done: it counts, and makes no events. In a trace session trace_info does not show it.
counting(MFA) ->
    {ok, Counted} = application:get_env(strobe, strobe_governor),
    true(lists:member(MFA, Counted), not_counted_yet).

full_ring() ->
    {Pid, Go} = flood(fun() -> work:calls(100000),
                          wait_until(fun() -> work:calls(10000), counting({work, one, 1}) end) end),
    {ok, _, _} = profile("g.sbt", fun() -> undrained(Go) end,
                         [{trace, [calls]}, {modules, [work]}, {processes, [Pid]}, {buffer, 65536}]),
    true(lines("g.sbt", " counter mfa=work:") =/= [], never_counted).

others() ->
    case erlang:function_exported(trace, session_create, 3) of
        true -> ok;
        false ->
            Pid = spawn(fun() -> receive stop -> ok end end),
            erlang:trace(Pid, true, [call]),
            {error, {already_traced_by, Self}} = profile("o.sbt", []),
            is(Self, self()),
            {flags, [call]} = erlang:trace_info(Pid, flags),
            Pid ! stop,
            ok
    end.

reload() ->
    {Pid, Go} = flood(fun() -> [work:fib(10) || _ <- lists:seq(1, 2000)] end),
    {ok, _} = profile("r.sbt", [{trace, [calls]}, {modules, [work]}, {processes, [Pid]}]),
    spawn(fun() -> [begin {module, _} = code:load_file(strobe_nif), code:purge(strobe_nif) end
                    || _ <- lists:seq(1, 20)] end),
    Go(),
    {ok, #{lost := 0}} = strobe:stop_profile(),
    {Kind, []} = info("r.sbt"),
    is(Kind("call"), 2000 * 177).

stops_at_once() ->
    Busy = [spawn(fun B() -> work:fib(12), B() end) || _ <- [1, 2]],
    {ok, Owner} = profile("f.sbt", everything()),
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
