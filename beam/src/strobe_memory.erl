%% @doc Measures how much memory a function takes.
%%
%% One run gives two results. `bytes' is the number that Benchee prints: what the collections of one process reclaimed
%% on its heaps,
%%
%% ```bytes = wordsize * sum over its collections of (heap + old heap before) - (heap + old heap after)'''
%%
%% with a collection forced before and after. It leaves out messages that were copied in, binaries off the heap, and the
%% processes that the function starts. `total_bytes' includes them all:
%%
%% ```
%% total_bytes = heap_bytes + message_bytes + binary_bytes + children.bytes
%% '''
%%
%% where `heap_bytes' is `bytes' with what stays in the process (in its dictionary, for example), and without the few
%% words that died before the call.
%%
%% Three processes take part. The runner applies the function. The tracer receives the collections of the runner and
%% of its children, and adds them up. The valet takes the value of the function, which the runner has to send away
%% unchanged: a tuple around it would cost the runner three words.
-module(strobe_memory).

-export([measure/1, measure/2]).
-export_type([usage/0, children/0]).

-type bytes()    :: non_neg_integer().
-type children() :: #{processes := non_neg_integer(), bytes := bytes(), at_most_bytes := bytes()}.
-type usage()    :: #{value := term(),
                      bytes := bytes() | undefined,
                      total_bytes := bytes(),
                      heap_bytes := bytes(),
                      message_bytes := bytes(),
                      binary_bytes := bytes(),
                      children := children(),
                      peak_bytes := bytes(),
                      value_bytes := bytes(),
                      retained_bytes := bytes(),
                      collections := non_neg_integer()}.
-type option()   :: {warmup, non_neg_integer()}.

%% @doc Measure one call of `Fun', after one call that is not measured and loads the code.
%%
%% `value' is the value of `Fun' and `value_bytes' the size of a copy of it. `peak_bytes' is the largest heap of the
%% runner with its messages. `retained_bytes' is what else outlives the call (in the process dictionary, for example).
%% `collections' is their number without the forced ones. `bytes' is undefined where Benchee's formula falls below
%% zero. An exception of `Fun' is raised in the caller. If the process of `Fun' is killed, the result is `{error,
%% {died, Reason}}'.
-spec measure(fun(() -> term())) -> {ok, usage()} | {error, term()}.
measure(Fun) -> measure(Fun, []).

%% @doc With `{warmup, N}': makes N calls before the measured one; by default one.
-spec measure(fun(() -> term()), [option()]) -> {ok, usage()} | {error, term()}.
measure(Fun, Options) when is_function(Fun, 0), is_list(Options) ->
    case warm_up(Fun, proplists:get_value(warmup, Options, 1)) of
        ok    -> measure_warm(Fun);
        Error -> Error
    end.

%% Runs in a process of its own, so that the caller is not affected by what the function does to its process.
warm_up(_, 0) ->
    ok;
warm_up(Fun, Times) ->
    {Pid, Monitor} = spawn_monitor(fun() -> exit(try times(Times, Fun) catch C:R:S -> {raised, C, R, S} end) end),
    receive
        {'DOWN', Monitor, process, Pid, {warm, Times}}              -> ok;
        {'DOWN', Monitor, process, Pid, {raised, Class, Why, Stack}} -> erlang:raise(Class, Why, Stack);
        {'DOWN', Monitor, process, Pid, Reason}                     -> {error, {died, Reason}}
    end.

times(Times, Fun) ->
    _ = [Fun() || _ <- lists:seq(1, Times)],
    {warm, Times}.

measure_warm(Fun) ->
    Owner = self(),
    Valet = spawn(fun() -> valet(Owner) end),
    {Runner, Monitor} = spawn_monitor(fun() -> runner(Fun, Valet, Owner) end),
    try await(Valet, Runner, Monitor) after exit(Valet, kill), exit(Runner, kill) end.

await(Valet, Runner, Monitor) ->
    receive
        {Valet, Value, Words} ->
            erlang:demonitor(Monitor, [flush]),
            {ok, usage(Value, Words)};
        {'DOWN', Monitor, process, Runner, normal} ->
            receive {Valet, Value, Words} -> {ok, usage(Value, Words)} end;
        {'DOWN', Monitor, process, Runner, {raised, Class, Reason, Stack}} ->
            erlang:raise(Class, Reason, Stack);
        {'DOWN', Monitor, process, Runner, {refused, Why}} ->
            {error, Why};
        {'DOWN', Monitor, process, Runner, Reason} ->
            {error, {died, Reason}}
    end.

usage(Value, #{own := Own} = Words) ->
    #{bytes := Bytes, heap_bytes := Heap, message_bytes := Messages, binary_bytes := Binaries, children := Children} =
        Usage =
        maps:map(fun(_, W) -> in_bytes(W) end, maps:without([own, collections], Words#{bytes => Own})),
    Usage#{value => Value,
           bytes := case Bytes < 0 of true -> undefined; false -> Bytes end,
           total_bytes => Heap + Messages + Binaries + maps:get(bytes, Children),
           collections => maps:get(collections, Words)}.

in_bytes(#{processes := Processes, bytes := Least, at_most_bytes := Most}) ->
    #{processes => Processes, bytes => in_bytes(Least), at_most_bytes => in_bytes(Most)};
in_bytes(Words) ->
    Words * erlang:system_info(wordsize).

%% The first message is the value, whatever it is.
valet(Owner) ->
    receive Value ->
        Size = erts_debug:flat_size(Value),
        receive {Ref, Words} when is_reference(Ref) -> Owner ! {self(), Value, Words#{value_bytes => Size}} end
    end.

%% ---- the runner: between the collections it may allocate only what the function allocates, and it holds as much on
%% ---- heap and stack as Benchee's runner, so that collections occur at the same points. Its frame is that of
%% ---- Benchee's: a try with catch and after, over which a reference and two pids are alive.

runner(Fun, Valet, Owner) ->
    Runner = self(),
    Ref = make_ref(),
    Tracer = spawn_link(fun() -> strobe_memory_tracer:start(Runner, Owner) end),
    try
        _ = run(Fun, Valet, Tracer),
        Words = report(Tracer, Ref),
        Valet ! {Ref, Words}
    catch
        Class:Reason:Stack -> Tracer ! done, Valet ! {Ref, shutdown}, exit({raised, Class, Reason, Stack})
    after
        Tracer ! done % the receiver needs none of this: it makes the frame equal to that of Benchee
    end.

report(Tracer, Ref) ->
    Tracer ! {report, self(), Ref},
    receive {Ref, Words} -> Words end.

%% The last collection reclaims the value as well, unless something refers to it.
run(Fun, Valet, Tracer) ->
    erlang:garbage_collect(),
    Tracer ! start,
    receive started -> ok; {refused, Why} -> exit({refused, Why}) end,
    Value = Fun(),
    Valet ! Value,
    erlang:garbage_collect(),
    Tracer ! stop,
    receive stopped -> ok end,
    %% What was in use at the start must be in use at the end.
    {Fun, Valet}.
