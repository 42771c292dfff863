%% @doc Tracing and breakpoint counters, the same on every OTP release.
%%
%% From OTP 27 each user gets a trace session of its own, so that nobody else's tracing is touched; it ends by itself
%% when the process that holds it ends. Before that the node has one set of trace flags and counters, which nobody
%% owns, and this module is a thin cover over it. It is the only one that knows which of the two interfaces is there.
%%
%% A session lives as long as its handle does. {@link session/1} leaves it with a keeper process, registered under
%% the name given, and asks the keeper by plain message passing: it calls no function of another module, which
%% would show up in the counts. {@link open/1} is for a process that is the tracer and keeps the handle itself.
-module(strobe_otp).

-export([session/1, close/1, open/1, open/2, shared/0, delivered/2, shut/1, clear/1, orphan/0, others/0]).
-export([pattern/4, read/3, processes/4, cpu_time/2, send_to/4, ports_to/4, is_traced/1, is_traced_by/2, gc_is_safe/0]).
-export([kinds/0, eprof_failure/1]).
-export_type([session/0, kind/0, tracer/0]).

-type kind()    :: call_count | call_time | call_memory.
-type session() :: node | {session, term()}.
-type tracer()  :: pid() | port() | {module(), term()}.
-type which()   :: pid() | port() | all | new | existing | processes | existing_processes | new_processes
                 | ports | existing_ports | new_ports.

-define(PATIENCE_MS, 5000).

%% @doc The session of the user `Name', opened if need be. `node' means the counters that the whole node shares.
-spec session(atom()) -> session().
session(Name) ->
    try
        Name ! {session, self()},
        receive {Name, Session} -> Session after ?PATIENCE_MS -> exit({no_answer, Name}) end
    catch
        error:badarg -> start_keeper(Name)
    end.

%% @doc A session whose tracer is the calling process, to be given to {@link shut/1} by it.
-spec open(atom()) -> session().
open(Name) -> open(Name, self()).

%% @doc A session whose tracer is this process, port or module with its state.
-spec open(atom(), tracer()) -> session().
open(Name, Tracer) ->
    case has_sessions() of
        true  -> {session, trace:session_create(Name, Tracer, [])};
        false -> node
    end.

%% @doc What the node has one of, on any release.
-spec shared() -> session().
shared() -> node.

%% @doc Wait until all that was traced so far has reached the tracer, which is the caller.
-spec delivered(session(), pid() | all) -> ok.
delivered(node, Which) ->
    Ref = erlang:trace_delivered(Which),
    receive {trace_delivered, Which, Ref} -> ok end;
delivered({session, Session}, Which) ->
    Ref = trace:delivered(Session, Which),
    receive {trace_delivered, Which, Ref} -> ok end.

%% @doc The session's end. Flags and patterns that the node shares stay: {@link clear/1} them.
-spec shut(session()) -> ok.
shut(node)               -> ok;
shut({session, Session}) -> _ = trace:session_destroy(Session), ok.

%% @doc All flags and patterns off, and the session gone.
-spec clear(session() | none) -> ok.
clear(none) ->
    ok;
clear(node) ->
    _ = erlang:trace(all, false, [all]),
    _ = erlang:trace_pattern({'_', '_', '_'}, false, [local, call_count]),
    _ = erlang:trace_pattern(on_load, false, [local]),
    ok;
clear(Session) ->
    shut(Session).

%% @doc What there is to clear when the process that opened a session is gone: its session went with it.
-spec orphan() -> session() | none.
orphan() ->
    case has_sessions() of true -> none; false -> node end.

%% @doc Who else is tracing, as far as it stands in our way: nobody does where we have a session.
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

%% @doc Let go of `Name''s session; with a session of its own all its breakpoints vanish.
-spec close(atom()) -> ok.
close(Name) ->
    case whereis(Name) of
        undefined -> ok;
        Keeper ->
            Monitor = erlang:monitor(process, Keeper),
            Keeper ! close,
            receive {'DOWN', Monitor, process, Keeper, _} -> ok end
    end.

%% @doc Set, restart, pause or clear counters; answers how many functions matched.
-spec pattern(session(), term(), boolean() | restart | pause | [term()], [kind() | local]) -> non_neg_integer().
pattern(node, Spec, Switch, Kinds)               -> erlang:trace_pattern(Spec, Switch, Kinds);
pattern({session, Session}, Spec, Switch, Kinds) -> trace:function(Session, Spec, Switch, Kinds).

%% @doc What one function's counter says; `undefined' when the function is gone.
-spec read(session(), mfa(), kind()) -> term().
read(node, MFA, Kind) ->
    {Kind, Value} = erlang:trace_info(MFA, Kind),
    Value;
read({session, Session}, MFA, Kind) ->
    {Kind, Value} = trace:info(Session, MFA, Kind),
    Value.

%% @doc Switch trace flags of processes: call_time and call_memory count only in processes that are traced.
-spec processes(session(), which(), boolean(), [atom()]) -> non_neg_integer().
processes(node, Which, Switch, Flags)               -> erlang:trace(Which, Switch, Flags);
processes({session, Session}, Which, Switch, Flags) -> trace:process(Session, Which, Switch, Flags).

%% @doc Stamp events with CPU time; only the node as a whole can.
-spec cpu_time(session(), boolean()) -> non_neg_integer().
cpu_time(node, Switch) -> erlang:trace(all, Switch, [cpu_timestamp]);
cpu_time(_, false)     -> 0.

%% @doc Have events of processes sent to the session's tracer.
-spec send_to(session(), tracer(), which(), [atom()]) -> non_neg_integer().
send_to(node, Tracer, Which, Flags)          -> erlang:trace(Which, true, [to(Tracer) | Flags]);
send_to({session, Session}, _, Which, Flags) -> trace:process(Session, Which, true, Flags).

%% @doc Have events of ports sent to it.
-spec ports_to(session(), tracer(), which(), [atom()]) -> non_neg_integer().
ports_to(node, Tracer, Which, Flags)          -> erlang:trace(Which, true, [to(Tracer) | Flags]);
ports_to({session, Session}, _, Which, Flags) -> trace:port(Session, Which, true, Flags).

to({Module, State}) -> {tracer, Module, State};
to(Tracer)          -> {tracer, Tracer}.

%% @doc Whether somebody traces this process already.
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

%% @doc Two sessions that trace the collections of one process crash OTP 27 to 29 (erlang/otp #11624): ours, open
%% already, stands back. The session that the classic functions use counts only when it traces.
-spec gc_is_safe() -> boolean().
gc_is_safe() ->
    not has_sessions() orelse is_alone(trace:session_info(all)).

is_alone({all, Sessions}) -> is_alone(Sessions);
is_alone(Sessions) when is_list(Sessions) ->
    length(Sessions) =< 2 andalso erlang:trace_info(new_processes, flags) =:= {flags, []};
is_alone(_) -> false.

%% @doc The kinds of counters this release has.
-spec kinds() -> [kind()].
kinds() ->
    [call_count, call_time] ++ [call_memory || release() >= 26].

%% @doc What eprof answers when a process can't be traced: a bare atom before OTP 28.
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
