%% One capture, from start to stop: a process that owns the rings and the tracing, and a second that watches it and
%% cleans up if it is killed. Neither ever appears in the trace.
%%
%%     {ok, Owner} = strobe_session:start(#{rings => File, trace => [procs, running, ...], ...})
%%     Summary = strobe_session:stop(Owner)
%%
%% Options: rings (path of the shared file, required), trace (classes, default all_classes()), processes (all | new |
%% existing | [pid()] and what these spawn; default all), modules, apps and functions (for calls), reload (they may be
%% loaded again), missing (a file that tells what of these is not there), bytes (of shared memory), filters ([{Scope, Program}], in force from the first event on), budget
%% (events of a function before it is only counted), governor (default true), caller (ends with it),
%% name (to register), drain (of strobe_drain, default: somebody else's work).
-module(strobe_session).
-export([start/1, stop/1, missing/1, with_missing/2, filter/2, all_classes/0, classes/0]).
-export([processes_of/1, ports_of/1, process_flags/1, port_flags/1]).

-define(TRACER, {strobe_nif, 0}).
-define(TICK_MS, 10).
-define(PATH_TICKS, 10).

%% What `all` means, and all there is.
all_classes() -> [procs, running, messages, gc, ports, vm].
classes() -> [calls, sample | all_classes()].

-spec start(map()) -> {ok, pid()} | {error, term()}.
start(Options) ->
    Caller = self(),
    {Owner, Ref} = spawn_monitor(fun() -> own(Caller, Options) end),
    receive
        {Owner, started} -> erlang:demonitor(Ref, [flush]), {ok, Owner};
        {Owner, {error, _} = Error} -> erlang:demonitor(Ref, [flush]), Error;
        {'DOWN', Ref, process, Owner, Reason} -> {error, Reason}
    end.

%% What the drain said at its end (nothing when the drain is not ours), and as `missing' a line on each module, application
%% and function that was asked for and never loaded.
-spec stop(pid()) -> {ok, map()} | {error, term()}.
stop(Owner) -> ask(Owner, fun(Ref) -> {stop, self(), Ref} end).

%% The same lines, as it stands now.
-spec missing(pid()) -> [string()].
missing(Owner) -> ask(Owner, fun(Ref) -> {missing, self(), Ref} end).

ask(Owner, Question) ->
    Ref = erlang:monitor(process, Owner),
    Owner ! Question(Ref),
    receive
        {Ref, Result} -> erlang:demonitor(Ref, [flush]), Result;
        {'DOWN', Ref, process, Owner, Reason} -> {error, Reason}
    end.

%% {Scope, Program} of strobe_filter; the owner alone changes filters.
-spec filter(pid(), {term(), strobe_filter:program()}) -> ok | {error, term()}.
filter(Owner, Filter) -> ask(Owner, fun(Ref) -> {filter, self(), Ref, Filter} end).

%% ---- the owner

own(Caller, Options) ->
    process_flag(priority, high),
    [code:ensure_loaded(M) || M <- [strobe_nif, strobe_otp, strobe_layout, strobe_snapshot, strobe_samples, strobe_calls, strobe_names, strobe_governor, strobe_stacks,
                                   strobe_spawn, strobe_cost, strobe_mailboxes]],
    case prepare(Options) of
        ok ->
            Node = named(none),
            Drain = strobe_drain:start(maps:get(drain, Options, none), maps:get(rings, Options)),
            Stacks = stacks(Options),
            lists:member(calls, classes(Options)) andalso strobe_spawn:open(),
            {Guard, Watching} = guard(self(), Stacks),
            Tracing = strobe_otp:open(strobe, ?TRACER),
            Mailboxes = mailboxes(Options),
            Calls = switch_on(Tracing, [self(), Guard | hidden(Stacks) ++ strobe_mailboxes:pids(Mailboxes)], Options),
            Stacks =:= none orelse strobe_stacks:begin_(Stacks),
            Watched = case Options of #{caller := C} -> erlang:monitor(process, C); _ -> none end,
            Caller ! {self(), started},
            loop(tick(#{node => Node, tracing => Tracing, guard => Watching, stacks => Stacks, caller => Watched, classes => classes(Options),
                        calls => Calls, tick => 0, drain => Drain, next => erlang:monotonic_time(millisecond),
                        governor => governor(Tracing, Options), mailboxes => Mailboxes, path => {length(erlang:loaded()), code:get_path()},
                        busy => lists:member(vm, classes(Options)) andalso strobe_samples:open()}));
        {error, _} = Error ->
            Caller ! {self(), Error}
    end.

classes(Options) ->
    lists:usort(lists:flatmap(fun(all) -> all_classes(); (C) -> [C] end, maps:get(trace, Options, [all]))).

prepare(#{name := Name} = Options) ->
    try register(Name, self()) of
        true -> prepare(maps:remove(name, Options))
    catch error:badarg -> {error, already_running}
    end;
prepare(Options) ->
    case strobe_otp:others() of
        none -> open_rings(Options);
        {tracer, Who} -> {error, {already_traced_by, Who}}
    end.

open_rings(#{rings := Path} = Options) ->
    Costs = strobe_cost:measure(classes(Options)),
    Sizes = strobe_layout:sizes(maps:get(bytes, Options, 64 bsl 20)),
    case strobe_nif:open(unicode:characters_to_binary(Path), Sizes, strobe_layout:probes()) of
        ok ->
            [strobe_nif:note(K, V) || {K, V} <- strobe_layout:facts()],
            [strobe_nif:note(<<"cost_ns_x100_", (atom_to_binary(C, utf8))/binary>>, integer_to_binary(Cost)) || {C, Cost} <- Costs],
            [strobe_nif:note(<<"recorded">>, atom_to_binary(C, utf8)) || C <- classes(Options)],
            ok;
        Error -> Error
    end.

%% What is there already is looked at before it is traced: asking a process wakes it.
switch_on(Tracing, Own, Options) ->
    Who = maps:get(processes, Options, all),
    [true = strobe_nif:hide(Pid) || Pid <- Own],
    [ok = set_filter(F) || F <- maps:get(filters, Options, [])],
    Snapshot = strobe_snapshot:take(Own),
    strobe_nif:begin_(),
    strobe_snapshot:emit(Snapshot, Who),
    Calls = strobe_calls:open(Tracing, Options),
    {ProcessFlags, PortFlags} = flags(classes(Options)),
    Children = [set_on_spawn || is_list(Who)],
    [strobe_otp:ports_to(Tracing, ?TRACER, ports_of(Who), PortFlags) || PortFlags =/= [], is_atom(Who)],
    [strobe_otp:send_to(Tracing, ?TRACER, W, Children ++ ProcessFlags) || ProcessFlags =/= [], W <- processes_of(Who)],
    Calls.

processes_of(all) -> [processes];
processes_of(existing) -> [existing_processes];
processes_of(new) -> [new_processes];
processes_of(Pids) when is_list(Pids) -> Pids.

ports_of(all) -> ports;
ports_of(existing) -> existing_ports;
ports_of(new) -> new_ports.

flags(Classes) ->
    {lists:flatmap(fun process_flags/1, Classes), lists:flatmap(fun port_flags/1, Classes)}.

process_flags(procs) -> [procs];
process_flags(running) -> [running, exiting];
process_flags(messages) -> [send, 'receive'];
process_flags(gc) -> [garbage_collection || strobe_otp:gc_is_safe()];
process_flags(calls) -> [call, return_to, arity];
process_flags(_) -> [].

port_flags(ports) -> [ports, running_ports];
port_flags(_) -> [].

set_filter({Scope, Program}) ->
    {Which, Pids} = strobe_filter:scope(Scope),
    strobe_nif:filter(Which, Pids, Program).

%% Whose stacks are taken: the tracer knows who runs when it is told of every `in`.
stacks(Options) ->
    Classes = classes(Options),
    case {lists:member(sample, Classes), lists:member(running, Classes)} of
        {false, _} -> none;
        {true, true} -> strobe_stacks:open(table);
        {true, false} -> strobe_stacks:open(maps:get(processes, Options, all))
    end.

hidden(none) -> [];
hidden(Stacks) -> strobe_stacks:pids(Stacks).

mailboxes(Options) ->
    Classes = classes(Options),
    case lists:member(vm, Classes) andalso lists:member(messages, Classes) of
        true -> strobe_mailboxes:open();
        false -> none
    end.

loop(#{guard := Guard, caller := Caller, next := Next, drain := Drain} = State) ->
    receive
        {stop, From, Ref} -> answer(From, Ref, finish(State));
        {missing, From, Ref} -> From ! {Ref, strobe_calls:missing(so_far, maps:get(calls, State))}, loop(State);
        {filter, From, Ref, Filter} -> From ! {Ref, set_filter(Filter)}, loop(State);
        {'DOWN', Caller, process, _, _} -> finish(State);
        {'DOWN', Guard, process, _, _} -> loop(guarded(State));
        Said when Drain =/= none -> loop(State#{drain := strobe_drain:said(Said, Drain)})
    after max(0, Next - erlang:monotonic_time(millisecond)) ->
        case strobe_nif:status() of
            {0, Fullest, _Dropped} -> loop(tick(govern(Fullest, State)));
            {_LimitReached, _, _} -> wait_to_be_asked(finish(State), Caller)
        end
    end.

governor(_, #{governor := false}) -> off;
governor(Tracing, Options) -> strobe_governor:open(Tracing, maps:get(budget, Options, infinity)).

govern(Fullest, #{classes := Classes, governor := Governor} = State) ->
    case lists:member(calls, Classes) andalso Governor =/= off of
        true -> State#{governor := strobe_governor:look(Fullest, Governor)};
        false -> State
    end.

tick(#{tick := N, next := Next, classes := Classes, calls := Calls, busy := Before, node := Node, mailboxes := Mailboxes} = State) ->
    Vm = lists:member(vm, Classes),
    Due = max(Next, erlang:monotonic_time(millisecond) - ?TICK_MS),
    Vm andalso strobe_samples:missed((Due - Next) div ?TICK_MS),
    Busy = Vm andalso strobe_samples:take(N, Before),
    State#{busy := Busy, tick := N + 1, next := Due + ?TICK_MS, mailboxes := strobe_mailboxes:look(Mailboxes),
           calls := strobe_calls:look(Calls), node := named(Node),
           path := case N rem ?PATH_TICKS of 0 -> strobe_layout:code_path(maps:get(path, State)); _ -> maps:get(path, State) end}.

%% A node may get its name late: the last that the trace tells is its name. That it lost it is no name.
named(Known) ->
    case node() of
        Known -> Known;
        nonode@nohost when Known =/= none -> Known;
        Name -> strobe_nif:note(<<"node">>, atom_to_binary(Name, utf8)), Name
    end.

%% Tracing goes first, so that a full mailbox or a slow disk cannot keep it alive.
finish(#{tracing := Tracing, classes := Classes, drain := Drain, governor := Governor, stacks := Stacks, node := Node, calls := Calls, mailboxes := Mailboxes}) ->
    Stacks =:= none orelse strobe_stacks:close(Stacks),
    strobe_mailboxes:close(Mailboxes),
    named(Node),
    Counts = strobe_governor:counts(Governor),
    strobe_otp:clear(Tracing),
    strobe_governor:tell(Counts),
    lists:member(procs, Classes) andalso strobe_snapshot:labels([self()]),
    strobe_nif:halt_(),
    close(true),
    with_missing(strobe_calls:missing(at_end, Calls), strobe_drain:result(Drain)).

%% @private
with_missing([_ | _] = Lines, {ok, Summary}) -> {ok, Summary#{missing => Lines}};
with_missing(_, Result)                      -> Result.

%% Whoever has the answer finds no session any more, and may begin the next.
answer(From, Ref, Result) ->
    _ = [unregister(Name) || {registered_name, Name} <- [process_info(self(), registered_name)]],
    From ! {Ref, Result}.

%% A limit ended the capture; whoever began it may still ask what came of it.
wait_to_be_asked(_, none) -> ok;
wait_to_be_asked(Result, Caller) ->
    receive
        {stop, From, Ref} -> answer(From, Ref, Result);
        {'DOWN', Caller, process, _, _} -> ok
    end.

%% Rings may go only when no thread writes any more.
close(Finished) ->
    case strobe_nif:quiet() of
        true -> strobe_nif:close(Finished);
        false -> receive after 1 -> close(Finished) end
    end.

%% ---- the guard: what the owner cannot do when it is killed

guard(Owner, Stacks) -> spawn_monitor(fun() -> watch(erlang:monitor(process, Owner), Stacks) end).

%% It was killed; the next one.
guarded(#{stacks := Stacks} = State) ->
    {Pid, Ref} = guard(self(), Stacks),
    strobe_nif:hide(Pid),
    State#{guard := Ref}.

watch(Ref, Stacks) ->
    receive
        {'DOWN', Ref, process, _, normal} -> ok;
        {'DOWN', Ref, process, _, _} ->
            strobe_nif:halt_(),
            strobe_otp:clear(strobe_otp:orphan()),
            Stacks =:= none orelse strobe_stacks:put_back(maps:get(before, Stacks)),
            close(true);
        _ -> watch(Ref, Stacks)
    end.
