%% The processes that exist when a recording begins, described without waking them where possible.
-module(strobe_snapshot).
-export([take/2, emit/2, labels/1, label/1, initial_call/1]).

%% With more processes than this only their names are recorded, since a question wakes a process.
-define(ASKED, 10000).

%% So many frames of a stack show whether the VM leaves frames out.
-define(DEEP, 100).

%% The status of a process of which nothing is recorded.
-define(NOT_RECORDED, 6).

%% Ports are included if they are recorded, or registered.
take(Own, Classes) ->
    Names = maps:from_list([{Who, N} || N <- registered(), Who <- [whereis(N)], is_pid(Who) orelse is_port(Who)]),
    Pids = processes() -- Own,
    Ask = case length(Pids) =< ?ASKED of true -> items(); false -> [] end,
    Depth = depth(?DEEP),
    [describe(Pid, maps:get(Pid, Names, none), Ask, Depth) || Pid <- Pids] ++
        ports([Port || Port <- lists:sublist(erlang:ports(), ?ASKED),
                       lists:member(ports, Classes) orelse is_map_key(Port, Names)], Names).

%% Nothing tells of the opening of a socket that is accepted, so one that was accepted before has no driver either.
ports(Ports, Names) ->
    Drivers = [{Port, driver(erlang:port_info(Port, name))} || Port <- Ports],
    Listening = [At || {Port, tcp_inet} <- Drivers, listen(Port), {ok, At} <- [local(Port)]],
    [{Port, owner(Port), maps:get(Port, Names, none), {driver(Driver, Port, Listening), 0}}
     || {Port, Driver} <- Drivers].

driver(tcp_inet, Port, [_ | _] = Listening) ->
    case not listen(Port) andalso local(Port) of
        {ok, At} -> case lists:member(At, Listening) of true -> none; false -> tcp_inet end;
        _        -> tcp_inet
    end;
driver(Driver, _, _) -> Driver.

%% Of a port in another program the name is its command line. No atoms are made for the other drivers of OTP.
driver({name, "tcp_inet"}) -> tcp_inet;
driver({name, "udp_inet"}) -> udp_inet;
driver({name, Name})       ->
    case lists:member($/, Name) andalso string:to_integer(Name) of
        {_, "/" ++ _} -> fd;
        _             -> spawn
    end;
driver(undefined)          -> spawn.

listen(Port) ->
    try prim_inet:getstatus(Port) of
        {ok, Status} -> lists:member(listen, Status);
        _            -> false
    catch _:_ -> false
    end.

%% The port number or the path that a socket is bound to.
local(Port) ->
    try prim_inet:sockname(Port) of
        {ok, {local, Path}}             -> {ok, Path};
        {ok, At} when is_tuple(At)      -> {ok, element(2, At)};
        Error                           -> Error
    catch _:_ -> error
    end.

owner(Port) ->
    case erlang:port_info(Port, connected) of
        {connected, Pid} -> Pid;
        undefined        -> none
    end.

%% What a process is asked for, at once. Before OTP 25 the VM knows no parents.
items() ->
    Items = [initial_call, current_stacktrace],
    try erlang:process_info(self(), [parent]) of _ -> [parent | Items]
    catch error:badarg -> Items
    end.

%% How many frames of a stack the VM tells at most.
depth(0) -> length(element(2, erlang:process_info(self(), current_stacktrace)));
depth(N) -> max(0, depth(N - 1)).

describe(Pid, Name, [], _) -> {Pid, none, Name, {none, status(erlang:process_info(Pid, status))}};
describe(Pid, Name, Items, Depth) ->
    Status = status(erlang:process_info(Pid, status)),
    Known = case erlang:process_info(Pid, Items) of undefined -> []; Answers -> Answers end,
    Parent = case lists:keyfind(parent, 1, Known) of
                 {parent, P} when is_pid(P) -> P;
                 _ -> none
             end,
    {Pid, Parent, Name, {outermost(called(Pid, lists:keyfind(initial_call, 1, Known)), Known, Depth), Status}}.

%% The VM does not keep which fun a process began with: its outermost function says what it runs, but for
%% the one that boots the node and then runs its command line, which is known as it is.
outermost({erlang, apply, 2} = Initial, Known, Depth) ->
    {_, Stack} = lists:keyfind(current_stacktrace, 1, Known),
    case Stack =/= [] andalso length(Stack) < Depth andalso lists:last(Stack) of
        {Module, Function, Arity, _} when Module =/= erlang, Module =/= init, is_integer(Arity) ->
            {Module, Function, Arity};
        _ -> Initial
    end;
outermost(Initial, _, _) -> Initial.

initial_call(Pid) -> called(Pid, erlang:process_info(Pid, initial_call)).

called(Pid, {initial_call, {proc_lib, init_p, _}}) ->
    try callback(proc_lib:translate_initial_call(Pid)) catch _:_ -> none end;
called(_, {initial_call, MFA}) -> MFA;
called(_, _)                   -> none.

%% OTP calls a supervisor by its callback module, in place of a function. Name the callback as for a new process.
callback({Behaviour, Module, 1}) when Behaviour =:= supervisor; Behaviour =:= supervisor_bridge -> {Module, init, 1};
callback(MFA) -> MFA.

status({status, waiting}) -> 0;
status({status, runnable}) -> 1;
status({status, running}) -> 2;
status({status, suspended}) -> 3;
status({status, exiting}) -> 4;
status({status, garbage_collecting}) -> 5;
status(_) -> 4.

%% Includes processes that are not recorded, since they are parents and senders of others.
emit(Snapshot, Recorded) ->
    [strobe_nif:emit(exists, Who, Parent, Name, {Initial, recorded(Who, Recorded, Status)})
     || {Who, Parent, Name, {Initial, Status}} <- Snapshot],
    ok.

recorded(_, new, _)                               -> ?NOT_RECORDED;
recorded(Who, Pids, Status) when is_list(Pids)    ->
    case lists:member(Who, Pids) of true -> Status; false -> ?NOT_RECORDED end;
recorded(_, _, Status)                            -> Status.

%% Records the labels of processes. Call this after the tracing has ended, since a question wakes a process.
labels(Own) ->
    Pids = lists:sublist(processes() -- Own, ?ASKED),
    [strobe_nif:emit(label, P, Text, none, none) || P <- Pids, Text <- [label(P)], Text =/= undefined],
    ok.

%% Returns the label of a process as text: that of proc_lib (OTP 27), or else the name that it has under the key
%% process_name of its dictionary, as processes of RabbitMQ have.
label(Pid) ->
    case lists:dropwhile(fun(L) -> L =:= undefined end, [kept(Pid, Key) || Key <- ['$process_label', process_name]]) of
        [Label | _] -> label_text(Label);
        []          -> undefined
    end.

%% Before OTP 26.2 the whole dictionary is read, of processes whose dictionary called/2 reads too.
kept(Pid, Key) ->
    try erlang:process_info(Pid, {dictionary, Key}) of
        {{dictionary, Key}, Value} -> Value;
        undefined                  -> undefined
    catch error:badarg ->
        case erlang:process_info(Pid, initial_call) of
            {_, {proc_lib, init_p, _}} -> look_up(Key, erlang:process_info(Pid, dictionary));
            _                          -> undefined
        end
    end.

look_up(Key, {dictionary, Kept}) -> proplists:get_value(Key, Kept);
look_up(_, undefined)            -> undefined.

label_text(Label) when is_binary(Label) -> Label;
label_text({_, {resource, Host, Kind, Name}}) when is_binary(Host), is_atom(Kind), is_binary(Name) ->
    unicode:characters_to_binary(io_lib:format("~ts '~ts' in vhost '~ts'", [Kind, Name, Host]));
label_text(Label) -> unicode:characters_to_binary(io_lib:format("~0tP", [Label, 20])).
