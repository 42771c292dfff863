%% strobe_cprof against cprof: the same program, counted by the one and by the other, term for term.
-module(cprof_test).
-compile([export_all, nowarn_export_all]).

-define(BOTH, [cprof, strobe_cprof]).

%% Run `Fun' with each of the two as its tool; both must answer the same.
both(Fun) ->
    _ = [code:ensure_loaded(M) || M <- [workload, strobe_otp, trace | ?BOTH]],
    [Theirs, Ours] = [try Fun(Tool) after Tool:stop() end || Tool <- ?BOTH],
    check:same(Theirs, Ours).

one_module_test() ->
    both(fun(T) -> [T:start(workload), workload:run(), T:pause(workload), T:analyse(workload),
                    T:analyse(workload, 100)] end).

limit_zero_lists_the_uncalled_test() ->
    both(fun(T) -> [T:start(workload), workload:fib(7), T:analyse(workload, 0), T:analyze(workload, 0)] end).

one_function_and_one_arity_test() ->
    both(fun(T) ->
        [T:start(workload, fib), T:start(workload, even, 1), T:start({workload, odd, 1}), workload:run(),
         T:analyse(workload),
         T:pause(workload, fib), T:pause(workload, even, 1), workload:run(), T:analyse(workload),
         T:restart(workload, fib), T:restart(workload, even, 1), workload:run(), T:analyse(workload),
         T:stop(workload, fib), T:stop(workload, odd, 1), workload:run(), T:analyse(workload),
         T:stop({workload, '_', '_'})]
    end).

pause_keeps_restart_zeroes_test() ->
    both(fun(T) ->
        [T:start(workload), workload:fib(9), T:pause({workload, fib, 1}), workload:fib(9), T:analyse(workload),
         T:restart(workload), workload:fib(5), T:analyse(workload), T:start(workload), T:analyse(workload)]
    end).

restart_starts_nothing_test() ->
    both(fun(T) -> [T:restart(workload), workload:run(), T:analyse(workload)] end).

whole_node_test() ->
    both(fun(T) ->
        _ = T:start(), _ = workload:run(), _ = T:pause(),
        {All, Modules} = T:analyse(),
        Mine = [lists:keyfind(M, 1, Modules) || M <- [workload] ++ [lists || not has_sessions()]],
        [All =:= lists:sum([N || {_, N, _} <- Modules]), Mine, element(2, T:analyse(1000)) =/= [],
         lists:keymember(T, 1, Modules), T:analyze() =:= {All, Modules}, T:analyze(1) =:= {All, Modules}]
    end).

every_function_of_the_node_counts_the_same_test() ->
    quiet(fun() -> both(fun(T) ->
        _ = T:start(), _ = workload:run(), _ = T:pause(),
        {_, Modules} = T:analyse(),
        lists:sort([Counted || {_, _, Functions} <- Modules, {MFA, _} = Counted <- Functions, not switching(MFA)])
    end) end).

%% Where there are sessions, switching counters on and off itself calls other functions than cprof's does.
switching({M, F, _}) ->
    has_sessions() andalso (lists:member(M, [erlang, erts_internal, trace]) orelse {M, F} =:= {lists, keyfind}).

has_sessions() -> erlang:function_exported(trace, session_create, 3).

numbers_of_functions_test() ->
    both(fun(T) -> [T:start(lists), T:start(no_such_module), T:start({on_load}), T:restart(lists), T:pause(lists),
                    T:stop(lists)] end),
    [Theirs, Ours] = [[T:start(), T:restart(), T:pause(), T:stop()] || T <- ?BOTH],
    check:same(Theirs, Ours).

modules_loaded_later_test() ->
    both(fun(T) ->
        code:purge(workload), code:delete(workload), code:purge(workload),
        _ = T:start(), _ = workload:run(), _ = T:pause(),
        T:analyse(workload)
    end).

nothing_counted_test() ->
    both(fun(T) -> [T:analyse(), T:analyse(lists)] end).

errors_test() ->
    both(fun(T) ->
        [begin {'EXIT', {Reason, _}} = (catch Call(T)), Reason end
         || Call <- [fun(M) -> M:analyse(no_such_module) end, fun(M) -> M:analyse("lists") end,
                     fun(M) -> M:analyse(lists, many) end, fun(M) -> M:start({lists, map, many}) end,
                     fun(M) -> M:start("lists") end]]
    end).

%% The node's own doings (timers, the logger) are few and must not fall between the two runs.
quiet(Fun) ->
    _ = both_once(Fun, 3).

both_once(Fun, Tries) ->
    try Fun() catch exit:{expected, _, found, _, at, _} when Tries > 1 -> both_once(Fun, Tries - 1) end.
