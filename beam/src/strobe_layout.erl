%% Facts about this VM that C cannot find out: the words of known terms, and the number of words that terms take.
-module(strobe_layout).
-export([open/3, probes/0, sizes/1, facts/0, code_path/1]).

%% Opens rings with what is known of this VM.
open(Path, Sizes, IsCareful) ->
    {Pids, Ports, Alias, Words, Funs} = probes(),
    Asleep = [hibernating()],
    Waiting = waiting(),
    Opened = strobe_nif:open(Path, Sizes, {Pids, Ports, Alias, Words, Funs, {IsCareful, Waiting, Asleep}}),
    [end_waiting(W) || W <- Asleep ++ Waiting],
    Opened.

%% {Pids, Ports, {Alias, Reference, Owner} | none, Words, {Fun, Same, Other, Exported, OtherExported}}
%% Pids, Ports: {Limit, [{PidOrPort, Number, Serial}]}
probes() ->
    {{erlang:system_info(process_limit), pids()}, {erlang:system_info(port_limit), ports()}, alias_probe(), words(),
     {closure(1), closure(2), fun() -> other end, fun lists:map/2, fun lists:filter/2}}.

%% One process for each bit of a number shows where a word has it. Before OTP 26 numbers have at most 15 bits.
pids() ->
    [{Pid, N, S}
     || {N, S} <- [{12345, 1001}, {255, 1}, {0, 8191}, {32767, 0} | bits(erlang:system_info(process_limit))],
        Pid <- pid(lists:concat(["<0.", N, ".", S, ">"]))]
        ++ [{Pid, N, S} || Pid <- [self(), whereis(init)], {N, S} <- [numbers(pid_to_list(Pid))]].

ports() ->
    [{list_to_port("#Port<0." ++ integer_to_list(N) ++ ">"), N, 0}
     || {N, _} <- [{123456, 0}, {255, 0} | bits(erlang:system_info(port_limit))]].

pid(Text) -> try [list_to_pid(Text)] catch error:badarg -> [] end.

bits(Limit) -> [{1 bsl B, 0} || B <- lists:seq(0, 26), 1 bsl B < Limit].

numbers(Pid) ->
    [_, N, S] = binary:split(list_to_binary(Pid), [<<".">>, <<">">>], [global, trim_all]),
    {binary_to_integer(N), binary_to_integer(S)}.

closure(X) -> fun() -> X end.

%% Processes that wait for the end of their parent, with heaps and stacks of several sizes:
%% [{Pid, WordsOfHeap, WordsUsed, WordsOfStack, {M, F, A}}]
waiting() ->
    Parent = self(),
    [waiting(spawn(fun() -> wait(Parent, monitor(process, Parent), Depth, []) end)) || Depth <- [0, 7, 50, 190]].

waiting(Pid) ->
    receive {Pid, deep} -> ok end,
    at_rest(Pid).

%% The VM keeps processes that hibernate at a place of its own.
hibernating() -> at_rest(spawn_link(fun() -> erlang:hibernate(erlang, exit, [normal]) end)).

at_rest(Pid) ->
    case process_info(Pid, [status, heap_size, stack_size, garbage_collection_info, current_function]) of
        [{_, waiting}, {_, Block}, {_, Stack}, {_, Info}, {_, Function}] ->
            {Pid, Block, proplists:get_value(heap_size, Info), Stack, Function};
        _ -> erlang:yield(), at_rest(Pid)
    end.

wait(Parent, Ref, 0, Kept) ->
    Parent ! {self(), deep},
    receive {'DOWN', Ref, process, Parent, _} -> length(Kept) end;
wait(Parent, Ref, Depth, Kept) ->
    1 + wait(Parent, Ref, Depth - 1, [Depth | Kept]).

end_waiting({Pid, _, _, _, _}) ->
    Ref = monitor(process, Pid),
    unlink(Pid),
    exit(Pid, kill),
    receive {'DOWN', Ref, process, Pid, _} -> ok end.

alias_probe() ->
    case erlang:function_exported(erlang, alias, 0) of
        true ->
            Alias = erlang:alias(),
            erlang:unalias(Alias),
            {Alias, make_ref(), self()};
        false -> none
    end.

words() ->
    W = fun erts_debug:flat_size/1,
    Alias = case alias_probe() of {A, _, _} -> A; none -> make_ref() end,
    Pair = W(maps:from_list([{a, 1}, {b, 2}])) - W(maps:from_list([{a, 1}])),
    {W(make_ref()), W(Alias), W(math:pi()), W((1 bsl 60) + erlang:phash2(x, 2)), W(fun erlang:self/0),
     W(maps:from_list([{a, 1}])) - Pair, Pair, W(maps:new()), W(far_pid()),
     W(binary:copy(<<1>>, 64)) - 8, W(binary:copy(<<1>>, 65))}.

far_pid() ->
    binary_to_term(<<131, 88, 100, 1:16, "x", 1:32, 0:32, 1:32>>).

%% Divides `Bytes': a large ring for each scheduler, small rings for the other threads.
sizes(Bytes) ->
    Large = erlang:system_info(schedulers),
    Small = erlang:system_info(dirty_cpu_schedulers) + erlang:system_info(dirty_io_schedulers) + 4,
    Dict = clamp(Bytes div 16, 65536, 8 bsl 20),
    SmallBytes = clamp(Bytes div (8 * Small), 32768, 256 bsl 10),
    LargeBytes = clamp((Bytes - Dict - Small * SmallBytes) div Large, 65536, 4 bsl 20),
    {Large, LargeBytes, chunk(LargeBytes), Small, SmallBytes, chunk(SmallBytes), Dict}.

chunk(Bytes) -> clamp(Bytes div 16, 4096, 65536).

clamp(V, Low, High) -> (max(Low, min(High, V)) div 4096) * 4096.

%% Records the code path, in which a reader of the trace finds the functions that wait and the names of funs. A
%% program may extend its path later (escripts and mix do), so it is read again when more modules are loaded, {Loaded,
%% Path}.
code_path({Before, Path} = Known) ->
    case length(erlang:loaded()) of
        Before -> Known;
        Loaded ->
            Now = code:get_path(),
            note_path(Now -- Path),
            {Loaded, Now}
    end.

note_path([])      -> ok;
note_path(Folders) ->
    strobe_nif:note(<<"code_path">>, unicode:characters_to_binary(
            lists:join("\n", [filename:absname(F) || F <- Folders]))).

%% Returns facts that every trace contains: [{Key, Value}], both binaries.
facts() ->
    Info = fun erlang:system_info/1,
    Time = erlang:monotonic_time(nanosecond) - strobe_nif:clock(),
    Wall = erlang:system_time(nanosecond) - strobe_nif:clock(),
    %% none in a release
    Path = lists:join("\n", code:get_path()
                            ++ [filename:join(Erts, "ebin") || Erts <- [code:lib_dir(erts)], is_list(Erts)]),
    [{<<"code_path">>, unicode:characters_to_binary(Path)} |
     [{K, unicode:characters_to_binary(lists:concat([V]))}
     || {K, V} <- [{<<"otp">>, Info(otp_release)}, {<<"erts">>, Info(version)},
                   {<<"schedulers">>, Info(schedulers)},
                   {<<"schedulers_online">>, Info(schedulers_online)}, {<<"dirty_cpu">>, Info(dirty_cpu_schedulers)},
                   {<<"dirty_io">>, Info(dirty_io_schedulers)}, {<<"cores">>, Info(logical_processors_available)},
                   {<<"host">>, host()}, {<<"system">>, system()},
                   {<<"cost_ns_per_event_x100">>, strobe_nif:cost()}, {<<"os_pid">>, os:getpid()},
                   {<<"otp_minus_at_ns">>, Time}, {<<"wall_minus_at_ns">>, Wall} | boot()]]].

%% All nodes of one boot of one kernel share a clock, apart from what their time namespaces add to it.
boot() ->
    case {lines("/proc/sys/kernel/random/boot_id"), namespace_ns()} of
        {[Id | _], Ns} when is_integer(Ns) -> [{<<"boot">>, binary_to_list(Id)}, {<<"boot_minus_at_ns">>, -Ns}];
        _                                  -> []
    end.

%% The kernel tells what is added in the namespace of children; a kernel without such namespaces adds nothing.
namespace_ns() ->
    case {prim_file:read_link("/proc/self/ns/time"), prim_file:read_link("/proc/self/ns/time_for_children")} of
        {{error, enoent}, _} -> 0;
        {Same, Same} ->
            case [string:lexemes(Line, " ") || Line <- lines("/proc/self/timens_offsets")] of
                [[<<"monotonic">>, S, Ns] | _] -> binary_to_integer(S) * 1000000000 + binary_to_integer(Ns);
                _                              -> unknown
            end;
        _ -> unknown
    end.

%% Without the module inet, which a release may not have loaded yet.
host() -> binary_to_list(iolist_to_binary(lists:sublist(lines("/proc/sys/kernel/hostname"), 1))).

lines(File) ->
    case prim_file:read_file(File) of
        {ok, Text} -> binary:split(Text, <<"\n">>, [global, trim]);
        _          -> []
    end.

system() ->
    {_, Name} = os:type(),
    Version = case os:version() of {A, B, C} -> lists:concat([A, ".", B, ".", C]); Text -> Text end,
    lists:concat([Name, " ", Version, ", ", erlang:system_info(system_architecture)]).
