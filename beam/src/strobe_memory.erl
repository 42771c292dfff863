%% @doc How much memory a function takes.
%%
%% Two answers from one run. `bytes' is the number that Benchee prints: what the collections of one process
%% reclaimed on its heaps,
%%
%% ```bytes = wordsize * sum over its collections of (heap + old heap before) - (heap + old heap after)'''
%%
%% with a collection forced before and after. It leaves out messages that were copied in, binaries off the heap and
%% the processes that the function starts. `total_bytes' has them all:
%%
%% ```
%% total_bytes = heap_bytes + message_bytes + binary_bytes + children.bytes
%% '''
%%
%% where `heap_bytes' is `bytes' with what stays in the process (its dictionary, say) counted, and the few words that
%% died before the call left out.
%%
%% Three processes: the runner applies the function; the tracer receives the runner's and its children's
%% collections and adds them up; the valet takes the function's value, which the runner has to send away as it is:
%% wrapped in a tuple it would cost the runner three words.
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
%% `value' is what `Fun' answered and `value_bytes' what a copy of it takes, `peak_bytes' the largest heap of the
%% runner with its messages, `retained_bytes' what else outlives the call (in the process dictionary, say),
%% `collections' how many there were, the forced ones left out. `bytes' is undefined where Benchee's formula falls below zero.
%% An exception of `Fun' is raised in the caller; a `Fun' whose process is killed gives `{error, {died, Reason}}'.
-spec measure(fun(() -> term())) -> {ok, usage()} | {error, term()}.
measure(Fun) -> measure(Fun, []).

%% @doc With `{warmup, N}': N calls before the one that is measured, by default one.
-spec measure(fun(() -> term()), [option()]) -> {ok, usage()} | {error, term()}.
measure(Fun, Options) when is_function(Fun, 0), is_list(Options) ->
    case warm_up(Fun, proplists:get_value(warmup, Options, 1)) of
        ok    -> measure_warm(Fun);
        Error -> Error
    end.

%% In a process of its own, as what the function does to its process is not to be done to the caller.
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
    #{bytes := Bytes, heap_bytes := Heap, message_bytes := Messages, binary_bytes := Binaries, children := Children} = Usage =
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

%% ---- the runner: between the collections it may allocate nothing that the function doesn't, and what it holds on
%% ---- heap and stack is as much as Benchee's runner holds, so that collections come when they do there. Its frame is that
%% ---- of Benchee's: a try with catch and after, over which a reference and two pids are alive.

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
        Tracer ! done % whoever it is sent to needs none of this: it makes the frame what Benchee's is
    end.

report(Tracer, Ref) ->
    Tracer ! {report, self(), Ref},
    receive {Ref, Words} -> Words end.

%% The last collection reclaims the value too, unless somebody holds it.
run(Fun, Valet, Tracer) ->
    erlang:garbage_collect(),
    Tracer ! start,
    receive started -> ok; {refused, Why} -> exit({refused, Why}) end,
    Value = Fun(),
    Valet ! Value,
    erlang:garbage_collect(),
    Tracer ! stop,
    receive stopped -> ok end,
    %% What was in use at the start has to be in use at the end.
    {Fun, Valet}.
