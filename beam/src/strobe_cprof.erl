%% @doc Call counts by breakpoints: `cprof''s calls, numbers, terms and order.
%%
%% A program that calls `cprof:' works with the prefix changed. One difference: from OTP 27 on the counters are in a
%% trace session of their own, so that counting and the tracing of others do not affect one another.
%%
%% ```
%% strobe_cprof:start(), Work(), strobe_cprof:pause(),
%% {AllCalls, [{Module, Calls, [{{Module, Function, Arity}, Count}]}]} = strobe_cprof:analyse().
%% '''
-module(strobe_cprof).

-export([start/0, start/1, start/2, start/3,
         stop/0, stop/1, stop/2, stop/3,
         restart/0, restart/1, restart/2, restart/3,
         pause/0, pause/1, pause/2, pause/3,
         analyse/0, analyse/1, analyse/2,
         analyze/0, analyze/1, analyze/2]).
-export_type([function_spec/0, module_analysis/0]).

-define(ALL, {'_', '_', '_'}).
-define(OURS(Module), (Module =:= ?MODULE orelse Module =:= strobe_otp)).

-type function_spec()   :: module() | mfa() | {term()}.
-type module_analysis() :: {module(), non_neg_integer(), [{mfa(), non_neg_integer()}]}.

%% @doc Count all functions of all modules, and of modules that are loaded later.
-spec start() -> non_neg_integer().
start() -> set(?ALL, true) + set(on_load, true).

%% @doc Count the functions that match `Spec': a module, an `{M,F,A}', or `{Pattern}' as trace_pattern takes it.
-spec start(function_spec()) -> non_neg_integer().
start(Spec) -> set(pattern(Spec), true).

-spec start(module(), atom()) -> non_neg_integer().
start(M, F) -> set({M, F, '_'}, true).

-spec start(module(), atom(), arity()) -> non_neg_integer().
start(M, F, A) -> set({M, F, A}, true).

%% @doc Remove all counters.
-spec stop() -> non_neg_integer().
stop() ->
    Functions = set(?ALL, false) + set(on_load, false),
    ok = strobe_otp:close(?MODULE),
    Functions.

-spec stop(function_spec()) -> non_neg_integer().
stop(Spec) -> set(pattern(Spec), false).

-spec stop(module(), atom()) -> non_neg_integer().
stop(M, F) -> set({M, F, '_'}, false).

-spec stop(module(), atom(), arity()) -> non_neg_integer().
stop(M, F, A) -> set({M, F, A}, false).

%% @doc Reset existing counters to zero and let them run.
-spec restart() -> non_neg_integer().
restart() -> set(?ALL, restart).

-spec restart(function_spec()) -> non_neg_integer().
restart(Spec) -> set(pattern(Spec), restart).

-spec restart(module(), atom()) -> non_neg_integer().
restart(M, F) -> set({M, F, '_'}, restart).

-spec restart(module(), atom(), arity()) -> non_neg_integer().
restart(M, F, A) -> set({M, F, A}, restart).

%% @doc Pause all counters; modules that are loaded from now on are not counted.
-spec pause() -> non_neg_integer().
pause() -> set(?ALL, pause) + set(on_load, false).

-spec pause(function_spec()) -> non_neg_integer().
pause(Spec) -> set(pattern(Spec), pause).

-spec pause(module(), atom()) -> non_neg_integer().
pause(M, F) -> set({M, F, '_'}, pause).

-spec pause(module(), atom(), arity()) -> non_neg_integer().
pause(M, F, A) -> set({M, F, A}, pause).

%% @doc Returns the counts of all modules, most calls first.
-spec analyse() -> {non_neg_integer(), [module_analysis()]}.
analyse() -> analyse(1).

%% @doc Returns all modules with the functions called at least `Limit' times; or one module.
-spec analyse(non_neg_integer()) -> {non_neg_integer(), [module_analysis()]};
             (module()) -> module_analysis().
analyse(Limit) when is_integer(Limit) ->
    Session = strobe_otp:session(?MODULE),
    Counted = [{Calls, Module, Functions}
               || {Name, _} <- code:all_loaded(), not ?OURS(Name),
                  {Module, Calls, Functions} <- [count(Session, Name, Limit)], Calls > 0],
    {sum(Counted), [{Module, Calls, Functions} || {Calls, Module, Functions} <- descending(Counted)]};
analyse(Module) when is_atom(Module) ->
    analyse(Module, 1).

%% @doc Returns one module. Functions called fewer than `Limit' times are in its sum and not in its list.
-spec analyse(module(), non_neg_integer()) -> module_analysis().
analyse(Module, Limit) when is_atom(Module), is_integer(Limit) ->
    count(strobe_otp:session(?MODULE), Module, Limit).

%% @equiv analyse()
-spec analyze() -> {non_neg_integer(), [module_analysis()]}.
analyze() -> analyse().

%% @equiv analyse(LimitOrModule)
-spec analyze(non_neg_integer()) -> {non_neg_integer(), [module_analysis()]};
             (module()) -> module_analysis().
analyze(LimitOrModule) -> analyse(LimitOrModule).

%% @equiv analyse(Module, Limit)
-spec analyze(module(), non_neg_integer()) -> module_analysis().
analyze(Module, Limit) -> analyse(Module, Limit).

pattern({_, _, _} = MFA) -> MFA;
pattern({Pattern})       -> Pattern;
pattern(Module)          -> {Module, '_', '_'}.

set(Pattern, Switch) ->
    strobe_otp:pattern(strobe_otp:session(?MODULE), Pattern, Switch, [call_count]).

count(Session, Module, Limit) ->
    Counters = [{strobe_otp:read(Session, {Module, F, A}, call_count), {Module, F, A}}
                || {F, A} <- Module:module_info(functions)],
    Counted = [Counter || {Count, _} = Counter <- Counters, is_integer(Count)],
    {Module, sum(Counted), [{MFA, Count} || {Count, MFA} <- descending(Counted), Count >= Limit]}.

sum(Counted) ->
    lists:sum([element(1, Counter) || Counter <- Counted]).

descending(List) ->
    lists:reverse(lists:sort(List)).
