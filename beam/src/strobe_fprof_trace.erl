%% @doc fprof's tracing: its flags, its match specification, its file.
-module(strobe_fprof_trace).

-export([tracer/1, on/4, off/1, close/1]).

%% Each call event contains its caller.
-define(CALLER, [{'_', [], [{message, {{cp, {caller}}}}]}]).
-define(FLAGS, [call, return_to, running, procs, garbage_collection, timestamp, set_on_spawn]).

%% @doc Returns the receiver of the trace, and whether we have to close it.
-spec tracer({file, file:filename()} | {tracer, pid() | port()}) -> {pid() | port(), boolean()}.
tracer({tracer, Tracer}) -> {Tracer, false};
tracer({file, Name})     -> {(dbg:trace_port(file, Name))(), true}.

-spec on(pid() | port(), [term()], boolean(), boolean()) -> {ok, strobe_otp:session()} | {error, not_supported}.
on(Tracer, Procs, Verbose, Cpu) ->
    Session = case Cpu of true -> strobe_otp:shared(); false -> strobe_otp:open(strobe_fprof, Tracer) end,
    clear(Session),
    try
        _ = Cpu andalso strobe_otp:cpu_time(Session, true),
        _ = [strobe_otp:pattern(Session, P, ?CALLER, [local]) || P <- [on_load, {'_', '_', '_'}]],
        _ = [strobe_otp:send_to(Session, Tracer, P, flags(Verbose)) || P <- Procs],
        {ok, Session}
    catch
        error:badarg when Cpu -> off(Session), {error, not_supported};
        error:Reason:Stack    -> off(Session), erlang:raise(error, Reason, Stack)
    end.

flags(false) -> [arity | ?FLAGS];
flags(true)  -> [send, 'receive' | ?FLAGS].

-spec off(strobe_otp:session()) -> ok.
off(Session) ->
    clear(Session),
    strobe_otp:shut(Session).

%% A new session has nothing to clear. Flags that the node shares are removed for everybody, as fprof does. Only the
%% node can switch to CPU time; sessions cannot.
clear(Session) ->
    ok = strobe_otp:delivered(Session, all),
    _ = strobe_otp:cpu_time(Session, false),
    _ = strobe_otp:processes(Session, all, false, [all]),
    _ = [strobe_otp:pattern(Session, P, false, [local]) || P <- [on_load, {'_', '_', '_'}]],
    ok.

%% @doc Returns when the file is complete.
-spec close(port()) -> ok.
close(Port) ->
    unlink(Port),
    Monitor = erlang:monitor(port, Port),
    try port_close(Port) catch error:badarg -> true end,
    receive {'DOWN', Monitor, port, Port, _} -> ok end.
