%% strobe-drain as a program of this node: started, started again if it is killed, and asked at the end what it wrote.
%% It is no child in spirit: it outlives the node, the session and the port, and finishes the file by itself.
-module(strobe_drain).
-export([start/2, said/3, result/1, program/0]).

-define(RESTARTS, 3).
-define(WRITTEN_WITHIN_MS, 10000).

%% `What`: {Trace, Arguments} or none, when somebody else drains.
start(none, _) -> none;
start({Trace, Arguments}, Rings) ->
    open(#{arguments => Arguments ++ ["--tell", "1", Rings, Trace], restarts => 0, trace => Trace, text => <<>>}).

open(#{arguments := Arguments} = Drain) ->
    Port = open_port({spawn_executable, program()}, [{args, Arguments}, exit_status, binary, use_stdio, hide]),
    Drain#{port => Port, status => running}.

said(Port, {data, Text}, #{port := Port, text := Before} = Drain) ->
    Drain#{text := <<Before/binary, Text/binary>>};
said(Port, {exit_status, 0}, #{port := Port} = Drain) ->
    Drain#{status := done};
said(Port, {exit_status, Code}, #{port := Port, restarts := N} = Drain) when Code > 128, N < ?RESTARTS ->
    open(Drain#{restarts := N + 1}); % killed: the next one goes on where it stopped
said(Port, {exit_status, Code}, #{port := Port} = Drain) ->
    Drain#{status := {failed, Code}};
said(_, _, Drain) -> Drain.

%% Waits until the trace is complete.
result(none) -> {ok, #{}};
result(#{status := done, text := Text, trace := Trace}) -> {ok, (facts(Text))#{trace => Trace}};
result(#{status := {failed, Code}, text := Text}) -> {error, {drain, Code, Text}};
result(#{port := Port} = Drain) ->
    receive
        {Port, Said} -> result(said(Port, Said, Drain))
    after ?WRITTEN_WITHIN_MS -> {error, {drain, timeout, <<>>}}
    end.

%% "events 17 bytes 210 lost 0 drain_cpu_ns 1200 stop 0"
facts(Text) -> pairs(string:lexemes(binary_to_list(Text), " \n"), #{}).

pairs([Key, Value | Rest], Facts) ->
    pairs(Rest, Facts#{list_to_atom(Key) => list_to_integer(Value)});
pairs(_, Facts) -> Facts.

%% Beside the application in a build, in its priv in a package, or on the path.
program() ->
    Home = strobe_program:home(),
    Places = [filename:join([filename:dirname(filename:dirname(Home)), "strobe-drain"]),
              filename:join([Home, "priv", "strobe-drain"])],
    case [P || P <- Places, filelib:is_regular(P)] of
        [Program | _] -> Program;
        [] ->
            case os:find_executable("strobe-drain") of
                false -> error({not_found, 'strobe-drain'});
                Program -> Program
            end
    end.
