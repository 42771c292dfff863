%% @doc Records into a set of OTP's own trace files, as Percept2 takes it: `{Name, wrap, Suffix, Size[, Files]}'.
%%
%% The files are Name ++ N ++ Suffix. When one exceeds Size bytes the next is begun, and with more than Files (50) files
%% the oldest is removed. So the end of a program that runs for days is available, at the price of OTP's own tracing:
%% messages are copied into the files as a whole. What only strobe's tracer records is not in them: marks, samples,
%% stacks, and the names of existing processes.
-module(strobe_wrap).

-export([start/2, spec/1]).

-define(FILES, 50).
-define(CALLER, [{'_', [], [{message, {{cp, {caller}}}}]}]).

-type spec() :: {file:filename(), wrap, string(), pos_integer(), pos_integer()}.

%% @doc Converts Percept2's two forms to that of OTP; throws for anything else.
-spec spec(tuple()) -> spec().
spec({Name, wrap, Suffix, Size}) -> spec({Name, wrap, Suffix, Size, ?FILES});
spec({Name, wrap, Suffix, Size, Files} = Spec) ->
    is_list(Name) andalso is_list(Suffix) andalso is_integer(Size) andalso Size > 0 andalso is_integer(Files)
        andalso Files > 0
        orelse throw({bad_file, Spec}),
    {filename:absname(Name), wrap, Suffix, Size, Files};
spec(Other) -> throw({bad_file, Other}).

%% @doc Begins the recording. The process answers strobe_session:stop/1; `Options' are those of strobe_session.
-spec start(spec(), map()) -> {ok, pid()} | {error, term()}.
start(Spec, Options) ->
    Caller = self(),
    {Owner, Monitor} = spawn_monitor(fun() -> own(Caller, Spec, Options) end),
    receive
        {Owner, Answer} -> erlang:demonitor(Monitor, [flush]), Answer;
        {'DOWN', Monitor, process, Owner, Reason} -> {error, Reason}
    end.

own(Caller, Spec, #{name := Name} = Options) ->
    process_flag(priority, high),
    case {strobe_session:take_name(Name), strobe_otp:others()} of
        {{error, _} = Error, _} -> Caller ! {self(), Error};
        {ok, {tracer, Who}}     -> Caller ! {self(), {error, {already_traced_by, Who}}};
        {ok, none} ->
            Port = (dbg:trace_port(file, Spec))(),
            Session = strobe_otp:open(strobe, Port),
            switch_on(Session, Port, Options),
            Watched = erlang:monitor(process, maps:get(caller, Options)),
            Limit = case Options of #{duration := Ms} -> erlang:start_timer(Ms, self(), over); _ -> none end,
            Caller ! {self(), {ok, self()}},
            until_stopped(#{session => Session, port => Port, spec => Spec, caller => Watched, limit => Limit,
                            asked => strobe_calls:asked(Options)})
    end.

switch_on(Session, Port, #{trace := Classes0} = Options) ->
    Classes = strobe_session:recorded(Classes0),
    Get = fun(Key) -> maps:get(Key, Options, []) end,
    Apps = [M || A <- Get(apps), _ <- [application:load(A)], {ok, Ms} <- [application:get_key(A, modules)], M <- Ms],
    _ = [begin code:ensure_loaded(M), strobe_otp:pattern(Session, F, ?CALLER, [local]) end
         || {M, _, _} = F <- strobe_calls:functions(Options) ++ [{M, '_', '_'} || M <- Apps]],
    Who = maps:get(processes, Options, all),
    Common = [timestamp, scheduler_id | [set_on_spawn || is_list(Who)]],
    Flags = lists:append([strobe_session:process_flags(C) || C <- Classes]),
    _ = [strobe_otp:send_to(Session, Port, P, Common ++ Flags) || Flags =/= [], P <- strobe_session:processes_of(Who)],
    _ = strobe_otp:processes(Session, self(), false, [all]),
    lists:member(ports, Classes) andalso is_atom(Who) andalso
        strobe_otp:ports_to(Session, Port, strobe_session:ports_of(Who),
                            [timestamp, scheduler_id | strobe_session:port_flags(ports)]).

until_stopped(#{caller := Caller, limit := Limit} = State) ->
    receive
        {stop, From, Ref}            -> From ! {Ref, finish(State)};
        {missing, From, Ref}         ->
            From ! {Ref, strobe_names:missing_now(maps:get(asked, State))}, until_stopped(State);
        {leave, From, Ref}           -> From ! {Ref, running}, until_stopped(State);
        {'DOWN', Caller, _, _, _}    -> finish(State);
        {timeout, Limit, over} ->
            Result = finish(State),
            receive
                {stop, From, Ref}         -> From ! {Ref, Result};
                {leave, From, Ref}        -> From ! {Ref, ended};
                {'DOWN', Caller, _, _, _} -> ok
            end
    end.

finish(#{session := Session, port := Port, spec := {Name, wrap, Suffix, _, _}, asked := Asked}) ->
    ok = strobe_otp:delivered(Session, all),
    strobe_otp:clear(Session),
    strobe_fprof_trace:close(Port),
    Files = filelib:wildcard(filename:basename(Name) ++ "*" ++ Suffix, filename:dirname(Name)),
    strobe_session:with_missing(strobe_names:missing_now(Asked),
                                {ok, #{files => [filename:join(filename:dirname(Name), F) || F <- Files]}}).
