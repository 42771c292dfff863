%% strobe_fprof against fprof: every call with the same arguments, answers and files compared.
-module(fprof_test).
-compile([export_all, nowarn_export_all]).

-define(BOTH, [fprof, strobe_fprof]).

both(Fun) ->
    _ = logger:set_primary_config(level, none),
    os:putenv("STROBE", filename:join([os:getenv("STROBE_ROOT"), "build", "strobe"])),
    [Theirs, Ours] = [with(T, Fun) || T <- ?BOTH],
    check:same(Theirs, Ours).

%% The server starts here, not while output is collected: it keeps its group leader.
with(T, Fun) ->
    {ok, Server} = T:start(),
    Monitor = erlang:monitor(process, Server),
    try Fun(T) after T:stop(kill), receive {'DOWN', Monitor, _, _, _} -> ok after 60000 -> exit(still_there) end end.

%% An answer, or the class and reason of an error; of a dead server only why, without its stack. fprof watches its
%% reader only after it has started it, and one that is through by then is `noproc`: asked again, it tells why.
answer(Call) ->
    try Call() of
        {error, noproc}                                   -> answer(Call);
        {'EXIT', Pid, {Reason, [_ | _]}} when is_pid(Pid) -> {server_died, Reason};
        {'EXIT', Pid, Reason} when is_pid(Pid)            -> {server_died, Reason};
        Answer                                            -> Answer
    catch
        Class:Reason -> {Class, Reason}
    end.

%% One trace, taken by fprof, for both to read.
traced(Name) ->
    with(fprof, fun(_) -> fprof:apply(workload, run, [], [{file, Name}]) end),
    Name.

read(File) ->
    {ok, Bytes} = file:read_file(File),
    Bytes.

the_same_files_from_the_same_trace_test() ->
    Trace = traced("shared.trace"),
    Variants = [[], [totals], [{sort, own}], [no_callers], [no_details, totals], [{cols, 132}, {callers, false}],
                [{cols, 1}, {details, true}, {totals, true}], [{sort, acc}, {callers, true}, {totals, false}, details]],
    both(fun(T) ->
        {ok, Read} = check:output(fun() -> T:profile([{file, Trace}, {dump, "out.dump"}]) end),
        [Read, read("out.dump")
         | [begin A = check:output(fun() -> T:analyse([{dest, "out.analysis"} | V]) end), {A, read("out.analysis")} end
            || V <- Variants]]
    end).

to_the_group_leader_and_appended_test() ->
    Trace = traced("leader.trace"),
    both(fun(T) ->
        {ok, _} = check:output(fun() -> T:profile(file, Trace) end),
        {A, Text} = check:output(fun() -> T:analyse() end),
        {B, Again} = check:output(fun() -> T:analyse([dest, totals]) end),
        _ = file:delete("twice"),
        C = check:output(fun() ->
                             [T:analyse([{dest, "twice"}, {sort, own}]),
                              T:analyse([{dest, "twice"}, append, no_callers])] end),
        {D, Dumped} = check:output(fun() -> T:profile([{file, Trace}, dump]) end),
        {E, _} = check:output(fun() -> T:analyse(dest, []) end),
        [A, Text, B, Again, C, read("twice"), D, Dumped, E, read("fprof.analysis")]
    end).

answers_test() ->
    ok = file:write_file("empty.trace", <<>>),
    ok = file:write_file("cut.trace", binary:part(read(traced("whole.trace")), 0, 5000)),
    ok = file:write_file("tag.trace", <<7, 0, 0, 0, 1, 131>>),
    Calls = [fun(T) -> T:analyse() end, fun(T) -> T:trace(stop) end, fun(T) -> T:profile(stop) end,
             fun(T) -> T:profile({file, "no.such.trace"}) end, fun(T) -> T:analyse([{dest, "x"}]) end,
             fun(T) -> T:profile({file, "empty.trace"}) end, fun(T) -> T:analyse([{dest, "x"}]) end,
             fun(T) -> T:profile({file, "cut.trace"}) end, fun(T) -> {T:analyse([{dest, "x"}]), read("x")} end,
             fun(T) -> T:profile({file, "tag.trace"}) end,
             fun(T) -> T:trace(start, "t") end, fun(T) -> T:trace(start, "u") end, fun(T) -> T:trace([stop]) end,
             fun(T) -> T:trace([stop]) end, fun(T) -> T:trace([start, {file, "/no/such/folder/t"}]) end,
             fun(T) -> T:trace([start, {procs, [nobody_of_this_name]}, {file, "t"}]) end,
             fun(T) -> T:stop() end, fun(T) -> T:stop() end,
             fun(T) -> T:profile([{file, "whole.trace"}]) end, fun(T) -> T:analyse(dest, "/no/such/folder/x") end,
             fun(T) -> element(1, T:start()) end, fun(T) -> T:stop() end, fun(T) -> element(1, T:start()) end,
             fun(T) -> element(1, element(2, T:start())) end],
    both(fun(T) -> [element(1, check:output(fun() -> answer(fun() -> Call(T) end) end)) || Call <- Calls] end).

wrong_usage_test() ->
    Bad = [fun(T) -> T:Call(Options) end
           || {Call, All} <- [{trace, [[start, stop], [frobnicate], [stop, verbose],
                                       [start, {file, "a"}, {tracer, self()}], [start, start],
                                      [start, {verbose, maybe_}], [start, {cpu_time, 1}], 17, [], "x",
                                      [start, {tracer, nobody}]]},
                              {profile, [[start, stop], [start, {file, "a"}], [append], [dump, append],
                                         [{dump, self()}, append], [frobnicate],
                                         [stop, file], 17, [{file, "a"}, {file, "b"}]]},
                              {save_profile, [file, [file], [{file, "a"}, {file, "b"}], 17, [append], "x"]},
                              {load_profile, [file, [file], [{file, "a"}, {file, "b"}], 17, [append], "x"]},
                              {analyse, [[{cols, 0}], [{cols, a}], [{sort, up}], [callers, no_callers], [{callers, 1}],
                                         [append],
                                         [{dest, self()}, append], [totals, totals], [{totals, x}], [no_totals],
                                         [details, no_details], 17]}],
              Options <- All],
    More = [fun(T) -> T:apply(x, y) end, fun(T) -> T:apply(fun() -> ok end, y) end, fun(T) -> T:apply(a, b, c) end,
            fun(T) -> T:apply(a, b, c, d) end,
            fun(T) -> T:apply(fun() -> ok end, [], [{continue, 3}]) end, fun(T) -> T:trace(1, 2) end,
            fun(T) -> T:profile(1, 2) end, fun(T) -> T:analyse(1, 2) end,
            fun(T) -> T:save_profile(1, 2) end, fun(T) -> T:load_profile(1, 2) end],
    both(fun(T) -> [answer(fun() -> Call(T) end) || Call <- Bad ++ More] end).

%% What the trace holds depends on time; the functions and how often they were called do not.
apply_traces_the_same_calls_test() ->
    both(fun(T) ->
        Values = [T:apply(fun workload:run/0, []), T:apply(workload, fib, [9]), T:apply({workload, fib}, [9]),
                  answer(fun() -> T:apply(fun() -> error(oops) end, []) end),
                  T:apply(workload, run, [], [{file, "own.trace"}, {procs, [whereis(init)]}])],
        {ok, _} = check:output(fun() -> T:profile({file, "own.trace"}) end),
        {ok, _} = check:output(fun() -> T:analyse([{dest, "own.analysis"}, totals]) end),
        {Values, counts("own.analysis")}
    end).

continue_test() ->
    both(fun(T) ->
        Value = T:apply(workload, fib, [9], [continue, {file, "continue.trace"}]),
        Again = workload:fib(8),
        Stopped = T:trace(stop),
        {ok, _} = check:output(fun() -> T:profile({file, "continue.trace"}) end),
        {ok, _} = check:output(fun() -> T:analyse([{dest, "continue.analysis"}, totals]) end),
        {Value, Again, Stopped, counts("continue.analysis")}
    end).

saved_and_loaded_test() ->
    Trace = traced("saved.trace"),
    ok = file:write_file("no.profile", "hello"),
    Late = fun(T) -> {answer(fun() -> T:get_state() end), answer(fun() -> T:code_change() end)} end,
    both(fun(T) ->
        _ = file:delete("fprof.profile"),
        Before = [answer(fun() -> T:save_profile() end), answer(fun() -> T:load_profile() end)],
        {ok, _} = check:output(fun() -> T:profile(file, Trace) end),
        Saved = [T:save_profile(), T:save_profile(file, "x.profile"), T:save_profile([{file, "/no/such/folder/x"}])],
        {_, _} = check:output(fun() -> T:profile(file, "no.such.trace") end),
        Loaded = [T:load_profile(file, "/no/such/x"), T:load_profile([{file, "no.profile"}]),
                  T:load_profile(file, "x.profile")],
        {ok, _} = check:output(fun() -> T:analyse([{dest, "loaded.analysis"}, totals]) end),
        {ok, [_ | _]} = T:get_state(),
        {ok, _} = check:output(fun() -> T:code_change() end),
        [Before, Saved, Loaded, read("loaded.analysis")]
    end),
    [T:stop() || T <- ?BOTH],
    check:same([{{'EXIT', fprof_server, noproc}, {'EXIT', fprof_server, noproc}}],
               lists:usort([Late(T) || T <- ?BOTH])).

cpu_time_test() ->
    both(fun(T) ->
        Value = T:apply(workload, fib, [9], [{cpu_time, true}, {file, "cpu.trace"}]),
        {_, _} = check:output(fun() -> T:profile({file, "cpu.trace"}) end),
        {_, _} = check:output(fun() -> T:analyse([{dest, "cpu.analysis"}, totals]) end),
        {Value, counts("cpu.analysis"), erlang:trace_info(self(), flags)}
    end).

without_a_file_test() ->
    both(fun(T) ->
        {ok, Tracer} = T:profile(start),
        Busy = [T:profile(start), T:profile([]), T:analyse()],
        Started = T:trace([start, {tracer, Tracer}]),
        _ = workload:run(),
        Stopped = T:trace(stop),
        Late = T:profile(stop),
        {ok, _} = check:output(fun() -> T:analyse([{dest, "live.analysis"}, totals]) end),
        {Busy, Started, Stopped, Late, counts("live.analysis")}
    end).

%% Calls of workload's functions in the totals.
counts(Analysis) ->
    {ok, Terms} = file:consult(Analysis),
    lists:sort([{MFA, Count} || {_, {{workload, _, _} = MFA, Count, _, _}, _} <- Terms]).
