%% Samples the stacks of the processes that run or are runnable, a hundred times a second. The samples show which code
%% is active, and not where time is spent, since a process answers where it next yields.
%%
%% Sampling neither blocks nor wakes a process: those that wait are not asked. Each of the others is asked by one of
%% several askers, which may wait for a long time (a NIF that reports no time slice delays its asker for seconds). The
%% time until the next look depends on the cost of the last, so that sampling takes less than a twenty-fifth of a
%% core.
-module(strobe_stacks).
-export([open/1, pids/1, begin_/1, close/1, put_back/1]).

-define(EVERY_US, 10000).
-define(DEAR, 25).           % the time until the next look is at least this multiple of its cost
-define(DEPTH, 64).
-define(NO_YIELD_NS, 1000000000).
-define(ASKERS, 64).

%% `Of': table, if `running' is recorded and the tracer knows the running processes; else all, new, existing or a list
%% of pids. Call this before the tracing begins, so that the processes started here are never traced.
open(Of) ->
    Owner = self(),
    Before = {erlang:system_flag(backtrace_depth, ?DEPTH), erlang:system_flag(microstate_accounting, true)},
    {Sampler, Ref} = spawn_opt(fun() -> start(Owner, Of) end, [monitor, {priority, high}]),
    receive {Sampler, Askers} -> #{sampler => Sampler, ref => Ref, askers => Askers, before => Before} end.

%% Returns all processes that must not be recorded.
pids(#{sampler := Sampler, askers := Askers}) -> [Sampler | Askers].

begin_(#{sampler := Sampler, askers := Askers}) -> Sampler ! {go, [self(), Sampler | Askers]}, ok.

close(#{sampler := Sampler, ref := Ref, askers := Askers, before := Before}) ->
    Monitors = [erlang:monitor(process, A) || A <- Askers],
    Sampler ! stop,
    [receive {'DOWN', M, process, _, _} -> ok end || M <- [Ref | Monitors]],
    put_back(Before).

put_back({Depth, Accounting}) ->
    erlang:system_flag(backtrace_depth, Depth),
    erlang:system_flag(microstate_accounting, Accounting),
    ok.

%% ---- the sampler

start(Owner, Of) ->
    Ref = erlang:monitor(process, Owner),
    N = min(?ASKERS, erlang:system_info(schedulers_online)),
    Askers = [spawn_opt(fun asker/0, [link, {priority, high}]) || _ <- lists:seq(1, N)],
    Owner ! {self(), Askers},
    receive
        {go, Own} ->
            loop(#{whose => scope(Of), own => maps:from_keys(Own, []), free => Askers, asked => #{}, due => now_us(),
                   ref => Ref, spent => spent()});
        stop -> exit(shutdown);
        {'DOWN', Ref, process, _, _} -> exit(shutdown)
    end.

scope(existing) -> {only, maps:from_keys(processes(), [])};
scope(new) -> {but, maps:from_keys(processes(), [])};
scope(Pids) when is_list(Pids) -> {only, maps:from_keys(Pids, [])};
scope(Of) -> Of.

loop(#{due := Due, ref := Ref, free := Free, asked := Asked, spent := Before} = S) ->
    receive
        {done, Asker, Pid} -> loop(S#{free := [Asker | Free], asked := maps:remove(Pid, Asked)});
        stop ->
            maps:foreach(fun silent/2, Asked),
            record_shares(Before, spent()),
            exit(shutdown); % the askers are linked and end as well, even while they wait
        {'DOWN', Ref, process, _, _} -> exit(shutdown)
    after max(0, (Due - now_us()) div 1000) -> loop(look(S))
    end.

look(#{free := Free, asked := Asked, own := Own} = S) ->
    Start = now_us(),
    Running = [P || P <- candidates(S), not is_map_key(P, Asked), not is_map_key(P, Own)],
    {Still, More} = ask(Free, Running, Asked, erlang:monotonic_time(nanosecond)),
    Now = now_us(),
    S#{free := Still, asked := More, due := Start + max(jittered(Start), ?DEAR * (Now - Start))}.

%% Varies the interval, so that it does not coincide with periodic work of the program.
jittered(Start) -> ?EVERY_US * (80 + erlang:phash2(Start, 41)) div 100.

ask([Asker | Free], [Pid | Pids], Asked, Now) ->
    Asker ! {ask, Pid, self()},
    ask(Free, Pids, Asked#{Pid => Now}, Now);
ask(Free, _, Asked, _) -> {Free, Asked}.

candidates(#{whose := table}) -> strobe_nif:running();
candidates(#{whose := all}) -> [P || P <- processes(), is_active(P)];
candidates(#{whose := {only, Pids}}) -> [P || P <- maps:keys(Pids), is_active(P)];
candidates(#{whose := {but, Pids}}) -> [P || P <- processes(), not is_map_key(P, Pids), is_active(P)].

%% A process does not notice this question. The process that had this scheduler before is runnable.
is_active(Pid) ->
    case erlang:process_info(Pid, status) of
        {status, running} -> true;
        {status, runnable} -> true;
        {status, garbage_collecting} -> true;
        _ -> false
    end.

now_us() -> erlang:monotonic_time(microsecond).

%% ---- an asker

asker() ->
    receive
        {ask, Pid, Sampler} ->
            Start = erlang:monotonic_time(nanosecond),
            case is_active(Pid) andalso erlang:process_info(Pid, current_stacktrace) of
                {current_stacktrace, [_ | _] = Stack} -> strobe_nif:emit(stack, Pid, Stack, none, none);
                _ -> ok
            end,
            silent(Pid, Start),
            Sampler ! {done, self(), Pid},
            asker()
    end.

%% Records a process that did not yield for a second, and for how long it did not.
silent(Pid, Start) ->
    Took = erlang:monotonic_time(nanosecond) - Start,
    Took >= ?NO_YIELD_NS andalso strobe_nif:emit(sample, none, no_yield, list_to_binary(pid_to_list(Pid)), Took).

%% ---- what the schedulers did meanwhile, by the VM's account: it shows how far the samples can be trusted

spent() ->
    lists:foldl(fun(#{type := scheduler, counters := C}, Sum) -> maps:merge_with(fun(_, A, B) -> A + B end, Sum, C);
                   (_, Sum) -> Sum
                end, #{}, erlang:statistics(microstate_accounting)).

%% In millionths of the time that the schedulers were awake.
record_shares(Before, After) ->
    Spent = maps:remove(sleep, maps:map(fun(State, N) -> max(0, N - maps:get(State, Before, 0)) end, After)),
    Awake = lists:sum(maps:values(Spent)),
    Awake > 0 andalso
        maps:foreach(fun(State, N) ->
                         strobe_nif:emit(sample, none, msacc, atom_to_binary(State, utf8), N * 1000000 div Awake)
                     end, Spent).
