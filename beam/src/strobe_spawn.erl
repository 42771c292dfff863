%% Spawns processes so that only some of many similar ones have their calls recorded: of those with one entry the 1st,
%% 2nd, 4th, 7th, 11th ..., about sqrt(2N) of N. All other events of all processes are recorded. Where no calls are
%% recorded, or on another node, this is plain spawning. Calls that a process makes before the spawn returns may still
%% be recorded.
-module(strobe_spawn).
-export([open/0, started/2]).

-define(COUNTS, strobe_spawn_counts).

%% The session's owner owns the table, which ends with it.
open() -> ets:new(?COUNTS, [named_table, public, {write_concurrency, true}]).

%% Returns what `Spawn' returns. It starts a process whose entry is `Key'.
-spec started(term(), fun(() -> Result)) -> Result when Result :: pid() | {pid(), reference()}.
started(Key, Spawn) ->
    case is_recorded(Key) of
        true -> Spawn();
        false ->
            Result = Spawn(),
            strobe_nif:mute(case Result of {Pid, _} -> Pid; Pid -> Pid end),
            ets:insert_new(?COUNTS, {noted, 1}) andalso strobe_nif:note(<<"thinned">>, <<"calls">>),
            Result
    end.

%% Funs are similar if their code is the same; their environments do not matter.
is_recorded(Fun) when is_function(Fun) ->
    is_recorded([element(2, erlang:fun_info(Fun, Item)) || Item <- [module, name, arity]]);
is_recorded(Key) ->
    try is_triangular(ets:update_counter(?COUNTS, Key, 1, {Key, 0}) - 1)
    catch error:badarg -> true
    end.

%% N is one of 0, 1, 3, 6, 10 ... if 8N + 1 is a square.
is_triangular(N) ->
    Root = round(math:sqrt(8 * N + 1)),
    Root * Root =:= 8 * N + 1.
