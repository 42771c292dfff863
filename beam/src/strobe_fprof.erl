%% @doc Own and accumulated time of each function by caller: fprof's calls, options, results and files.
%%
%% A program that calls `fprof:' works with the prefix changed. Tracing is that of fprof; the program strobe profiles
%% and analyses, and writes the same bytes many times faster. From OTP 27 on the tracing has a session of its own and
%% does not affect that of others.
%%
%% ```
%% strobe_fprof:apply(fun job/0, []), strobe_fprof:profile(), strobe_fprof:analyse([{dest, "job.analysis"}, totals]).
%% '''
-module(strobe_fprof).

-export([start/0, stop/0, stop/1]).
-export([apply/2, apply/3, apply/4, trace/1, trace/2]).
-export([profile/0, profile/1, profile/2, analyse/0, analyse/1, analyse/2]).
-export([get_state/0, save_profile/0, save_profile/1, save_profile/2, load_profile/0, load_profile/1, load_profile/2,
         code_change/0]).

-define(TRACE, "fprof.trace").
-define(DUMP, "fprof.dump").
-define(ANALYSIS, "fprof.analysis").
-define(PROFILE, "fprof.profile").

-type answer() :: ok | {error, term()} | {'EXIT', pid(), term()}.

-spec start() -> {ok, pid()} | {error, {already_started, pid()}}.
start() -> strobe_fprof_server:start().

-spec stop() -> ok.
stop() -> stop(normal).

%% @doc Stop when tracing and profiling have ended; `kill' stops at once.
-spec stop(term()) -> ok.
stop(Reason) -> strobe_fprof_server:stop(Reason).

%% ---- running a function while it is traced

-spec apply(fun() | {module(), atom()}, [term()]) -> term().
apply({M, F}, Args) when is_atom(M), is_atom(F), is_list(Args) -> applied(M, F, Args, []);
apply(Fun, Args) when is_function(Fun), is_list(Args)          -> applied(Fun, Args, []);
apply(A, B)                                                    -> erlang:error(badarg, [A, B]).

-spec apply(module(), atom(), [term()]) -> term();
           (fun() | {module(), atom()}, [term()], [term()]) -> term().
apply(M, F, Args) when is_atom(M), is_atom(F), is_list(Args) ->
    applied(M, F, Args, []);
apply({M, F}, Args, Options) when is_atom(M), is_atom(F), is_list(Args), is_list(Options) ->
    applied(M, F, Args, Options);
apply(Fun, Args, Options) when is_function(Fun), is_list(Args), is_list(Options) ->
    applied(Fun, Args, Options);
apply(A, B, C) ->
    erlang:error(badarg, [A, B, C]).

-spec apply(module(), atom(), [term()], [term()]) -> term().
apply(M, F, Args, Options) when is_atom(M), is_atom(F), is_list(Args), is_list(Options) ->
    applied(M, F, Args, Options);
apply(A, B, C, D) ->
    erlang:error(badarg, [A, B, C, D]).

applied(M, F, Args, Options) ->
    Arity = length(Args),
    applied(fun M:F/Arity, Args, Options).

applied(Function, Args, Options) ->
    {[_, Procs, Continue], Rest} = take([start, procs, continue], Options),
    More = case Procs of [{procs, P}] when is_list(P) -> P; _ -> [] end,
    lists:member(Continue, [[], [continue]]) orelse erlang:error(badarg, [Function, Args, Options]),
    {Helper, Monitor, Ref} = start_helper([start, {procs, [self() | More]} | Rest], Continue =:= []),
    case Continue of
        [continue] -> erlang:apply(Function, Args);
        []         -> try erlang:apply(Function, Args) after stop_helper(Helper, Monitor, Ref) end
    end.

%% Another process starts and stops the tracing, so that the trace holds the function and little else.
start_helper(Options, Stays) ->
    {Ref, Caller} = {make_ref(), self()},
    {Helper, Monitor} = spawn_monitor(fun() -> helper(Caller, Ref, Options), Stays andalso await_stop(Caller, Ref) end),
    receive
        {Helper, Ref, started}                    -> {Helper, Monitor, Ref};
        {'DOWN', Monitor, process, Helper, Reason} -> exit(Reason)
    end.

helper(Caller, Ref, Options) ->
    case trace(Options) of
        ok              -> Caller ! {self(), Ref, started};
        {error, Reason} -> exit(Reason);
        Failed          -> exit(Failed)
    end.

await_stop(Caller, Ref) ->
    Monitor = erlang:monitor(process, Caller),
    receive
        {Caller, Ref, stop}        -> trace([stop]);
        {'DOWN', Monitor, _, _, _} -> trace([stop])
    end.

stop_helper(Helper, Monitor, Ref) ->
    Helper ! {self(), Ref, stop},
    receive {'DOWN', Monitor, process, Helper, _} -> ok end.

%% ---- trace

-spec trace(term()) -> answer().
trace(stop)                                 -> ask(trace_stop);
trace([stop])                               -> ask(trace_stop);
trace(verbose)                              -> trace([start, verbose]);
trace({Name, _} = Option) when is_atom(Name) -> trace([Option]);
trace(Option) when is_atom(Option)          -> trace([Option]);
trace(Options) when is_list(Options) ->
    case take([start, stop, procs, verbose, file, tracer, cpu_time], Options) of
        {[[start], [], Procs, Verbose, File, Tracer, Cpu], []} ->
            ask({trace_start, procs(Procs, Options), flag(verbose, Verbose, Options), flag(cpu_time, Cpu, Options),
                 destination(File, Tracer, Options)});
        _ ->
            bad(Options)
    end;
trace(Options) ->
    bad(Options).

-spec trace(atom(), term()) -> answer().
trace(start, File)                       -> trace([start, {file, File}]);
trace(verbose, File)                     -> trace([start, verbose, {file, File}]);
trace(Name, Value) when is_atom(Name)    -> trace([{Name, Value}]);
trace(Name, Value)                       -> erlang:error(badarg, [Name, Value]).

procs([], _)                              -> [self()];
procs([{procs, Procs}], _) when is_list(Procs) -> Procs;
procs([{procs, Proc}], _)                 -> [Proc];
procs(_, Options)                         -> bad(Options).

destination([], [{tracer, T}], _) when is_pid(T); is_port(T) -> {tracer, T};
destination(File, [], Options)                               -> {file, named(file, File, ?TRACE, Options)};
destination(_, _, Options)                                   -> bad(Options).

%% ---- profile

-spec profile() -> answer().
profile() -> profile([]).

-spec profile(term()) -> answer() | {ok, pid()}.
profile({Name, _} = Option) when is_atom(Name) -> profile([Option]);
profile(Option) when is_atom(Option)           -> profile([Option]);
profile(Options) when is_list(Options) ->
    case take([start, stop, file, dump, append], Options) of
        {[[], [stop], [], [], []], []}        -> ask(profile_stop);
        {[[start], [], [], Dump, Append], []} ->
            ask({profile_start, group_leader(), output(dump, Dump, Append, ?DUMP, Options)});
        {[[], [], File, Dump, Append], []} ->
            ask({profile, named(file, File, ?TRACE, Options), group_leader(),
                 output(dump, Dump, Append, ?DUMP, Options)});
        _ -> bad(Options)
    end;
profile(Options) ->
    bad(Options).

-spec profile(atom(), term()) -> answer() | {ok, pid()}.
profile(Name, Value) when is_atom(Name) -> profile([{Name, Value}]);
profile(Name, Value)                    -> erlang:error(badarg, [Name, Value]).

%% ---- analyse

-spec analyse() -> answer().
analyse() -> analyse([]).

-spec analyse(term()) -> answer().
analyse({Name, _} = Option) when is_atom(Name) -> analyse([Option]);
analyse(Option) when is_atom(Option)           -> analyse([Option]);
analyse(Options) when is_list(Options) ->
    case take([dest, append, cols, callers, no_callers, sort, totals, details, no_details], Options) of
        {[Dest, Append, Cols, Callers, NoCallers, Sort, Totals, Details, NoDetails], []} ->
            Target = case output(dest, Dest, Append, ?ANALYSIS, Options) of none -> group_leader(); T -> T end,
            ask({analyse, group_leader(), Target,
                 ["--cols", integer_to_list(columns(Cols, Options)), "--sort", sort(Sort, Options)]
                 ++ ["--no-callers" || not unless(callers, Callers, no_callers, NoCallers, Options)]
                 ++ ["--totals" || flag(totals, Totals, Options)]
                 ++ ["--no-details" || not unless(details, Details, no_details, NoDetails, Options)]});
        _ ->
            bad(Options)
    end;
analyse(Options) ->
    bad(Options).

-spec analyse(atom(), term()) -> answer().
analyse(Name, Value) when is_atom(Name) -> analyse([{Name, Value}]);
analyse(Name, Value)                    -> erlang:error(badarg, [Name, Value]).

columns([], _)                                       -> 80;
columns([{cols, N}], _) when is_integer(N), N > 0    -> N;
columns(_, Options)                                  -> bad(Options).

sort([], _)            -> "acc";
sort([{sort, acc}], _) -> "acc";
sort([{sort, own}], _) -> "own";
sort(_, Options)       -> bad(Options).

%% ---- undocumented functions of fprof

%% @doc Save the profiled data in a file for load_profile. The file is the trace, which fprof itself cannot load.
-spec save_profile() -> answer().
save_profile() -> save_profile([]).

-spec save_profile(term()) -> answer().
save_profile(Options) -> ask({save_profile, kept_in(Options)}).

-spec save_profile(atom(), term()) -> answer().
save_profile(Name, Value) when is_atom(Name) -> save_profile([{Name, Value}]);
save_profile(Name, Value)                    -> erlang:error(badarg, [Name, Value]).

-spec load_profile() -> answer().
load_profile() -> load_profile([]).

-spec load_profile(term()) -> answer().
load_profile(Options) -> ask({load_profile, kept_in(Options)}).

-spec load_profile(atom(), term()) -> answer().
load_profile(Name, Value) when is_atom(Name) -> load_profile([{Name, Value}]);
load_profile(Name, Value)                    -> erlang:error(badarg, [Name, Value]).

kept_in(Option) when is_atom(Option), Option =/= [] -> kept_in([Option]);
kept_in(Options) when is_list(Options) ->
    case take([file], Options) of
        {[[]], []}             -> ?PROFILE;
        {[[{file, File}]], []} -> File;
        _                      -> bad(Options)
    end;
kept_in(Options) ->
    bad(Options).

%% @doc Returns the state of the server, for debugging.
-spec get_state() -> {ok, [{atom(), term()}]} | {'EXIT', pid() | fprof_server, term()}.
get_state() -> strobe_fprof_server:ask_running(get_state).

-spec code_change() -> ok | {'EXIT', pid() | fprof_server, term()}.
code_change() -> strobe_fprof_server:ask_running(code_change).

%% ---- options: each at most once; a bare `X' equals `{X, true}'

take(Names, Options) ->
    {[[O || O <- Options, is_option(Name, O)] || Name <- Names],
     [O || O <- Options, not lists:any(fun(Name) -> is_option(Name, O) end, Names)]}.

is_option(Name, Name)      -> true;
is_option(Name, {Name, _}) -> true;
is_option(_, _)            -> false.

flag(_, [], _)                                        -> false;
flag(Name, [Name], _)                                 -> true;
flag(Name, [{Name, Value}], _) when is_boolean(Value) -> Value;
flag(_, _, Options)                                   -> bad(Options).

unless(Name, [], No, [No], _) when Name =/= No -> false;
unless(_, [], _, [], _)                        -> true;
unless(Name, Given, _, [], Options)            -> flag(Name, Given, Options);
unless(_, _, _, _, Options)                    -> bad(Options).

named(_, [], Default, _)                -> Default;
named(Name, [Name], Default, _)         -> Default;
named(Name, [{Name, []}], Default, _)   -> Default;
named(Name, [{Name, File}], _, _)       -> File;
named(_, _, _, Options)                 -> bad(Options).

%% The destination of text: none, a process, or {File, replace | append}.
output(_, [], [], _, _)                                       -> none;
output(Name, [Name], [], _, _)                                -> group_leader();
output(Name, [{Name, []}], Append, Default, Options)          -> {Default, how(Append, Options)};
output(Name, [{Name, Pid}], [], _, _) when is_pid(Pid)        -> Pid;
output(Name, [{Name, Pid}], _, _, Options) when is_pid(Pid)   -> bad(Options);
output(Name, [{Name, File}], Append, _, Options)              -> {File, how(Append, Options)};
output(_, _, _, _, Options)                                   -> bad(Options).

how([], _)       -> replace;
how([append], _) -> append;
how(_, Options)  -> bad(Options).

-spec bad(term()) -> no_return().
bad(Options) -> erlang:error(badarg, [Options]).

ask(Request) -> strobe_fprof_server:ask(Request).
