%% OTP's own tracing of all that goes on in a node, to files, in many ways.
-module(tracing).
-export([traced/4, start/2, stop/1]).

%% Of the program to File (or File.N.trc of a wrap set), of what it does at other nodes to File.N.
traced(File, Kind, Program, Peers) ->
    Numbered = lists:zip(Peers, lists:seq(1, length(Peers))),
    Others = [{P, peer:call(P, ?MODULE, start, [File ++ "." ++ integer_to_list(N), Kind])} || {P, N} <- Numbered],
    Holder = start(File, Kind),
    {Pid, Ref} = spawn_monitor(Program),
    receive {'DOWN', Ref, _, Pid, Why} -> normal = Why end,
    stop(Holder),
    [peer:call(P, ?MODULE, stop, [H]) || {P, H} <- Others].

%% flags of erlang:trace and of erlang:system_profile
flags(all) -> {[ports, procs, running, exiting, garbage_collection, send, 'receive', scheduler_id, timestamp],
               [runnable_ports, runnable_procs, exclusive, scheduler, timestamp]};
flags(wrap) -> flags(all);
flags(session) -> flags(all);
flags(sessions) -> flags(all);
flags(plain) -> {[ports, procs, running, running_ports, exiting, garbage_collection, send, 'receive', scheduler_id,
                  timestamp], []};
flags(mono) -> {[procs, running, running_procs, garbage_collection, send, 'receive', scheduler_id, monotonic_timestamp],
                []};
flags(strict) -> {[procs, running, exiting, send, 'receive', strict_monotonic_timestamp],
                  [runnable_procs, scheduler, strict_monotonic_timestamp]};
flags(calls) -> {[procs, running, send, 'receive', garbage_collection, scheduler_id, call, return_to, arity, timestamp],
                 []};
flags(running) -> {[procs, running, exiting, timestamp], [runnable_procs, exclusive, timestamp]};
flags(profile) -> {[procs, timestamp], [runnable_procs, exclusive, timestamp]};
flags(messages) -> {[procs, send, 'receive', timestamp], []};
flags(gc) -> {[procs, garbage_collection, timestamp], []};
flags(procs) -> {[procs, timestamp], []};
flags(none) -> {[procs, ports, running, exiting, garbage_collection, send, 'receive', scheduler_id], []};
flags(cpu) -> {[procs, running, exiting, garbage_collection, send, 'receive', scheduler_id, cpu_timestamp, timestamp],
               []};
flags(cpumono) -> {[procs, running, garbage_collection, send, 'receive', scheduler_id, cpu_timestamp,
                    monotonic_timestamp], []};
flags(cpustrict) -> {[procs, running, garbage_collection, send, 'receive', scheduler_id, cpu_timestamp,
                      strict_monotonic_timestamp], []}.

%% Who holds the port and the sessions is a process of its own, that those of other nodes do not end with who asks.
start(File, Kind) ->
    Asks = self(),
    {Pid, Ref} = spawn_monitor(fun() -> hold(Asks, File, Kind) end),
    receive {Pid, started} -> demonitor(Ref), Pid; {'DOWN', Ref, _, _, Why} -> error(Why) end.

stop(Pid) ->
    Ref = monitor(process, Pid),
    Pid ! stop,
    receive {'DOWN', Ref, _, _, Why} -> normal = Why end.

hold(Asks, File, Kind) ->
    Port = (dbg:trace_port(file, case Kind of wrap -> {File ++ ".", wrap, ".trc", 60000, 40}; _ -> File end))(),
    {Trace, Profile} = flags(Kind),
    Sessions = begin_trace(Kind, Port, Trace),
    Profile =/= [] andalso erlang:system_profile(Port, Profile),
    Asks ! {self(), started},
    receive stop -> ok end,
    Profile =/= [] andalso timer:sleep(200), % what the VM has not written when it is told to stop is lost
    Profile =/= [] andalso erlang:system_profile(undefined, []),
    end_trace(Sessions),
    unlink(Port),
    port_close(Port).

%% One session that traces all, or two that share it (OTP 27 and newer); else what has no sessions.
begin_trace(session, Port, Flags) -> [session(Port, Flags)];
begin_trace(sessions, Port, Flags) ->
    Some = [procs, 'receive', garbage_collection],
    Common = [scheduler_id, timestamp],
    [session(Port, Flags -- Some), session(Port, Some ++ Common)];
begin_trace(Kind, Port, Flags) ->
    [erlang:trace_pattern({M, '_', '_'}, [{'_', [], [{message, {{cp, {caller}}}}]}], [local])
     || Kind =:= calls, M <- [gen_server, gen_event, supervisor]],
    erlang:trace(all, true, [{tracer, Port}, set_on_spawn | Flags]),
    [legacy].

session(Port, Flags) ->
    S = trace:session_create(strobe_test, Port, []),
    trace:process(S, all, true, [set_on_spawn | Flags -- [ports]]),
    lists:member(ports, Flags) andalso trace:port(S, all, true, [ports, timestamp, scheduler_id]),
    S.

end_trace([legacy]) ->
    erlang:trace(all, false, [all]),
    erlang:trace(all, false, [cpu_timestamp]), % of the node, and none of `all`
    erlang:trace_pattern({'_', '_', '_'}, false, [local]),
    Delivered = erlang:trace_delivered(all),
    receive {trace_delivered, _, Delivered} -> ok end;
end_trace(Sessions) ->
    [begin
         trace:process(S, all, false, [all]),
         Delivered = trace:delivered(S, all),
         receive {trace_delivered, _, Delivered} -> ok end,
         trace:session_destroy(S)
     end || S <- Sessions].
