%% @doc Tracing and breakpoint counters, with one interface for all OTP releases.
%%
%% From OTP 27 on each user gets a trace session of its own, which does not affect the tracing of others and ends with
%% the process that holds it. Earlier releases have one set of trace flags and counters per node, without an owner;
%% there this module only passes calls on. No other module knows which of the two interfaces exists.
%%
%% A session lives as long as its handle. {@link session/1} leaves the handle with a keeper process, registered under
%% the given name, and asks the keeper by plain message passing: it calls no function of another module, since the
%% counts would contain such calls. {@link open/1} is for a process that is the tracer and keeps the handle itself.
-module(strobe_otp).

-export([session/1, close/1, open/1, open/2, shared/0, delivered/2, shut/1, clear/1, orphan/0, others/0]).
-export([pattern/4, read/3, processes/4, cpu_time/2, send_to/4, ports_to/4, leave_port/2]).
-export([is_traced/1, is_traced_by/2, gc_is_safe/0]).
-export([kinds/0, eprof_failure/1]).
-export_type([session/0, kind/0, tracer/0]).

-type kind()    :: call_count | call_time | call_memory.
-type session() :: node | {session, term()}.
-type tracer()  :: pid() | port() | {module(), term()}.
-type which()   :: pid() | port() | all | new | existing | processes | existing_processes | new_processes
                 | ports | existing_ports | new_ports.

-define(PATIENCE_MS, 5000).

%% @doc Returns the session of the user `Name' and opens it if necessary. `node' stands for the counters that the whole
%% node shares.
-spec session(atom()) -> session().
session(Name) ->
    try
        Name ! {session, self()},
        receive {Name, Session} -> Session after ?PATIENCE_MS -> exit({no_answer, Name}) end
    catch
        error:badarg -> start_keeper(Name)
    end.

%% @doc Open a session whose tracer is the calling process, which passes it to {@link shut/1}.
-spec open(atom()) -> session().
open(Name) -> open(Name, self()).

%% @doc Open a session whose tracer is this process, port, or module with its state.
-spec open(atom(), tracer()) -> session().
open(Name, Tracer) ->
    case has_sessions() of
        true  -> {session, trace:session_create(Name, Tracer, [])};
        false -> node
    end.

%% @doc Returns the flags and counters that the node shares, on any release.
-spec shared() -> session().
shared() -> node.

%% @doc Wait until all events so far have reached the tracer, which is the caller.
-spec delivered(session(), pid() | all) -> ok.
delivered(node, Which) ->
    Ref = erlang:trace_delivered(Which),
    receive {trace_delivered, Which, Ref} -> ok end;
delivered({session, Session}, Which) ->
    Ref = trace:delivered(Session, Which),
    receive {trace_delivered, Which, Ref} -> ok end.

%% @doc End the session. Flags and patterns that the node shares stay; {@link clear/1} removes them.
-spec shut(session()) -> ok.
shut(node)               -> ok;
shut({session, Session}) -> _ = trace:session_destroy(Session), ok.

%% @doc Remove all flags and breakpoints that make events, and end the session. Counters are left alone, since those of
%% the node may be somebody else's.
-spec clear(session() | none) -> ok.
clear(none) ->
    ok;
clear(node) ->
    _ = has_dirty_race() andalso remove_events(),
    _ = erlang:trace(all, false, [all]),
    _ = erlang:trace_pattern({'_', '_', '_'}, false, [local]),
    _ = erlang:trace_pattern(on_load, false, [local]),
    ok;
clear(Session) ->
    shut(Session).

%% Before OTP 25.3 a thread of a dirty scheduler that finds a flag of an event set, and then no tracer, crashes the VM
%% (erlang/otp #5984, #6448). Such threads are not stopped while the flags of all processes change. So the tracer is set
%% before these flags and removed after them, when any thread that has seen a flag is done: one that gets no core may
%% take long, but it holds the lock of its process, and so the tracers are removed one by one, which needs that lock.
%% The flag `arity' holds the tracer meanwhile: it makes no events.
-define(HOLDS_TRACER, arity).
-define(EVENT_FLAGS, [send, 'receive', procs, call, return_to, silent, ports, running, running_ports, exiting,
                      garbage_collection, set_on_spawn]).
-define(DIRTY_MS, 100).

has_dirty_race() ->
    Version = erlang:system_info(version),
    release() < 25 orelse lists:prefix("13.0", Version) orelse lists:prefix("13.1", Version).

remove_events() ->
    _ = erlang:trace(all, false, ?EVENT_FLAGS),
    receive after ?DIRTY_MS -> ok end,
    lists:foreach(fun remove_tracer/1, erlang:processes()).

remove_tracer(Process) ->
    try erlang:trace(Process, false, [all])
    catch error:badarg -> 0 % it has ended
    end.

%% @doc Returns what remains to be cleared after the process that opened a session has ended: the session ended with it.
-spec orphan() -> session() | none.
orphan() ->
    case has_sessions() of true -> none; false -> node end.

%% @doc Returns another tracer that prevents ours. With sessions there is none.
-spec others() -> none | {tracer, term()}.
others() ->
    case has_sessions() of
        true  -> none;
        false -> first_tracer([new_processes, new_ports | erlang:processes()])
    end.

first_tracer([]) ->
    none;
first_tracer([Who | Rest]) ->
    case erlang:trace_info(Who, tracer) of
        {tracer, Tracer} when Tracer =/= [] -> {tracer, Tracer};
        _                                   -> first_tracer(Rest)
    end.

%% @doc Close the session of `Name'. With sessions this removes all its breakpoints.
-spec close(atom()) -> ok.
close(Name) ->
    case whereis(Name) of
        undefined -> ok;
        Keeper ->
            Monitor = erlang:monitor(process, Keeper),
            Keeper ! close,
            receive {'DOWN', Monitor, process, Keeper, _} -> ok end
    end.

%% @doc Set, restart, pause or clear counters. Returns the number of matching functions.
-spec pattern(session(), term(), boolean() | restart | pause | [term()], [kind() | local]) -> non_neg_integer().
pattern(node, Spec, Switch, Kinds)               -> erlang:trace_pattern(Spec, Switch, Kinds);
pattern({session, Session}, Spec, Switch, Kinds) -> trace:function(Session, Spec, Switch, Kinds).

%% @doc Returns the counter of a function; `undefined' if the function no longer exists.
-spec read(session(), mfa(), kind()) -> term().
read(node, MFA, Kind) ->
    {Kind, Value} = erlang:trace_info(MFA, Kind),
    Value;
read({session, Session}, MFA, Kind) ->
    {Kind, Value} = trace:info(Session, MFA, Kind),
    Value.

%% @doc Set or clear trace flags of processes. The kinds call_time and call_memory count only in traced processes.
-spec processes(session(), which(), boolean(), [atom()]) -> non_neg_integer().
processes(node, Which, Switch, Flags)               -> erlang:trace(Which, Switch, Flags);
processes({session, Session}, Which, Switch, Flags) -> trace:process(Session, Which, Switch, Flags).

%% @doc Switch time stamps of events to CPU time, which only the node as a whole can do.
-spec cpu_time(session(), boolean()) -> non_neg_integer().
cpu_time(node, Switch) -> erlang:trace(all, Switch, [cpu_timestamp]);
cpu_time(_, false)     -> 0.

%% @doc Send events of processes to the session's tracer.
-spec send_to(session(), tracer(), which(), [atom()]) -> non_neg_integer().
send_to(node, Tracer, Which, Flags) ->
    _ = is_tuple(Tracer) andalso has_dirty_race() andalso erlang:trace(Which, true, [to(Tracer), ?HOLDS_TRACER]),
    erlang:trace(Which, true, [to(Tracer) | Flags]);
send_to({session, Session}, _, Which, Flags) -> trace:process(Session, Which, true, Flags).

%% @doc Send events of ports to it.
-spec ports_to(session(), tracer(), which(), [atom()]) -> non_neg_integer().
ports_to(node, Tracer, Which, Flags)          -> erlang:trace(Which, true, [to(Tracer) | Flags]);
ports_to({session, Session}, _, Which, Flags) -> trace:port(Session, Which, true, Flags).

%% @doc Stop the events of a port.
-spec leave_port(session(), port()) -> ok.
leave_port(Session, Port) ->
    try
        _ = case Session of
                node               -> erlang:trace(Port, false, [all]);
                {session, Tracing} -> trace:port(Tracing, Port, false, [all])
            end,
        ok
    catch error:badarg -> ok % it has closed
    end.

to({Module, State}) -> {tracer, Module, State};
to(Tracer)          -> {tracer, Tracer}.

%% @doc Whether any tracer traces this process.
-spec is_traced(pid()) -> boolean().
is_traced(Pid) ->
    case has_sessions() of
        true  -> not lists:member(trace:session_info(Pid), [undefined, []]);
        false -> erlang:trace_info(Pid, tracer) =/= {tracer, []}
    end.

%% @doc Whether this session traces it; without sessions, whether the calling process does.
-spec is_traced_by(session(), pid()) -> boolean().
is_traced_by(node, Pid)               -> erlang:trace_info(Pid, tracer) =:= {tracer, self()};
is_traced_by({session, Session}, Pid) -> {flags, Flags} = trace:info(Session, Pid, flags), Flags =/= [].

%% @doc Whether garbage collections can be traced. Two sessions that trace those of one process crash OTP 27 to 29
%% (erlang/otp #11624), so ours does not if there is another. The session of the classic functions counts only while it
%% traces.
-spec gc_is_safe() -> boolean().
gc_is_safe() ->
    not has_sessions() orelse is_alone(trace:session_info(all)).

is_alone({all, Sessions}) -> is_alone(Sessions);
is_alone(Sessions) when is_list(Sessions) ->
    length(Sessions) =< 2 andalso erlang:trace_info(new_processes, flags) =:= {flags, []};
is_alone(_) -> false.

%% @doc Returns the kinds of counters of this release.
-spec kinds() -> [kind()].
kinds() ->
    [call_count, call_time] ++ [call_memory || release() >= 26].

%% @doc Returns the answer of eprof for a process that cannot be traced: a bare atom before OTP 28.
-spec eprof_failure(pid()) -> error | {error, term()}.
eprof_failure(Pid) ->
    case release() of
        Release when Release >= 28 -> {error, {set_process_trace_failed, Pid}};
        _                          -> error
    end.

release() -> list_to_integer(erlang:system_info(otp_release)).

start_keeper(Name) ->
    Opener = self(),
    Keeper = spawn(fun() -> keeper(Name, Opener) end),
    Monitor = erlang:monitor(process, Keeper),
    receive
        {Name, Session} -> erlang:demonitor(Monitor, [flush]), Session;
        {'DOWN', Monitor, process, Keeper, lost_race} -> session(Name);
        {'DOWN', Monitor, process, Keeper, Reason} -> exit(Reason)
    end.

keeper(Name, Opener) ->
    try register(Name, self()) catch error:badarg -> exit(lost_race) end,
    Session = open(Name),
    Opener ! {Name, Session},
    keep(Name, Session).

keep(Name, Session) ->
    receive
        {session, Asker} -> Asker ! {Name, Session}, keep(Name, Session);
        close            -> shut(Session);
        _                -> keep(Name, Session)
    end.

has_sessions() -> release() >= 27.
