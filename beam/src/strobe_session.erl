%% One recording, from start to stop. Its owner is a process that holds the rings and the tracing. A guard watches the
%% owner and ends the tracing if the owner is killed. The trace contains neither of them.
%%
%%     {ok, Owner} = strobe_session:start(#{rings => File, trace => [procs, running, ...], ...})
%%     {ok, Summary} = strobe_session:stop(Owner)
%%
%% Options:
%%     rings      path of the shared file (required)
%%     trace      classes of events (default: all_classes())
%%     processes  all | new | existing | [pid()], the last with the processes that these spawn (default: all)
%%     modules, apps, functions   whose calls are recorded
%%     reload     whether these may be loaded again
%%     missing    a file for the names among them that the node does not have
%%     bytes      size of the shared memory
%%     filters    [{Scope, Program}], in force from the first event
%%     budget     events of a function before its calls are only counted
%%     governor   false: calls are never only counted (default: true)
%%     described  false: processes that exist already, and labels, need not be described (default: true)
%%     memory     false: the memory of the node is not sampled (default: true)
%%     careful    true: see beam/c_src/room.h
%%     alone      true: no other tool can trace yet, as while the kernel starts, and nobody is asked
%%     caller     the recording ends with this process
%%     flight     true: the drain is a flight recorder, and keeps the last seconds alone
%%     log        a level: with `flight', an event logged at it asks for the trace
%%     code       write which function each address of native code is of, beside the rings, once the node has used so
%%                many milliseconds of the CPU (strobe_functions)
%%     apart      more processes and ports that are not recorded
%%     duration   milliseconds after which the drain ends the recording: the session does not rest beyond
%%     name       registered name of the owner
%%     drain      argument of strobe_drain:start/2 (default: the rings are drained by somebody else)
-module(strobe_session).
-export([start/1, start_loaded/1, stop/1, is_over/1, tracing/2, take_name/1, missing/1, with_missing/2, filter/2]).
-export([all_classes/0, classes/0, recorded/1]).
-export([modules/1, processes_of/1, ports_of/1, process_flags/1, port_flags/1]).

-define(TRACER, {strobe_nif, 0}).
-define(TICK_MS, 10).
-define(SELDOM_MS, 100). % the time between ticks where nothing is sampled and no calls are watched
-define(ASLEEP_MS, 900). % readers look for samples within a second around what they show
-define(WANTED_MS, 50). % the time until a flight recorder's question is seen while the session sleeps
-define(PATH_MS, 100).
-define(GUARD_PATIENCE, 100). % in steps of 10 ms

%% The classes that `all` stands for, and all classes.
all_classes() -> [procs, running, messages, gc, ports, vm].
classes() -> [calls, sample, marks, migration, schedulers | all_classes()].

%% The classes whose events are recorded. Marks need none, since each recording has them; what ran where shows
%% migrations and the activity of schedulers.
-spec recorded([atom()]) -> [atom()].
recorded(Classes) ->
    lists:usort(lists:flatmap(fun(all)   -> all_classes();
                                 (marks) -> [];
                                 (C) when C =:= migration; C =:= schedulers -> [running];
                                 (C) -> [C]
                              end, Classes)).

-spec start(map()) -> {ok, pid()} | {error, term()}.
start(Options) -> start(Options, fun() -> strobe_program:load(modules(classes(Options), Options)) end).

%% The same where the modules of a recording are loaded already.
-spec start_loaded(map()) -> {ok, pid()} | {error, term()}.
start_loaded(Options) -> start(Options, fun() -> ok end).

start(Options, Load) ->
    Caller = self(),
    {Owner, Ref} = spawn_monitor(fun() -> Load(), own(Caller, Options) end),
    receive
        {Owner, started} -> erlang:demonitor(Ref, [flush]), {ok, Owner};
        {Owner, {error, _} = Error} -> erlang:demonitor(Ref, [flush]), Error;
        {'DOWN', Ref, process, Owner, Reason} -> {error, Reason}
    end.

%% Returns the summary of the drain (empty if the drain is not ours). Its key `missing' has a line for each requested
%% module, application and function that was never loaded.
-spec stop(pid()) -> {ok, map()} | {error, term()}.
stop(Owner) -> ask(Owner, fun(Ref) -> {stop, self(), Ref} end).

%% Whether a limit, or a drain that failed, has ended the recording, and its result is there. Waits for one that ends.
-spec is_over(pid()) -> boolean().
is_over(Owner) -> ask(Owner, fun(Ref) -> {is_over, self(), Ref} end) =:= true.

%% Switches the tracing of all but `procs' off and on again, without an end of the recording. What processes exist stays
%% known, and so the tracer stays theirs.
-spec tracing(pid(), boolean()) -> ok | {error, term()}.
tracing(Owner, IsOn) -> ask(Owner, fun(Ref) -> {tracing, IsOn, self(), Ref} end).

%% Registers the calling process. A recording that ended by its limit leaves the name, and its result is lost.
-spec take_name(atom()) -> ok | {error, {already_started, pid()}}.
take_name(Name) ->
    try register(Name, self()) of
        true -> ok
    catch error:badarg ->
        case whereis(Name) of
            undefined -> take_name(Name);
            Owner ->
                case ask(Owner, fun(Ref) -> {leave, self(), Ref} end) of
                    running -> {error, {already_started, Owner}};
                    _ -> take_name(Name)
                end
        end
    end.

%% Returns the same lines for the present moment.
-spec missing(pid()) -> [string()].
missing(Owner) -> ask(Owner, fun(Ref) -> {missing, self(), Ref} end).

ask(Owner, Question) ->
    Ref = erlang:monitor(process, Owner),
    Owner ! Question(Ref),
    receive
        {Ref, Result} -> erlang:demonitor(Ref, [flush]), Result;
        {'DOWN', Ref, process, Owner, Reason} -> {error, Reason}
    end.

%% Sets a filter, {Scope, Program} of strobe_filter. Only the owner changes filters.
-spec filter(pid(), {term(), strobe_filter:program()}) -> ok | {error, term()}.
filter(Owner, Filter) -> ask(Owner, fun(Ref) -> {filter, self(), Ref, Filter} end).

%% ---- the owner

own(Caller, Options) ->
    process_flag(priority, high),
    Classes = classes(Options),
    case prepare(Options) of
        ok ->
            Node = named(none),
            Drain = open_if(is_map_key(drain, Options),
                            fun() -> strobe_drain:start(maps:get(drain, Options), maps:get(rings, Options)) end),
            Stacks = stacks(Options),
            lists:member(calls, Classes) andalso strobe_spawn:open(),
            Logs = is_map_key(log, Options),
            {Guard, Watching} = guard(self(), {Stacks, Logs}),
            Tracing = strobe_otp:open(strobe, ?TRACER),
            Mailboxes = open_if(has_mailboxes(Classes), fun strobe_mailboxes:open/0),
            Flight = open_if(maps:get(flight, Options, false), fun strobe_flight:open/0),
            Functions = open_if(is_map_key(code, Options),
                                fun() -> strobe_functions:open(maps:get(rings, Options) ++ ".functions",
                                                               maps:get(code, Options)) end),
            {Apart, PortsApart} = lists:partition(fun is_pid/1, maps:get(apart, Options, [])),
            Own = [self(), Guard | Apart ++ hidden(Stacks) ++ askers(Mailboxes)]
                ++ case Flight of none -> []; _ -> Flight end,
            Calls = switch_on(Tracing, Own, Options),
            _ = [strobe_flight:watch_log(Level) || #{log := Level} <- [Options]],
            _ = [strobe_otp:leave_port(Tracing, P) || P <- PortsApart],
            Stacks =:= none orelse strobe_stacks:begin_(Stacks),
            Watched = case Options of #{caller := C} -> erlang:monitor(process, C); _ -> none end,
            Caller ! {self(), started},
            loop(tick(#{node => Node, tracing => Tracing, guard => Watching, stacks => Stacks, logs => Logs,
                        caller => Watched,
                        classes => Classes, described => describes(Options),
                        flight => flight(Flight, Own, Classes, Options),
                        calls => Calls, functions => Functions, drain => Drain,
                        next => erlang:monotonic_time(millisecond), asleep => false,
                        sleeps => sleeps(Classes, Options), ends => ends(Options),
                        every => case lists:member(vm, Classes) orelse names_calls(Options) of true -> ?TICK_MS;
                                     false -> ?SELDOM_MS end,
                        governor => governor(Tracing, Classes, Options), mailboxes => Mailboxes,
                        samples => open_if(lists:member(vm, Classes),
                                           fun() -> strobe_samples:open(maps:get(memory, Options, true)) end),
                        path => {erlang:monotonic_time(millisecond), {length(erlang:loaded()), code:get_path()}}}));
        {error, _} = Error ->
            Caller ! {self(), Error}
    end.

%% The modules that a recording uses, so that others cost its start nothing. All are loaded before the tracing begins:
%% the loading of a module is work of processes, which the trace would contain.
modules(Classes, Options) ->
    [strobe_nif, strobe_otp, strobe_layout, strobe_snapshot, strobe_cost, strobe_funs]
        ++ [strobe_drain || is_map_key(drain, Options)]
        ++ [strobe_filter || is_map_key(filters, Options)]
        ++ [strobe_flight || maps:get(flight, Options, false)]
        ++ [strobe_functions || is_map_key(code, Options)]
        ++ [strobe_samples || lists:member(vm, Classes)]
        ++ [strobe_mailboxes || has_mailboxes(Classes)]
        ++ [strobe_stacks || lists:member(sample, Classes)]
        ++ [M || names_calls(Options), M <- [strobe_calls, strobe_names]]
        ++ [M || lists:member(calls, Classes), M <- [strobe_governor, strobe_spawn]].

%% All modules of a recording, for a node that has none of them.
-spec modules(map()) -> [module()].
modules(Options) -> [?MODULE, strobe_program | modules(classes(Options), Options)].

names_calls(Options) -> lists:any(fun(Key) -> maps:get(Key, Options, []) =/= [] end, [apps, modules, functions]).

has_mailboxes(Classes) -> lists:member(vm, Classes) andalso lists:member(messages, Classes).

open_if(true, Open) -> Open();
open_if(false, _)   -> none.

classes(Options) ->
    recorded(maps:get(trace, Options, [all])).

prepare(#{name := Name} = Options) ->
    case take_name(Name) of
        ok -> prepare(maps:remove(name, Options));
        Error -> Error
    end;
prepare(Options) ->
    bury(?GUARD_PATIENCE),
    case maps:get(alone, Options, false) orelse strobe_otp:others() of
        Alone when Alone =:= true; Alone =:= none -> open_rings(Options);
        {tracer, Who} -> {error, {already_traced_by, Who}}
    end.

open_rings(#{rings := Path} = Options) ->
    Costs = strobe_cost:measure(classes(Options)),
    Sizes = strobe_layout:sizes(maps:get(bytes, Options, 64 bsl 20)),
    case strobe_layout:open(unicode:characters_to_binary(Path), Sizes, maps:get(careful, Options, false)) of
        ok ->
            [strobe_nif:note(K, V) || {K, V} <- strobe_layout:facts()],
            [strobe_nif:note(<<"command">>, Command) || #{command := Command} <- [Options]],
            [strobe_nif:note(<<"cost_ns_x100_", (atom_to_binary(C, utf8))/binary>>, integer_to_binary(Cost))
             || {C, Cost} <- Costs],
            [strobe_nif:note(<<"recorded">>, atom_to_binary(C, utf8)) || C <- classes(Options)],
            ok;
        Error -> Error
    end.

%% The snapshot of the existing processes precedes their tracing, since a question wakes a process.
switch_on(Tracing, Own, Options) ->
    Who = maps:get(processes, Options, all),
    Classes = classes(Options),
    [true = strobe_nif:hide(Pid) || Pid <- Own],
    [ok = set_filter(F) || F <- maps:get(filters, Options, [])],
    Snapshot = case describes(Options) of true -> strobe_snapshot:take(Own, Classes); false -> [] end,
    strobe_nif:begin_(),
    strobe_snapshot:emit(Snapshot, Who),
    Calls = open_if(names_calls(Options), fun() -> strobe_calls:open(Tracing, Options) end),
    {ProcessFlags, PortFlags} = flags(Classes),
    Children = [set_on_spawn || is_list(Who)],
    [strobe_otp:ports_to(Tracing, ?TRACER, ports_of(Who), PortFlags) || PortFlags =/= [], is_atom(Who)],
    [strobe_otp:send_to(Tracing, ?TRACER, W, Children ++ ProcessFlags) || ProcessFlags =/= [], W <- processes_of(Who)],
    Calls.

describes(Options) -> maps:get(described, Options, true).

switch(IsOn, #{tracing := Tracing, classes := Classes}) ->
    {Flags, _} = flags(Classes -- [procs]),
    _ = case IsOn of
            true  -> strobe_otp:send_to(Tracing, ?TRACER, processes, Flags);
            false -> strobe_otp:processes(Tracing, processes, false, Flags)
        end,
    ok.

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

%% Opens the sampler of stacks. If `running` is recorded, the tracer knows the running processes from their `in` events.
stacks(Options) ->
    Classes = classes(Options),
    case {lists:member(sample, Classes), lists:member(running, Classes)} of
        {false, _} -> none;
        {true, true} -> strobe_stacks:open(table);
        {true, false} -> strobe_stacks:open(maps:get(processes, Options, all))
    end.

hidden(none) -> [];
hidden(Stacks) -> strobe_stacks:pids(Stacks).

askers(none) -> [];
askers(Mailboxes) -> strobe_mailboxes:pids(Mailboxes).

loop(#{guard := Guard, caller := Caller, drain := Drain} = State) ->
    receive
        {stop, From, Ref} -> answer(From, Ref, finish(State));
        {is_over, From, Ref} -> From ! {Ref, false}, loop(State);
        {missing, From, Ref} -> From ! {Ref, missing_calls(so_far, State)}, loop(State);
        {filter, From, Ref, Filter} -> From ! {Ref, set_filter(Filter)}, loop(State);
        {leave, From, Ref} -> From ! {Ref, running}, loop(State);
        {tracing, IsOn, From, Ref} -> From ! {Ref, switch(IsOn, State)}, loop(State);
        {'DOWN', Caller, process, _, _} -> finish(State);
        {'DOWN', Guard, process, _, _} -> loop(guarded(State));
        strobe_stirred -> look_around(State);
        Message when Drain =/= none -> loop(State#{drain := strobe_drain:handle(Message, Drain)})
    after pause(State) ->
        case pause(State) of
            0 -> look_around(State);
            _ -> look_at(State), loop(State)
        end
    end.

pause(#{next := Next, asleep := Asleep, flight := Flight}) ->
    Left = max(0, Next - erlang:monotonic_time(millisecond)),
    case Asleep andalso Flight =/= none of
        true  -> min(Left, ?WANTED_MS);
        false -> Left
    end.

look_around(#{caller := Caller} = State) ->
    case strobe_nif:status() of
        {0, Fullest, _Dropped} -> loop(tick(govern(Fullest, State)));
        {_LimitReached, _, _} -> wait_to_be_asked(finish(State), Caller)
    end.

governor(Tracing, Classes, Options) ->
    case lists:member(calls, Classes) andalso maps:get(governor, Options, true) of
        true -> strobe_governor:open(Tracing, maps:get(budget, Options, infinity));
        false -> none
    end.

govern(_, #{governor := none} = State) -> State;
govern(Fullest, #{governor := Governor} = State) -> State#{governor := strobe_governor:look(Fullest, Governor)}.

%% The session sleeps between two ticks while nothing happens. The first event wakes it.
tick(#{next := Next, every := Every, asleep := Slept, calls := Calls, samples := Samples, node := Node,
       functions := Functions, mailboxes := Mailboxes, path := Path, flight := Flight} = State) ->
    Now = erlang:monotonic_time(millisecond),
    First = strobe_nif:rest(false),
    Stirred = First =/= none,
    Late = case Slept of true -> 0; false -> max(0, Now - Next) end,
    Stirred andalso strobe_funs:name(),
    Flight =:= none orelse describe_again(Flight),
    look_at(State),
    Slept andalso Stirred andalso look(Samples, fun(S) -> strobe_samples:idle(First), S end),
    Since = if Stirred -> stirred; Slept -> rested; true -> still end,
    rest(Stirred, State#{next := Now - min(Late, Every) + Every, node := named(Node),
                         samples := look(Samples, fun(S) -> strobe_samples:take(Late, Since, S) end),
                         mailboxes := look(Mailboxes, fun(M) ->
                                                          case Stirred of true -> strobe_mailboxes:look(M);
                                                              false -> M end end),
                         calls := look(Calls, fun strobe_calls:look/1),
                         functions := look(Functions, fun strobe_functions:look/1),
                         path := code_path(Now, Path)}).

flight(none, _, _, _) -> none;
flight(Askers, Own, Classes, Options) -> {Askers, Own, Classes, maps:get(processes, Options, all)}.

look_at(#{flight := none})                -> ok;
look_at(#{flight := {Askers, _, _, _}}) -> strobe_flight:look(Askers).

%% A flight recorder that was killed takes with it what it knew of the processes.
describe_again({_, Own, Classes, Who}) ->
    strobe_nif:forgot() andalso strobe_snapshot:emit(strobe_snapshot:take(Own, Classes), Who).

%% Every event of a process must be recorded, or else its absence would not show that the node is idle.
sleeps(Classes, Options) ->
    maps:get(processes, Options, all) =:= all andalso lists:member(running, Classes).

%% The drain ends a recording that has lasted long enough; the session is awake by then to notice. No time is later than
%% `infinity'.
ends(#{duration := Ms}) -> erlang:monotonic_time(millisecond) + Ms;
ends(_)                 -> infinity.

rest(false, #{sleeps := true, ends := Ends} = State) ->
    Now = erlang:monotonic_time(millisecond),
    case Now < Ends andalso is_idle() andalso strobe_nif:rest(true) of
        none -> State#{asleep := true, next := min(Now + ?ASLEEP_MS, Ends)};
        _ -> State#{asleep := false}
    end;
rest(_, State) -> State#{asleep := false}.

%% Whether no process but this one runs or waits in a run queue.
is_idle() -> lists:sum(erlang:statistics(active_tasks_all)) =< 1.

code_path(Now, {Then, Path}) when Now - Then >= ?PATH_MS -> {Now, strobe_layout:code_path(Path)};
code_path(_, Known) -> Known.

look(none, _)    -> none;
look(State, Fun) -> Fun(State).

missing_calls(_, #{calls := none})     -> [];
missing_calls(When, #{calls := Calls}) -> strobe_calls:missing(When, Calls).

%% Records the name of the node, which it may get late. The last name in the trace counts; a node that loses its name
%% keeps it there.
named(Known) ->
    case node() of
        Known -> Known;
        nonode@nohost when Known =/= none -> Known;
        Name -> strobe_nif:note(<<"node">>, atom_to_binary(Name, utf8)), Name
    end.

%% The tracing ends first, so that neither a full mailbox nor a slow disk prolongs it.
finish(#{tracing := Tracing, classes := Classes, drain := Drain, governor := Governor, stacks := Stacks, node := Node,
         mailboxes := Mailboxes, described := Described, logs := Logs, flight := Flight} = State) ->
    leave_log(Logs),
    Flight =:= none orelse strobe_flight:close(element(1, Flight)),
    Stacks =:= none orelse strobe_stacks:close(Stacks),
    Mailboxes =:= none orelse strobe_mailboxes:close(Mailboxes),
    named(Node),
    Counts = case Governor of none -> []; _ -> strobe_governor:counts(Governor) end,
    strobe_otp:clear(Tracing),
    Governor =:= none orelse strobe_governor:clear(Tracing),
    Counts =:= [] orelse strobe_governor:record(Counts),
    lists:member(procs, Classes) andalso Described andalso strobe_snapshot:labels([self()]),
    strobe_funs:name(),
    strobe_nif:halt_(),
    close(true),
    with_missing(missing_calls(at_end, State), result(Drain)).

result(none)  -> {ok, #{}};
result(Drain) -> strobe_drain:result(Drain).

%% @private
with_missing([_ | _] = Lines, {ok, Summary}) -> {ok, Summary#{missing => Lines}};
with_missing(_, Result)                      -> Result.

%% The name is free before the answer is sent, so that the caller can begin the next recording at once.
answer(From, Ref, Result) ->
    _ = [unregister(Name) || {registered_name, Name} <- [process_info(self(), registered_name)]],
    From ! {Ref, Result}.

%% Waits for the caller's request for the result after a limit has ended the recording.
wait_to_be_asked(_, none) -> ok;
wait_to_be_asked(Result, Caller) ->
    receive
        {stop, From, Ref} -> answer(From, Ref, Result);
        {leave, From, Ref} -> answer(From, Ref, ended);
        {is_over, From, Ref} -> From ! {Ref, true}, wait_to_be_asked(Result, Caller);
        {'DOWN', Caller, process, _, _} -> ok
    end.

leave_log(Logs) -> Logs andalso strobe_flight:leave_log().

%% Closes the rings as soon as no thread writes to them.
close(Finished) ->
    case strobe_nif:quiet() of
        true -> strobe_nif:close(Finished);
        false -> receive after 1 -> close(Finished) end
    end.

%% ---- the guard: ends the tracing of an owner that was killed

guard(Owner, Held) -> spawn_monitor(fun() -> watch(erlang:monitor(process, Owner), Held) end).

clear_orphan() ->
    strobe_otp:clear(strobe_otp:orphan()),
    strobe_governor:clear(strobe_otp:orphan()).

%% Ends a recording whose owner and guard died together. A guard that lives does so itself, within milliseconds.
bury(Patience) ->
    case strobe_nif:is_orphan() of
        true when Patience > 0 -> receive after 10 -> bury(Patience - 1) end;
        true -> clear_orphan(), close(true);
        false -> ok
    end.

%% Starts another guard after one was killed.
guarded(#{stacks := Stacks, logs := Logs} = State) ->
    {Pid, Ref} = guard(self(), {Stacks, Logs}),
    strobe_nif:hide(Pid),
    State#{guard := Ref}.

watch(Ref, {Stacks, Logs} = Held) ->
    receive
        {'DOWN', Ref, process, _, normal} -> ok;
        {'DOWN', Ref, process, _, _} ->
            strobe_nif:halt_(),
            clear_orphan(),
            Stacks =:= none orelse strobe_stacks:put_back(maps:get(before, Stacks)),
            close(true),
            leave_log(Logs);
        _ -> watch(Ref, Held)
    end.
