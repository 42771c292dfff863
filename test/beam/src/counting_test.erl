%% strobe:count, time and memory in a running node, against what cprof, eprof and tprof say of the same function.
-module(counting_test).
-compile([export_all, nowarn_export_all]).

calls(Rows) ->
    lists:sort(maps:to_list(lists:foldl(fun(#{function := F, calls := N}, All) ->
                                            maps:update_with(F, fun(M) -> M + N end, N, All) end,
                                        #{}, Rows))).

calls_are_those_of_cprof_test() ->
    code:ensure_loaded(workload),
    cprof:start(workload),
    workload:run(),
    cprof:pause(),
    {_, _, Counted} = cprof:analyse(workload),
    cprof:stop(),
    {ok, _, Rows} = strobe:count(fun workload:run/0, [{modules, [workload]}]),
    check:same(lists:sort(Counted), calls(Rows)).

time_counts_the_same_calls_test() ->
    {ok, _, Counted} = strobe:count(fun workload:run/0, [{modules, [workload]}]),
    {ok, _, Timed} = strobe:time(fun workload:run/0, [{modules, [workload]}]),
    check:same(calls(Counted), calls(Timed)),
    [true = Us >= 0 andalso is_pid(P) || #{own_us := Us, process := P} <- Timed],
    check:same(lists:sort(fun(#{own_us := A}, #{own_us := B}) -> A =< B end, Timed), Timed).

only_the_processes_asked_for_test() ->
    {ok, _, Rows} = strobe:time(fun() -> workload:fib(9) end, [{modules, [workload]}, {processes, [whereis(init)]}]),
    check:same([], Rows).

nothing_stays_test() ->
    raised = try strobe:count(fun() -> error(raised) end, [{modules, [workload]}]) catch error:Raised -> Raised end,
    check:same({call_count, false}, erlang:trace_info({workload, fib, 1}, call_count)),
    {ok, done, _} = strobe:time(fun() -> done end),
    check:same({call_time, false}, erlang:trace_info({lists, seq, 2}, call_time)),
    check:same({flags, []}, erlang:trace_info(self(), flags)).

words_are_those_of_tprof_test() ->
    erlang:function_exported(tprof, module_info, 0) orelse code:ensure_loaded(tprof) =:= {module, tprof}
        orelse words_refused(),
    {_, {call_memory, Counted}} = tprof:profile(fun workload:run/0,
                                                #{type => call_memory, report => return,
                                                  pattern => {workload, '_', '_'}}),
    {ok, _, Rows} = strobe:memory(fun workload:run/0, [{modules, [workload]}]),
    Sum = fun(Of) -> lists:sort([{MFA, lists:sum([W || {F, W} <- Of, F =:= MFA])}
                                 || MFA <- lists:usort([F || {F, W} <- Of, W > 0])]) end,
    check:same(Sum([{{M, F, A}, W} || {M, F, A, L} <- Counted, {_, _, W} <- L]),
               Sum([{F, W} || #{function := F, words := W} <- Rows])).

words_refused() ->
    {error, needs_otp_26} = strobe:memory(fun() -> ok end),
    check:skip("no tprof before OTP 27").
