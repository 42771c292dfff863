%% A file that says which function the code at each address is of, for samples of the CPU: as the map that the VM writes
%% with +JPperf map, for a node that was started without it. It appears with its first functions.
-module(strobe_functions).
-export([open/2, look/1]).

-define(SELDOM, 50). % times what a look costs, until the next one
-define(LEAST_MS, 250).

%% The functions are told once the VM has used so many milliseconds of the CPU, if it tells where they are.
-spec open(file:filename(), non_neg_integer()) -> map() | none.
open(Path, Worked) ->
    case strobe_nif:loaded() of
        unknown -> none;
        _       -> look(#{path => Path, worked => Worked, due => erlang:monotonic_time(millisecond), known => none})
    end.

%% Adds the functions of code that was loaded since the last look. The code that stands last in the file is the one that
%% is there.
-spec look(map()) -> map() | none.
look(#{worked := Least, due := Due, known := Known} = State) ->
    {Code, Worked} = strobe_nif:loaded(),
    Now = erlang:monotonic_time(microsecond),
    case {Code, length(erlang:loaded())} of
        Known                                            -> State;
        _ when Worked < Least; Now div 1000 < Due        -> State;
        Is                                               -> tell(Now, State#{known := Is})
    end.

tell(Began, #{file := File} = State) ->
    write(File, 0),
    Now = erlang:monotonic_time(microsecond),
    State#{due := Now div 1000 + max(?LEAST_MS, (Now - Began) * ?SELDOM div 1000)};
tell(Began, #{path := Path} = State) ->
    case file:open(Path, [raw, write]) of
        {ok, File} -> tell(Began, State#{file => File});
        {error, _} -> none
    end.

write(File, At) ->
    {Next, Lines} = strobe_nif:functions(At),
    _ = file:write(File, Lines),
    Next =:= 0 orelse write(File, Next).
