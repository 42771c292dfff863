%% A file that says which function the code at each address is of, for samples of the CPU: as the map that the VM writes
%% with +JPperf map, for a node that was started without it.
-module(strobe_functions).
-export([open/1, look/1]).

-define(SELDOM_MS, 1000).

%% Writes the file, if the VM tells where functions are.
-spec open(file:filename()) -> map() | none.
open(Path) ->
    case strobe_nif:code_index() of
        unknown -> none;
        _ ->
            {ok, File} = file:open(Path, [raw, write]),
            look(#{file => File, at => 0, known => none})
    end.

%% Adds the functions of code that was loaded since the last look. The code that stands last in the file is the one that
%% is there.
-spec look(map()) -> map().
look(#{file := File, at := Then, known := Known} = State) ->
    case erlang:monotonic_time(millisecond) of
        Now when Known =/= none, Now - Then < ?SELDOM_MS -> State;
        Now ->
            Is = {strobe_nif:code_index(), length(erlang:loaded())},
            _ = [write(File, From, To) || Is =/= Known, {From, To} <- regions()],
            State#{at := Now, known := Is}
    end.

write(File, From, To) when From < To ->
    {Next, Lines} = strobe_nif:functions(From, To),
    _ = file:write(File, Lines),
    write(File, Next, To);
write(_, _, _) -> ok.

%% The memory that holds code and is no file: "FROM-TO r-xp OFFSET DEVICE INODE NAME" in hexadecimal.
regions() ->
    {ok, Maps} = prim_file:read_file("/proc/self/maps"), % asks no process
    [{binary_to_integer(From, 16), binary_to_integer(To, 16)}
     || Line <- binary:split(Maps, <<"\n">>, [global, trim_all]),
        [Range, <<_, _, "x", _/binary>>, _, _, _ | Name] <- [binary:split(Line, <<" ">>, [global, trim_all])],
        Name =:= [] orelse binary:match(hd(Name), <<"/memfd:">>) =:= {0, 7},
        [From, To] <- [binary:split(Range, <<"-">>)]].
