%% strobe_eprof against eprof: counts of the same program, answers of every call, and the tables to the byte.
-module(eprof_test).
-compile([export_all, nowarn_export_all]).

-define(BOTH, [eprof, strobe_eprof]).
-define(PATTERN, {workload, '_', '_'}).

both(Fun) ->
    _ = [code:ensure_loaded(M) || M <- [workload, strobe_otp, trace | ?BOTH]],
    [Theirs, Ours] = [begin {ok, _} = T:start(), try Fun(T) after T:stop() end end || T <- ?BOTH],
    check:same(Theirs, Ours).

%% The dump without what differs from run to run: which pids, and how long.
counts(Dump) ->
    lists:sort([lists:sort([{MFA, Calls} || {MFA, {Calls, _}} <- Counted]) || {_, Counted} <- Dump]).

counts_test() ->
    both(fun(T) ->
        {ok, Value} = T:profile([], fun workload:run/0, ?PATTERN),
        {Value, counts(T:dump())}
    end).

%% Modules that are loaded while functions of another are counted get counters too; the next run begins without them.
modules_loaded_meanwhile_test() ->
    {ok, late, Code} = compile:forms([{attribute, 1, module, late}, {attribute, 2, export, [{f, 0}]},
                                      {function, 3, f, 0, [{clause, 3, [], [], [{atom, 3, ok}]}]}]),
    both(fun(T) ->
        Load = fun() -> {module, late} = code:load_binary(late, "late.beam", Code), late:f(), late:f() end,
        {ok, ok} = T:profile([], Load, ?PATTERN),
        First = of_late(T),
        {ok, 55} = T:profile([], workload, fib, [10], ?PATTERN),
        Second = {of_late(T), counts(T:dump())},
        _ = [code:purge(late) || _ <- [1, 2], _ <- [code:delete(late)]],
        {First, Second}
    end).

of_late(T) -> [{MFA, Calls} || {_, Counted} <- T:dump(), {{late, _, _} = MFA, {Calls, _}} <- Counted].

spawned_are_left_out_when_asked_test() ->
    both(fun(T) ->
        {ok, _} = T:profile([], fun() -> workload:fib(5), workload:run() end, ?PATTERN, []),
        counts(T:dump())
    end).

every_spelling_test() ->
    both(fun(T) ->
        [begin Answer = Call(), {Answer, counts_of_workload(T)} end
         || Call <- [fun() -> T:profile(fun workload:run/0) end,
                     fun() -> T:profile(fun workload:run/0, [{set_on_spawn, false}]) end,
                     fun() -> T:profile([], fun workload:run/0) end,
                     fun() -> T:profile([], workload, fib, [9]) end,
                     fun() -> T:profile([], workload, fib, [9], ?PATTERN) end,
                     fun() -> T:profile([], workload, run, [], ?PATTERN, [set_on_spawn]) end]]
    end).

counts_of_workload(T) ->
    counts([{Pid, [C || {{workload, _, _}, _} = C <- Counted]} || {Pid, Counted} <- T:dump()]).

started_and_stopped_by_hand_test() ->
    both(fun(T) ->
        Worker = spawn(fun Wait() -> receive {run, From} -> From ! {done, workload:fib(11)}, Wait() end end),
        Answers = [T:start_profiling([Worker, nobody_has_this_name], ?PATTERN), T:start_profiling([Worker]),
                   T:profile(fun() -> never end)],
        Worker ! {run, self()},
        receive {done, 89} -> ok end,
        More = [T:stop_profiling(), T:stop_profiling(), counts(T:dump())],
        exit(Worker, kill),
        {Answers, More}
    end).

the_job_fails_test() ->
    both(fun(T) ->
        {error, {oops, [_ | _]}} = T:profile(fun() -> error(oops) end),
        [T:profile(fun() -> exit(enough) end), T:stop_profiling(), T:profile(fun() -> fine end)]
    end).

what_cannot_be_traced_test() ->
    both(fun(T) ->
        Dead = spawn(fun() -> ok end),
        Monitor = erlang:monitor(process, Dead),
        receive {'DOWN', Monitor, _, _, _} -> ok end,
        [which(T:start_profiling([Dead]), Dead), which(T:profile([Dead], fun() -> fine end), Dead), T:analyze(),
         T:stop_profiling()]
    end).

which({error, {What, Pid}}, Pid) -> {error, {What, the_dead_one}};
which(Other, _)                  -> Other.

nothing_to_analyze_test() ->
    both(fun(T) -> [T:analyze(), T:analyze(total), T:analyze([{sort, mfa}]), T:dump()] end).

misuse_test() ->
    both(fun(T) ->
        {ok, _} = T:profile(fun workload:run/0),
        [T:analyze(sideways), element(1, element(2, catch T:profile([], workload, fib, 9))),
         element(2, T:start()) =:= {already_started, whereis(T)}, T:log("/no/such/directory/log")]
    end),
    [begin {'EXIT', {noproc, _}} = (catch T:stop()) end || T <- ?BOTH].

%% eprof prints what it counted; our table is given the same numbers.
tables_test() ->
    Wanted = [{Type, [{sort, Sort}, {filter, Filter}]} || Type <- [total, procs], Sort <- [time, calls, mfa, other],
                                                         Filter <- [[], [{calls, 100}], [{time, 5}, {calls, 2}]]]
                                                             ++ [{total, []}],
    {{Parts, Answers}, Theirs} = check:output(fun() -> theirs(Wanted) end),
    {Same, Ours} = check:output(fun() ->
                                    [strobe_eprof_table:print(Type, Parts, Options, undefined)
                                     || {Type, Options} <- Wanted] end),
    check:same(Answers, Same),
    check:same(Theirs, Ours).

theirs(Wanted) ->
    {ok, _} = eprof:start(),
    {ok, _} = eprof:profile(fun workload:run/0),
    {bpd, Calls, Us, Tree, Total} = eprof:dump_data(),
    Answers = [eprof:analyze(Type, Options) || {Type, Options} <- Wanted],
    eprof:stop(),
    {{{Calls, Us}, gb_trees:to_list(Tree), Total}, Answers}.

the_log_holds_what_is_printed_test() ->
    {ok, _} = strobe_eprof:start(),
    {ok, _} = strobe_eprof:profile(fun workload:run/0),
    ok = strobe_eprof:log("eprof.log"),
    {ok, Printed} = check:output(fun() -> strobe_eprof:analyze(total, [{sort, calls}]) end),
    {ok, More} = check:output(fun() -> strobe_eprof:analyze() end),
    strobe_eprof:stop(),
    {ok, Logged} = file:read_file("eprof.log"),
    check:same(unicode:characters_to_binary(Printed ++ More), Logged).

nothing_stays_behind_test() ->
    {ok, _} = strobe_eprof:start(),
    {ok, _} = strobe_eprof:profile(fun workload:run/0),
    stopped = strobe_eprof:stop(),
    check:same({call_time, false}, erlang:trace_info({workload, fib, 1}, call_time)),
    check:same(undefined, whereis(strobe_eprof)).
