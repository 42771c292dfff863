%% @doc The process behind {@link strobe_fprof}: it knows whether a trace is being taken, and what was profiled last.
%%
%% ```
%% trace:    idle ──start──> #tracing{} ──stop, when the file is whole──> idle
%% profile:  none ──profile──> #profiling{} ──> the trace file, kept for analyse
%% '''
%% The program strobe profiles in a process of its own, so that this one can answer `{error, profiling}'. The trace file
%% stays available under a second name, since analyse reads it again with other options; fprof needs it no longer then.
-module(strobe_fprof_server).
-behaviour(gen_server).

-export([start/0, stop/1, ask/1, ask_running/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

-record(tracing, {session :: strobe_otp:session(), tracer :: pid() | port(), procs :: [term()], ours :: boolean()}).
-record(profiling, {pid :: pid(), from :: undefined | gen_server:from(), type :: file | tracer}).
-record(state, {trace = idle :: idle | #tracing{},
                profile = none :: none | #profiling{} | {done, file:filename()},
                folder :: undefined | file:filename(),
                count = 0 :: non_neg_integer(),
                stopping = [] :: [gen_server:from()], reason = normal :: term()}).

%% ---- calls

-spec start() -> {ok, pid()} | {error, {already_started, pid()}}.
start() -> gen_server:start({local, ?MODULE}, ?MODULE, [], []).

-spec stop(term()) -> ok.
stop(kill) ->
    case whereis(?MODULE) of
        undefined -> ok;
        Server    -> exit(Server, kill), ok
    end;
stop(Reason) ->
    Monitor = erlang:monitor(process, ?MODULE),
    try gen_server:call(?MODULE, {stop, Reason}, infinity) catch exit:_ -> ok end,
    receive {'DOWN', Monitor, process, _, _} -> ok end.

%% @doc Starts the server if necessary. If it ends during the call, that is the answer.
-spec ask(term()) -> term().
ask(Request) ->
    Server = case start() of {ok, Pid} -> Pid; {error, {already_started, Pid}} -> Pid end,
    try gen_server:call(Server, Request, infinity)
    catch exit:{Reason, {gen_server, call, _}} -> {'EXIT', Server, Reason}
    end.

%% @doc Calls the server without starting it.
-spec ask_running(term()) -> term().
ask_running(Request) ->
    case whereis(?MODULE) of
        undefined -> {'EXIT', fprof_server, noproc};
        _         -> ask(Request)
    end.

%% ---- requests

%% @private
init([]) ->
    process_flag(trap_exit, true),
    {ok, #state{}}.

%% @private
handle_call({trace_start, Procs, Verbose, Cpu, Where}, _, #state{trace = idle, stopping = []} = State) ->
    begin_trace(Procs, Verbose, Cpu, Where, State);
handle_call({trace_start, _, _, _, _}, _, State) ->
    {reply, {error, already_tracing}, State};
handle_call(trace_stop, _, #state{trace = idle} = State) ->
    {reply, {error, not_tracing}, State};
handle_call(trace_stop, From, #state{trace = Trace} = State) ->
    end_trace(Trace),
    stop_tracer_too(Trace, From, State#state{trace = idle});
handle_call({profile, File, Leader, Dump}, From, #state{stopping = []} = State) ->
    begin_profile(State, fun(Kept) -> profile_file(File, Kept, Leader, Dump) end,
                  fun(Pid) -> #profiling{pid = Pid, from = From, type = file} end);
handle_call({profile_start, Leader, Dump}, From, #state{stopping = []} = State) ->
    begin_profile(State, fun(Kept) -> strobe_fprof_run:trace_and_profile(Kept, Leader, Dump) end,
                  fun(Pid) -> gen_server:reply(From, {ok, Pid}), #profiling{pid = Pid, type = tracer} end);
handle_call(profile_stop, From, #state{profile = #profiling{pid = Pid, type = tracer} = Profiling,
                                       trace = Trace} = State) ->
    Traces = is_record(Trace, tracing) andalso Trace#tracing.tracer =:= Pid,
    Traces andalso end_trace(Trace),
    Pid ! strobe_fprof_stop,
    {noreply, State#state{profile = Profiling#profiling{from = From},
                          trace = case Traces of true -> idle; false -> Trace end}};
handle_call(profile_stop, _, #state{profile = #profiling{}} = State) ->
    {reply, {error, profiling_file}, State};
handle_call(profile_stop, _, State) ->
    {reply, {error, not_profiling}, State};
handle_call({analyse, _, _, _}, _, #state{profile = none} = State) ->
    {reply, {error, no_profile}, State};
handle_call({analyse, Leader, Target, Flags}, _, #state{profile = {done, Kept}} = State) ->
    {reply, strobe_fprof_run:analyse(Kept, Leader, Target, Flags), State};
handle_call({analyse, _, _, _}, _, State) ->
    {reply, {error, profiling}, State};
handle_call({save_profile, _}, _, #state{profile = none} = State) ->
    {reply, {error, no_profile}, State};
handle_call({save_profile, File}, _, #state{profile = {done, Kept}} = State) ->
    {reply, strobe_fprof_run:save(Kept, File), State};
handle_call({Keeping, _}, _, #state{profile = #profiling{}} = State) when Keeping =:= save_profile;
Keeping =:= load_profile ->
    {reply, {error, profiling}, State};
handle_call({load_profile, File}, _, State) ->
    case strobe_fprof_run:is_trace(File) of
        ok ->
            Ready = next_kept(State),
            {reply, strobe_fprof_run:save(File, kept(Ready)), Ready#state{profile = {done, kept(Ready)}}};
        Error ->
            {reply, Error, State}
    end;
handle_call(get_state, _, #state{trace = Trace, profile = Profile} = State) ->
    {reply, {ok, [{trace_state, Trace}, {profile_state, Profile}]}, State};
handle_call(code_change, _, State) ->
    {reply, ok, State};
handle_call({stop, Reason}, From, #state{stopping = Waiting} = State) ->
    First = case Waiting of [] -> Reason; _ -> State#state.reason end,
    stop_when_idle(State#state{stopping = [From | Waiting], reason = First});
handle_call(_, _, State) ->
    {reply, {error, already_profiling}, State}.

%% @private
handle_cast(_, State) -> {noreply, State}.

%% @private
handle_info({'EXIT', Pid, {profiled, Result}}, #state{profile = #profiling{pid = Pid, from = From}} = State) ->
    _ = From =:= undefined orelse gen_server:reply(From, Result),
    stop_when_idle(State#state{profile = {done, kept(State)}});
handle_info({'EXIT', Pid, Reason}, #state{profile = #profiling{pid = Pid, from = From}} = State) ->
    _ = From =:= undefined orelse gen_server:reply(From, {error, Reason}),
    stop_when_idle(State#state{profile = {done, kept(State)}});
handle_info({'EXIT', Tracer, _}, #state{trace = #tracing{tracer = Tracer} = Trace} = State) ->
    end_trace(Trace),
    stop_when_idle(State#state{trace = idle});
handle_info(_, State) ->
    {noreply, State}.

%% @private
terminate(_, #state{trace = Trace, folder = Folder}) ->
    _ = Trace =:= idle orelse end_trace(Trace),
    Folder =:= undefined orelse file:del_dir_r(Folder).

stop_when_idle(#state{stopping = [_ | _] = Waiting, trace = idle, profile = Profile} = State)
    when not is_record(Profile, profiling) ->
    _ = [gen_server:reply(From, ok) || From <- Waiting],
    {stop, State#state.reason, State};
stop_when_idle(State) ->
    {noreply, State}.

%% ---- tracing

begin_trace(Procs, Verbose, Cpu, Where, State) ->
    {Tracer, Ours} = strobe_fprof_trace:tracer(Where),
    case strobe_fprof_trace:on(Tracer, Procs, Verbose, Cpu) of
        {ok, Session}  -> {reply, ok, State#state{
                trace = #tracing{session = Session, tracer = Tracer, procs = Procs, ours = Ours}}};
        {error, _} = E -> _ = Ours andalso strobe_fprof_trace:close(Tracer), {reply, E, State}
    end.

end_trace(#tracing{session = Session, tracer = Tracer, ours = Ours}) ->
    strobe_fprof_trace:off(Session),
    _ = Ours andalso strobe_fprof_trace:close(Tracer),
    ok.

%% Stopping a trace whose tracer is our profiler ends the profiler as well; its result is the answer.
stop_tracer_too(#tracing{tracer = Pid}, From, #state{profile = #profiling{pid = Pid} = Profiling} = State) ->
    Pid ! strobe_fprof_stop,
    {noreply, State#state{profile = Profiling#profiling{from = From}}};
stop_tracer_too(_, From, State) ->
    gen_server:reply(From, ok),
    stop_when_idle(State).

%% ---- profiling

begin_profile(#state{profile = #profiling{}} = State, _, _) ->
    {reply, {error, already_profiling}, State};
begin_profile(State, Work, Profiling) ->
    Ready = #state{} = next_kept(State),
    Kept = kept(Ready),
    Pid = spawn_link(fun() -> exit({profiled, Work(Kept)}) end),
    {noreply, Ready#state{profile = Profiling(Pid)}}.

profile_file(File, Kept, Leader, Dump) ->
    case strobe_fprof_run:keep(File, Kept) of
        ok    -> strobe_fprof_run:profile(Kept, Leader, Dump);
        Error -> Error
    end.

kept(#state{folder = Folder, count = Count}) -> filename:join(Folder, integer_to_list(Count) ++ ".trace").

next_kept(#state{folder = undefined} = State) ->
    next_kept(State#state{folder = strobe_fprof_run:folder()});
next_kept(#state{count = Count} = State) ->
    _ = file:delete(kept(State)),
    State#state{count = Count + 1}.
