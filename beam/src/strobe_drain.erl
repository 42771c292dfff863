%% Starts and watches the drain, which empties the rings. The program strobe-drain outlives the node, the session and
%% its port, and completes the file by itself. Where no program may be started, a process of the node runs the same
%% code (strobe_drain_nif); what it has not written when the node ends is still in the rings, where readers find it.
%% Either is restarted if it is killed, and reports at its end what it wrote.
-module(strobe_drain).
-export([start/2, handle/2, result/1, program/0]).

-define(RESTARTS, 3).
-define(ENDED_BY, {stop_profile, duration, limit_events, limit_bytes, full_disk, signal}). % enum sb_stop_reason
-define(WRITTEN_WITHIN_MS, 10000).

%% `By' is program, process or either: the program where there is one.
start({Trace, By, Arguments}, Rings) ->
    Names = case lists:member("--flight", Arguments) of
                true  -> #{}; % its traces have numbers
                false -> keep_old(Trace) % a drain continues a trace that is there
            end,
    Drain = #{arguments => Arguments ++ ["--summary", "1", Rings, Trace], restarts => 0, names => Names, text => <<>>},
    case By =/= process andalso program() of
        false -> by_process(Drain);
        none when By =:= program -> Drain#{status => {failed, {not_found, 'strobe-drain'}}};
        none -> by_process(Drain);
        Program -> by_program(Drain#{by => By, program => Program})
    end.

%% An earlier trace of this name is kept as TRACE.old.
keep_old(Trace) ->
    Old = case is_binary(Trace) of true -> <<Trace/binary, ".old">>; false -> Trace ++ ".old" end,
    case file:rename(Trace, Old) of
        ok         -> #{trace => Trace, old => Old};
        {error, _} -> #{trace => Trace}
    end.

%% Handles a message; messages that do not concern the drain are ignored.
handle({Port, {data, Text}}, #{port := Port, text := Before} = Drain) ->
    Drain#{text := <<Before/binary, Text/binary>>};
handle({Port, {exit_status, 0}}, #{port := Port} = Drain) ->
    Drain#{status := done};
handle({Port, {exit_status, Code}}, #{port := Port, restarts := N} = Drain) when Code > 128, N < ?RESTARTS ->
    by_program(Drain#{restarts := N + 1}); % killed: the next one resumes where it stopped
handle({Port, {exit_status, Code}}, #{port := Port, by := either} = Drain) when Code > 1, Code =< 128 ->
    by_process(Drain); % it could not be started
handle({Port, {exit_status, Code}}, #{port := Port} = Drain) ->
    Drain#{status := {failed, Code}};
handle({'DOWN', Ref, process, _, {drained, Text}}, #{monitor := Ref} = Drain) ->
    Drain#{status := done, text := Text};
handle({'DOWN', Ref, process, _, {failed, Text}}, #{monitor := Ref} = Drain) ->
    Drain#{status := {failed, 1}, text := Text};
handle({'DOWN', Ref, process, _, _}, #{monitor := Ref, restarts := N} = Drain) when N < ?RESTARTS ->
    step_by_step(Drain#{restarts := N + 1});
handle({'DOWN', Ref, process, _, Reason}, #{monitor := Ref} = Drain) ->
    Drain#{status := {failed, Reason}};
handle(_, Drain) -> Drain.

%% Waits until the trace is complete. A process that drains is asked for its next step at once: on OTP 29 a time-out
%% that passes while a process is suspended is lost, and it would wait forever.
result(#{status := running, process := Pid} = Drain) ->
    Pid ! step,
    awaited(Drain);
result(Drain) -> awaited(Drain).

awaited(#{status := done, text := Text, names := Names}) -> {ok, maps:merge(facts(Text), Names)};
awaited(#{status := {failed, Why}, text := Text}) -> {error, {drain, Why, Text}};
awaited(#{status := running} = Drain) ->
    {Port, Ref} = {maps:get(port, Drain, none), maps:get(monitor, Drain, none)},
    receive
        {Port, _} = Message -> awaited(handle(Message, Drain));
        {'DOWN', Ref, process, _, _} = Message -> awaited(handle(Message, Drain))
    after ?WRITTEN_WITHIN_MS -> {error, {drain, timeout, <<>>}}
    end.

%% "events 17 bytes 210 lost 0 drain_cpu_ns 1200 stop 0"
facts(Text) ->
    Facts = pairs(string:lexemes(binary_to_list(Text), " \n"), #{}),
    case Facts of
        #{stop := Stop} -> Facts#{ended_by => element(Stop + 1, ?ENDED_BY)};
        _               -> Facts
    end.

pairs([Key, Value | Rest], Facts) ->
    pairs(Rest, Facts#{list_to_atom(Key) => list_to_integer(Value)});
pairs(_, Facts) -> Facts.

%% ---- by a program

by_program(#{arguments := Arguments, program := Program, by := By} = Drain) ->
    try open_port({spawn_executable, Program}, [{args, Arguments}, exit_status, binary, use_stdio, hide]) of
        Port -> Drain#{port => Port, status => running}
    catch
        error:_ when By =:= either -> by_process(Drain);
        error:Reason -> Drain#{status => {failed, Reason}}
    end.

%% Looks beside the application (in a build), in its priv folder (in a package), and on the path.
program() ->
    Home = strobe_program:home(),
    Places = [filename:join([filename:dirname(filename:dirname(Home)), "strobe-drain"]),
              filename:join([Home, "priv", "strobe-drain"])],
    case [P || P <- Places, filelib:is_regular(P)] of
        [Program | _] -> Program;
        [] ->
            case os:find_executable("strobe-drain") of
                false -> none;
                Program -> Program
            end
    end.

%% ---- by a process

%% The owner holds the handle of the drain, so that it is not closed during a step when the process is killed.
by_process(#{arguments := Arguments} = Drain0) ->
    Drain = maps:without([port, program, by], Drain0),
    case strobe_drain_nif:open([unicode:characters_to_binary(A) || A <- Arguments]) of
        {ok, Rings} -> step_by_step(Drain#{rings => Rings});
        {error, Text} -> Drain#{status => {failed, 1}, text := Text}
    end.

step_by_step(#{rings := Rings} = Drain) ->
    {Pid, Ref} = spawn_opt(fun() -> receive go -> steps(Rings) end end, [monitor, {priority, high}]),
    strobe_nif:hide(Pid),
    Pid ! go,
    Drain#{process => Pid, monitor => Ref, status => running}.

steps(Rings) ->
    case strobe_drain_nif:step(Rings) of
        {more, Ms} -> receive step -> steps(Rings) after Ms -> steps(Rings) end;
        {done, Text} -> exit({drained, Text});
        {error, Text} -> exit({failed, Text})
    end.
