%% A file that says which function the code at each address is of, for samples of the CPU: as the map that the VM writes
%% with +JPperf map, for a node that was started without it. It appears with its first functions.
-module(strobe_functions).
-export([open/2, look/1]).

-define(SELDOM, 50). % times what a look costs, until the next one
-define(LEAST_MS, 250).
-define(MOST_MS, 500). % a look takes longer where others take the cores, and samples wait no longer for their names
-define(PIECES, 8).
-define(US, 1000000). % a second, without another atom

%% The functions are told once the VM has used so many milliseconds of the CPU, if it tells where they are. The state:
%% the file, or its path; this time; when the next look is due; the code that was told. (A map would make atoms.)
-type state() :: {file:filename() | tuple(), non_neg_integer(), integer(), term()}.

-spec open(file:filename(), non_neg_integer()) -> state() | none.
open(Path, Least) ->
    case strobe_nif:loaded() of
        unknown -> none;
        _       -> look({Path, Least, erlang:monotonic_time(millisecond), none})
    end.

%% Adds the functions of code that was loaded since the last look. The code that stands last in the file is the one that
%% is there.
-spec look(state()) -> state() | none.
look({File, Least, Due, Known} = State) ->
    {Code, Worked} = strobe_nif:loaded(),
    Now = erlang:monotonic_time(?US),
    case {Code, length(erlang:loaded())} of
        Known                                     -> State;
        _ when Worked < Least; Now div 1000 < Due -> State;
        Is                                        -> tell(Now, File, Least, Is)
    end.

tell(Began, Path, Least, Is) when is_list(Path) ->
    case prim_file:open(Path, [write]) of % of a VM from its start; module file may have to load another
        {ok, File} -> tell(Began, File, Least, Is);
        {error, _} -> none
    end;
tell(Began, File, Least, Is) ->
    write(File, 0, []),
    Now = erlang:monotonic_time(?US),
    {File, Least, Now div 1000 + max(?LEAST_MS, min(?MOST_MS, (Now - Began) * ?SELDOM div 1000)), Is}.

%% The session has a high priority, and the program its turn with each write, which is done by another thread. Its turn
%% may be long, so that a write holds some pieces, of less than a millisecond each.
write(File, At, Lines) when length(Lines) < ?PIECES ->
    {Next, More} = strobe_nif:functions(At),
    case Next of
        0 -> _ = prim_file:write(File, lists:reverse(Lines, [More])), true;
        _ -> write(File, Next, [More | Lines])
    end;
write(File, At, Lines) ->
    _ = prim_file:write(File, lists:reverse(Lines)),
    write(File, At, []).
