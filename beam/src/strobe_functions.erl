%% A file that says which function the code at each address is of, for samples of the CPU: as the map that the VM writes
%% with +JPperf map, for a node that was started without it.
-module(strobe_functions).
-export([open/1, look/1]).

-define(SELDOM_MS, 1000).

%% Writes the file, if the VM tells where functions are, and the folder takes one.
-spec open(file:filename()) -> map() | none.
open(Path) ->
    case strobe_nif:loaded() =/= unknown andalso file:open(Path, [raw, write]) of
        {ok, File} -> look(#{file => File, at => 0, known => none});
        _          -> none
    end.

%% Adds the functions of code that was loaded since the last look. The code that stands last in the file is the one that
%% is there.
-spec look(map()) -> map().
look(#{file := File, at := Then, known := Known} = State) ->
    case erlang:monotonic_time(millisecond) of
        Now when Known =/= none, Now - Then < ?SELDOM_MS -> State;
        Now ->
            Is = {strobe_nif:loaded(), length(erlang:loaded())},
            Is =:= Known orelse write(File, 0),
            State#{at := Now, known := Is}
    end.

write(File, At) ->
    {Next, Lines} = strobe_nif:functions(At),
    _ = file:write(File, Lines),
    Next =:= 0 orelse write(File, Next).
