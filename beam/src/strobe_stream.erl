%% A recording without our tracer, for `strobe attach` where no library of strobe can be loaded: by the driver for ip
%% streams that OTP has in runtime_tools. A process reads the stream and writes it to a file, as it is:
%%
%%     traced processes ──> trace_ip_drv (a bounded queue) ──socket──> owner ──> file
%%
%% When the queue is full the driver drops events and counts them in the stream. The node pays several times what our
%% tracer costs, and has no samples and no sizes of messages.
%%
%% Options: trace => [class()], modules => [module()], file => path, duration => ms | infinity, events => N, bytes => N
%% (limits; 0: none), apart => [pid() | port()].
-module(strobe_stream).
-export([start/1, stop/1, is_over/1]).

-define(DRIVER, "trace_ip_drv").
-define(QUEUE, 50000).
-define(WAIT_MS, 50).
-define(REST_MS, 300).

-spec start(map()) -> {ok, pid()} | {error, term()}.
start(Options) ->
    Caller = self(),
    {Owner, Ref} = spawn_monitor(fun() -> own(Caller, Options) end),
    receive
        {Owner, started}                    -> erlang:demonitor(Ref, [flush]), {ok, Owner};
        {'DOWN', Ref, process, Owner, Reason} -> {error, Reason}
    end.

%% Ends the recording; returns when the file is complete, or why it is not.
-spec stop(pid()) -> {ok, map()} | {error, term()}.
stop(Owner) -> ask(Owner, stop).

%% Whether a limit, or a file that takes no more, has ended the recording.
-spec is_over(pid()) -> boolean().
is_over(Owner) -> ask(Owner, is_over) =/= false.

ask(Owner, Question) ->
    Ref = erlang:monitor(process, Owner),
    Owner ! {Question, self(), Ref},
    receive
        {Ref, Result}                         -> erlang:demonitor(Ref, [flush]), Result;
        {'DOWN', Ref, process, Owner, Reason} -> {error, Reason}
    end.

own(Caller, #{file := Path, trace := Classes} = Options) ->
    process_flag(priority, high),
    {ok, File} = file:open(Path, [write, raw, binary]),
    Watched = erlang:monitor(process, Caller),
    case connect(driver()) of
        {ok, Port, Socket} ->
            Tracing = strobe_otp:open(strobe, Port),
            switch_on(Tracing, Port, [self(), Port, Socket | maps:get(apart, Options, [])], Classes, Options),
            Caller ! {self(), started},
            Left = read(#{file => File, socket => Socket, caller => Watched, ends => ends(Options), head => <<>>,
                          events => maps:get(events, Options, 0), bytes => maps:get(bytes, Options, 0)}),
            strobe_otp:clear(Tracing),
            Result = rest(Left),
            port_close(Port),
            wait_to_be_asked(Result, Left);
        {error, Why} -> exit(Why)
    end.

wait_to_be_asked(_, #{ended := caller})                 -> ok;
wait_to_be_asked(Result, #{ended := {From, Ref}})       -> From ! {Ref, Result};
wait_to_be_asked(Result, #{caller := Caller} = State) ->
    receive
        {stop, From, Ref}               -> From ! {Ref, Result};
        {is_over, From, Ref}            -> From ! {Ref, true}, wait_to_be_asked(Result, State);
        {'DOWN', Caller, process, _, _} -> ok
    end.

ends(#{duration := Ms}) when is_integer(Ms) -> erlang:monotonic_time(millisecond) + Ms;
ends(_)                                     -> infinity.

driver() ->
    case code:lib_dir(runtime_tools) of
        {error, bad_name} -> {error, no_runtime_tools};
        Folder            -> erl_ddll:load(filename:join([Folder, "priv", "lib"]), ?DRIVER)
    end.

%% The driver takes the one client that connects first.
connect(ok) ->
    Port = open_port({spawn_driver, lists:concat([?DRIVER, " 0 ", ?QUEUE, " 2"])}, [eof]),
    <<0, Number:16>> = iolist_to_binary(port_control(Port, $p, [])),
    case gen_tcp:connect({127, 0, 0, 1}, Number, [binary, {active, false}, {recbuf, 1 bsl 20}]) of
        {ok, Socket}    -> {ok, Port, Socket};
        {error, Reason} -> {error, {stream, Reason}}
    end;
connect({error, no_runtime_tools}) -> {error, no_runtime_tools};
connect({error, Reason})           -> {error, {stream, erl_ddll:format_error(Reason)}}.

switch_on(Tracing, Port, Apart, Classes, Options) ->
    _ = [strobe_otp:pattern(Tracing, {M, '_', '_'}, true, [local]) || M <- maps:get(modules, Options, [])],
    Stamps = [monotonic_timestamp, scheduler_id],
    Flags = lists:flatmap(fun strobe_session:process_flags/1, Classes),
    PortFlags = lists:flatmap(fun strobe_session:port_flags/1, Classes),
    _ = [strobe_otp:ports_to(Tracing, Port, ports, Stamps ++ PortFlags) || PortFlags =/= []],
    _ = [strobe_otp:send_to(Tracing, Port, processes, Stamps ++ Flags) || Flags =/= []],
    _ = [strobe_otp:leave_port(Tracing, P) || P <- Apart, is_port(P)],
    [leave(Tracing, P) || P <- Apart, is_pid(P)].

leave(Tracing, Pid) -> try strobe_otp:processes(Tracing, Pid, false, [all]) catch error:badarg -> 0 end.

%% Until a limit, a request, or the end of the caller.
read(#{caller := Caller, ends := Ends} = State) ->
    receive
        {stop, From, Ref}               -> State#{ended => {From, Ref}};
        {is_over, From, Ref}            -> From ! {Ref, false}, read(State);
        {'DOWN', Caller, process, _, _} -> State#{ended => caller}
    after 0 ->
        case erlang:monotonic_time(millisecond) < Ends andalso take(?WAIT_MS, State) of
            {more, New} -> read(New);
            {full, New} -> New;
            _           -> State
        end
    end.

%% The driver has what came before the end of the tracing; the stream rests when it has sent that.
rest(#{failed := Why}) -> {error, {stream_file, Why}};
rest(State) ->
    case take(?REST_MS, State#{events := 0, bytes := 0}) of
        {more, #{idle := false} = New} -> rest(New);
        {full, #{failed := _} = New}   -> rest(New);
        _                              -> {ok, #{}}
    end.

take(Ms, #{socket := Socket, file := File, bytes := Bytes} = State) ->
    case gen_tcp:recv(Socket, 0, Ms) of
        {ok, Data} ->
            case file:write(File, Data) of
                ok           -> counted(Data, State#{idle => false, bytes := Bytes - byte_size(Data)}, State);
                {error, Why} -> {full, State#{failed => Why}}
            end;
        {error, timeout} -> {more, State#{idle => true}};
        {error, _}       -> {full, State}
    end.

%% Limits that are 0 at the start do not count.
counted(Data, #{head := Head, events := Events} = State, #{events := MaxEvents, bytes := MaxBytes}) ->
    {N, Rest} = frames(<<Head/binary, Data/binary>>, 0),
    New = State#{head := Rest, events := case MaxEvents of 0 -> 0; _ -> max(1, Events - N) end,
                 bytes := case MaxBytes of 0 -> 0; _ -> max(1, maps:get(bytes, State)) end},
    case (MaxEvents =/= 0 andalso Events =< N) orelse (MaxBytes =/= 0 andalso maps:get(bytes, State) =< 0) of
        true  -> {full, New};
        false -> {more, New}
    end.

%% A frame is 0, its size in four bytes, and a term; or 1 and a number of dropped events.
frames(<<0, Size:32, _:Size/binary, Rest/bitstring>>, N) -> frames(Rest, N + 1);
frames(<<1, _:32, Rest/bitstring>>, N)                   -> frames(Rest, N);
frames(Rest, N)                                          -> {N, binary:copy(Rest)}.
