%% @doc Own time by function and process, measured by breakpoints: `eprof''s calls, results and tables.
%%
%% A program that calls `eprof:' works with the prefix changed. The time of a function is the time between its call
%% and the next call of a counted function while the process is scheduled in.
%%
%% ```
%% {ok, Value} = strobe_eprof:profile(fun() -> job() end), strobe_eprof:analyze(total).
%% '''
-module(strobe_eprof).
-behaviour(gen_server).

-export([start/0, stop/0, log/1, dump/0, dump_data/0]).
-export([profile/1, profile/2, profile/3, profile/4, profile/5, profile/6]).
-export([start_profiling/1, start_profiling/2, start_profiling/3, stop_profiling/0]).
-export([analyze/0, analyze/1, analyze/2]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).
-export_type([rootset/0, pattern/0, counted/0]).

-define(EVERY_FUNCTION, {'_', '_', '_'}).
-define(FOLLOW_SPAWNS, [{set_on_spawn, true}]).
-define(OURS, [?MODULE, strobe_otp]).
-define(KEEPER, strobe_eprof_counters).

-type rootset() :: [atom() | pid()].
-type pattern() :: {atom(), atom(), arity() | '_'}.
-type options() :: [set_on_spawn | {set_on_spawn, boolean()}].
-type result()  :: {ok, term()} | {error, term()} | error.
-type counted() :: {mfa(), {Calls :: non_neg_integer(), Microseconds :: non_neg_integer()}}.

%% The counts: by process, in the order of pids, and of all processes.
-record(profile, {calls = 0     :: non_neg_integer(),
                  us = 0        :: non_neg_integer(),
                  by_pid = []   :: [{pid(), [counted()]}],
                  total = []    :: [counted()]}).

%% A run in progress: its processes, its functions, and the process that waits for the answer, if any.
-record(run, {rootset :: rootset(), flags :: [atom()], pattern :: pattern(), caller :: undefined | gen_server:from()}).

-record(state, {run :: undefined | #run{}, log :: undefined | file:io_device(), profile = #profile{} :: #profile{}}).

%% ---- calls

-spec start() -> {ok, pid()} | {error, {already_started, pid()}}.
start() -> gen_server:start({local, ?MODULE}, ?MODULE, [], []).

-spec stop() -> stopped.
stop() -> call(stop).

%% @doc Write the output of analyze/0..2 to `File' as well.
-spec log(atom() | file:filename()) -> ok | {error, term()}.
log(File) -> call({log, File}).

%% @doc Returns the counts by process.
-spec dump() -> [{pid(), [counted()]}].
dump() -> call(dump).

%% @private Returns eprof's own record, for callers that take it apart.
dump_data() -> call(dump_data).

-spec profile(fun(() -> term()) | rootset()) -> result() | profiling.
profile(Rootset) when is_list(Rootset) -> start_profiling(Rootset);
profile(Fun) when is_function(Fun)     -> profile([], Fun).

-spec profile(fun(() -> term()), options()) -> result();
             (rootset(), fun(() -> term())) -> result().
profile(Fun, Options) when is_function(Fun), is_list(Options) ->
    profile([], erlang, apply, [Fun, []], ?EVERY_FUNCTION, Options);
profile(Rootset, Fun) when is_list(Rootset), is_function(Fun) ->
    profile(Rootset, Fun, ?EVERY_FUNCTION).

-spec profile(rootset(), fun(() -> term()), pattern()) -> result().
profile(Rootset, Fun, Pattern) when is_list(Rootset), is_function(Fun) ->
    profile(Rootset, Fun, Pattern, ?FOLLOW_SPAWNS).

-spec profile(rootset(), fun(() -> term()), pattern(), options()) -> result();
             (rootset(), module(), atom(), [term()]) -> result().
profile(Rootset, Fun, Pattern, Options) when is_list(Rootset), is_function(Fun), is_list(Options) ->
    profile(Rootset, erlang, apply, [Fun, []], Pattern, Options);
profile(Rootset, M, F, Args) when is_list(Rootset), is_atom(M), is_atom(F), is_list(Args) ->
    profile(Rootset, M, F, Args, ?EVERY_FUNCTION).

-spec profile(rootset(), module(), atom(), [term()], pattern()) -> result().
profile(Rootset, M, F, Args, Pattern) when is_list(Rootset), is_atom(M), is_atom(F), is_list(Args) ->
    profile(Rootset, M, F, Args, Pattern, ?FOLLOW_SPAWNS).

%% @doc Apply `M:F(Args...)' in a new process, and count there and in the processes of `Rootset'.
-spec profile(rootset(), module(), atom(), [term()], pattern(), options()) -> result().
profile(Rootset, M, F, Args, Pattern, Options) ->
    ok = ensure_started(),
    call({profile, Rootset, Pattern, {M, F, Args}, Options}).

-spec start_profiling(rootset()) -> profiling | result().
start_profiling(Rootset) -> start_profiling(Rootset, ?EVERY_FUNCTION).

-spec start_profiling(rootset(), pattern()) -> profiling | result().
start_profiling(Rootset, Pattern) -> start_profiling(Rootset, Pattern, ?FOLLOW_SPAWNS).

%% @doc Count in the processes of `Rootset' until stop_profiling/0.
-spec start_profiling(rootset(), pattern(), options()) -> profiling | result().
start_profiling(Rootset, Pattern, Options) ->
    ok = ensure_started(),
    call({profile, Rootset, Pattern, none, Options}).

-spec stop_profiling() -> profiling_stopped | profiling_already_stopped.
stop_profiling() -> call(stop_profiling).

-spec analyze() -> ok | nothing_to_analyze.
analyze() -> analyze(procs).

-spec analyze(procs | total | [tuple()]) -> ok | nothing_to_analyze.
analyze(Type) when is_atom(Type)       -> analyze(Type, []);
analyze(Options) when is_list(Options) -> analyze(procs, Options).

%% @doc Print the table of each process (`procs') or of all together (`total'), the most expensive last.
%% Options: `{sort, time | calls | mfa}', `{filter, [{calls, Least} | {time, Least}]}'.
-spec analyze(procs | total, [tuple()]) -> ok | nothing_to_analyze | {error, {undefined, term()}}.
analyze(Type, Options) when is_list(Options) ->
    case call(profile) of
        {#profile{by_pid = []}, _}                               -> nothing_to_analyze;
        {Profile, Log} when Type =:= procs; Type =:= total       ->
            strobe_eprof_table:print(Type, parts(Profile), Options, Log);
        _                                                        -> {error, {undefined, Type}}
    end.

call(Request) -> gen_server:call(?MODULE, Request, infinity).

parts(#profile{calls = Calls, us = Us, by_pid = ByPid, total = Total}) -> {{Calls, Us}, ByPid, Total}.

ensure_started() ->
    case start() of
        {ok, _}                       -> ok;
        {error, {already_started, _}} -> ok
    end.

%% ---- the server

%% @private
init([]) ->
    process_flag(trap_exit, true),
    {ok, #state{}}.

%% @private
handle_call({profile, _, _, _, _}, _, #state{run = #run{}} = State) ->
    {reply, {error, already_profiling}, State};
handle_call({profile, Rootset, Pattern, Job, Options}, From, State) ->
    set(?EVERY_FUNCTION, false), % as eprof does: modules that a run loaded have counters, whatever its pattern
    begin_run(Rootset, Pattern, Job, flags(Options), From, State#state{profile = #profile{}});
handle_call(stop_profiling, _, #state{run = undefined} = State) ->
    {reply, profiling_already_stopped, State};
handle_call(stop_profiling, _, State) ->
    {reply, profiling_stopped, end_run(State)};
handle_call(profile, _, #state{profile = Profile, log = Log} = State) ->
    {reply, {Profile, Log}, State};
handle_call(dump, _, #state{profile = #profile{by_pid = ByPid}} = State) ->
    {reply, ByPid, State};
handle_call(dump_data, _, #state{profile = P} = State) ->
    {reply, {bpd, P#profile.calls, P#profile.us, gb_trees:from_orddict(P#profile.by_pid), P#profile.total}, State};
handle_call({log, File}, _, #state{log = Old} = State) ->
    case file:open(File, [write, {encoding, utf8}]) of
        {ok, Log} -> _ = close(Old), {reply, ok, State#state{log = Log}};
        Error     -> {reply, Error, State}
    end;
handle_call(stop, _, State) ->
    {stop, normal, stopped, State}.

%% @private
handle_cast(_, State) -> {noreply, State}.

%% @private The job has answered, or has died.
handle_info({_, {answer, Value}}, #state{run = #run{caller = Caller}} = State) when Caller =/= undefined ->
    Done = end_run(State),
    gen_server:reply(Caller, {ok, Value}),
    {noreply, Done};
handle_info({'EXIT', _, Reason}, #state{run = #run{caller = Caller} = Run} = State)
  when Reason =/= normal, Reason =/= strobe_eprof_kill, Caller =/= undefined ->
    clear(Run),
    gen_server:reply(Caller, {error, Reason}),
    {noreply, State#state{run = undefined}};
handle_info(_, State) ->
    {noreply, State}.

%% @private
terminate(_, #state{log = Log, run = Run}) ->
    _ = close(Log),
    Run =:= undefined orelse clear(Run),
    set(?EVERY_FUNCTION, false),
    strobe_otp:close(?KEEPER).

close(undefined) -> ok;
close(Log)       -> file:close(Log).

%% ---- one run

begin_run(Rootset, Pattern, none, Flags, _, State) ->
    case flag_all(Rootset, true, Flags) of
        ok ->
            set(Pattern, true),
            {reply, profiling, State#state{run = #run{rootset = Rootset, flags = Flags, pattern = Pattern}}};
        Failed ->
            _ = flag_all(Rootset, false, Flags),
            {reply, Failed, State}
    end;
begin_run(Rootset, Pattern, Job, Flags, From, State) ->
    Runner = spawn_link(fun() -> run(Job) end),
    All = [Runner | Rootset],
    case flag_all(All, true, Flags) of
        ok ->
            set(Pattern, true),
            Runner ! {self(), go},
            {noreply, State#state{run = #run{rootset = All, flags = Flags, pattern = Pattern, caller = From}}};
        Failed ->
            _ = flag_all(All, false, Flags),
            exit(Runner, strobe_eprof_kill),
            {reply, Failed, State}
    end.

run({M, F, Args}) ->
    receive {Server, go} -> Server ! {self(), {answer, apply(M, F, Args)}} end.

end_run(#state{run = #run{pattern = Pattern} = Run} = State) ->
    set(Pattern, pause),
    Profile = collect(),
    clear(Run),
    State#state{run = undefined, profile = Profile}.

clear(#run{rootset = Rootset, flags = Flags, pattern = Pattern}) ->
    _ = flag_all(Rootset, false, Flags),
    set(Pattern, false).

flags(Options) ->
    [set_on_spawn || O <- Options, O =:= set_on_spawn orelse O =:= {set_on_spawn, true}] ++ [call].

session() -> strobe_otp:session(?KEEPER).

%% Blocks all other schedulers, so that every function starts and stops counting at one moment.
set(Pattern, Switch) ->
    Session = session(),
    _ = erlang:system_flag(multi_scheduling, block),
    _ = strobe_otp:pattern(Session, on_load, Switch, [call_time]),
    _ = strobe_otp:pattern(Session, Pattern, Switch, [call_time]),
    _ = erlang:system_flag(multi_scheduling, unblock),
    ok.

%% Returns the error of this release's eprof if a process cannot be traced; unknown names are skipped.
flag_all(Rootset, Switch, Flags) ->
    Session = session(),
    Pids = [Pid || Pid <- [pid_of(R) || R <- Rootset], is_pid(Pid)],
    case [Pid || Pid <- Pids, not flag(Session, Pid, Switch, Flags)] of
        []        -> ok;
        [Pid | _] -> strobe_otp:eprof_failure(Pid)
    end.

pid_of(Name) when is_atom(Name) -> whereis(Name);
pid_of(Pid)                     -> Pid.

flag(Session, Pid, Switch, Flags) ->
    try strobe_otp:processes(Session, Pid, Switch, Flags) of _ -> true catch error:_ -> false end.

%% ---- reading the counters

collect() ->
    Session = session(),
    Modules = [M || {M, _} <- code:all_loaded(), not lists:member(M, ?OURS)],
    Times = [{MFA, Times} || M <- Modules, {F, A} <- M:module_info(functions), MFA <- [{M, F, A}],
                             [_ | _] = Times <- [strobe_otp:read(Session, MFA, call_time)]],
    lists:foldl(fun add/2, #profile{}, [{MFA, [in_us(T) || T <- Per]} || {MFA, Per} <- Times]).

in_us({Pid, Calls, Seconds, Us}) -> {Pid, {Calls, Seconds * 1000000 + Us}}.

add({MFA, Per}, #profile{calls = Calls, us = Us, by_pid = ByPid, total = Total}) ->
    {C, U} = sum([Counted || {_, Counted} <- Per]),
    #profile{calls = Calls + C, us = Us + U, total = [{MFA, {C, U}} | Total],
             by_pid = lists:foldl(fun({Pid, Counted}, Acc) -> put_counted(Pid, {MFA, Counted}, Acc) end, ByPid, Per)}.

put_counted(Pid, Counted, ByPid) ->
    orddict:update(Pid, fun(Others) -> [Counted | Others] end, [Counted], ByPid).

sum(Counted) ->
    lists:foldl(fun({C, U}, {Calls, Us}) -> {Calls + C, Us + U} end, {0, 0}, Counted).
