%% @doc Samples the node every few milliseconds: run queues, schedulers, processes, memory, message queues.
%%
%% Functions and files are those of Percept2's sampling: `sample_ITEM.dat' in a folder, with a first line `#ITEM' and
%% rows of numbers, each of which begins with the seconds since the start. Corrected: only normal schedulers count, so
%% two schedulers give two columns; samples keep to their times and do not drift; several message queues can be
%% watched; the filter is applied. Columns are plain values and not stacked sums. `sample_ITEM.svg' is a picture of
%% them.
-module(strobe_sampling).

-export([start/3, start/4, start/5, stop/0]).
-export_type([item/0]).

%% The sampler returns its result as its exit reason.
-dialyzer({nowarn_function, sample/5}).

-define(ALL, [run_queue, run_queues, scheduler_utilisation, process_count, schedulers_online, mem_info]).
-define(EVERY_MS, 10).

-type item() :: all | run_queue | run_queues | scheduler_utilisation | process_count | schedulers_online | mem_info
              | {message_queue_len, pid() | atom()}.
-type span() :: fun(() -> term()) | {module(), atom(), [term()]} | number().

%% @doc Sample while `Span' runs: a function, an `{M, F, A}', or a number of seconds.
-spec start([item()] | item(), span(), file:filename()) -> {ok, map()} | {error, term()}.
start(Items, Span, Folder) -> start(Items, Span, Folder, ?EVERY_MS).

-spec start([item()] | item(), span(), file:filename(), pos_integer()) -> {ok, map()} | {error, term()}.
start(Items, Span, Folder, EveryMs) -> start(Items, Span, Folder, EveryMs, fun(_) -> true end).

%% @doc `Filter' gets the seconds since the start before each sample; false omits the sample.
-spec start([item()] | item(), span(), file:filename(), pos_integer(), fun((float()) -> boolean())) ->
          {ok, #{samples := non_neg_integer(), files := [file:filename()], value => term()}} | {error, term()}.
start(Items, Span, Folder, EveryMs, Filter) when is_integer(EveryMs), EveryMs > 0, is_function(Filter, 1) ->
    Wanted = expand(Items),
    case {[I || I <- Wanted, not valid(I)], filelib:is_dir(Folder)} of
        {[], true}    -> sample(Wanted, Span, Folder, EveryMs, Filter);
        {[], false}   -> {error, {no_such_directory, Folder}};
        {[Bad | _], _} -> {error, {unknown_item, Bad}}
    end;
start(_, _, _, _, _) ->
    {error, badarg}.

%% @doc End the current sampling, from another process.
-spec stop() -> ok | {error, not_started}.
stop() ->
    try ?MODULE ! stop, ok catch error:badarg -> {error, not_started} end.

expand(all)                           -> ?ALL;
expand(Items) when is_list(Items)     -> lists:usort(lists:append([expand(I) || I <- Items]));
expand(Item)                          -> [Item].

valid({message_queue_len, Who}) -> is_pid(Who) orelse is_atom(Who);
valid(Item)                     -> lists:member(Item, ?ALL).

sample(Items, Span, Folder, EveryMs, Filter) ->
    Caller = self(),
    {Sampler, Monitor} = spawn_monitor(fun() -> sampler(Caller, Items, Folder, EveryMs, Filter) end),
    receive
        {Sampler, ready} ->
            Value = try run(Span, Monitor) after Sampler ! stop end,
            receive
                {'DOWN', Monitor, process, Sampler, {sampled, #{files := Files} = Result}} ->
                    Drawn = [strobe_sampling_picture:draw(F) || F <- Files],
                    case [Why || {error, Why} <- Drawn] of
                        []        -> {ok, maps:merge(Value, Result)};
                        [Why | _] -> {error, Why}
                    end
            end;
        {'DOWN', Monitor, process, Sampler, Reason} ->
            {error, Reason}
    end.

run({M, F, A}, _)                     -> #{value => apply(M, F, A)};
run(Fun, _) when is_function(Fun)     -> #{value => Fun()};
run(Seconds, Monitor) when is_number(Seconds) ->
    %% stop() in another process ends the wait; the message is left for the process that started the sampler
    receive {'DOWN', Monitor, process, Pid, Reason} -> self() ! {'DOWN', Monitor, process, Pid, Reason}, #{}
    after round(Seconds * 1000) -> #{}
    end.

%% ---- the sampler

-spec sampler(pid(), [item()], file:filename(), pos_integer(), fun((float()) -> boolean())) -> no_return().
sampler(Caller, Items, Folder, EveryMs, Filter) ->
    try register(?MODULE, self()) catch error:badarg -> exit(already_started) end,
    process_flag(priority, high),
    Ended = erlang:monitor(process, Caller),
    Had = erlang:system_flag(scheduler_wall_time, true),
    Files = [{Item, open(Folder, Item)} || Item <- Items],
    Caller ! {self(), ready},
    Start = erlang:monotonic_time(millisecond),
    Count = loop(#{files => Files, start => Start, every => EveryMs, filter => Filter, ended => Ended}, Start + EveryMs,
                 0, wall_time()),
    _ = Had orelse erlang:system_flag(scheduler_wall_time, false),
    _ = [file:close(Device) || {_, {_, Device}} <- Files],
    exit({sampled, #{samples => Count, files => [Name || {_, {Name, _}} <- Files]}}).

open(Folder, Item) ->
    Name = filename:join(Folder, lists:flatten(["sample_", text(Item), ".dat"])),
    {ok, Device} = file:open(Name, [write, raw, {delayed_write, 1 bsl 16, 1000}]),
    ok = file:write(Device, ["#", text(Item), "\n"]),
    {Name, Device}.

text({message_queue_len, Who}) -> io_lib:format("message_queue_len_~w", [Who]);
text(Item)                     -> atom_to_list(Item).

%% Samples are due at multiples of the interval; those that this process misses are omitted.
loop(#{ended := Ended, every := Every} = S, Due, Count, Before) ->
    receive
        stop                       -> Count;
        {'DOWN', Ended, _, _, _}   -> Count
    after max(0, Due - erlang:monotonic_time(millisecond)) ->
        Now = erlang:monotonic_time(millisecond),
        Wall = wall_time(),
        Taken = take(S, (Now - maps:get(start, S)) / 1000, Before, Wall),
        loop(S, Now + Every - (Now - maps:get(start, S)) rem Every, Count + Taken, Wall)
    end.

take(#{files := Files, filter := Filter}, Seconds, Before, Now) ->
    case Filter(Seconds) of
        true ->
            _ = [file:write(Device, row([Seconds | values(Item, Before, Now)])) || {Item, {_, Device}} <- Files],
            1;
        false ->
            0
    end.

row(Values) -> [lists:join($\s, [number(V) || V <- Values]), $\n].

number(V) when is_float(V) -> float_to_list(V, [{decimals, 6}, compact]);
number(V)                  -> integer_to_list(V).

values(run_queue, _, _)             -> [lists:sum(run_queues())];
values(run_queues, _, _)            -> run_queues();
values(process_count, _, _)         -> [erlang:system_info(process_count)];
values(schedulers_online, _, _)     -> [erlang:system_info(schedulers_online)];
values(mem_info, _, _)              ->
    [Bytes / 1000000 || {_, Bytes} <- erlang:memory([total, processes, ets, atom, code, binary])];
values(scheduler_utilisation, A, B) ->
    [share(Active - Active0, Total - Total0) || {{_, Active0, Total0}, {_, Active, Total}} <- lists:zip(A, B)];
values({message_queue_len, Who}, _, _) -> [queue_length(Who)].

run_queues() ->
    lists:sublist(erlang:statistics(run_queue_lengths), erlang:system_info(schedulers)).

%% Only normal schedulers, which are numbered from 1; the dirty ones follow.
wall_time() ->
    Normal = erlang:system_info(schedulers),
    lists:sort([T || {N, _, _} = T <- erlang:statistics(scheduler_wall_time), N =< Normal]).

share(_, 0)          -> 0.0;
share(Active, Total) -> Active / Total.

queue_length(Name) when is_atom(Name) ->
    case whereis(Name) of
        Pid when is_pid(Pid) -> queue_length(Pid);
        _                    -> 0
    end;
queue_length(Pid) ->
    case process_info(Pid, message_queue_len) of
        {_, Length} -> Length;
        undefined   -> 0
    end.
