%% Started by the VM's own flags under `strobe record`: begins a capture before the program does, says nothing, and
%% leaves the program as it is. What to record stands in the folder named by STROBE_RECORD, one `key=value` a line;
%% the rings go there too, under the number of this operating system process.
-module(strobe_boot).
-export([start/0]).

start() ->
    case os:getenv("STROBE_RECORD") of
        false -> ok;
        Dir ->
            try begin_capture(Dir)
            catch Class:Reason -> failed(Dir, {Class, Reason})
            end
    end.

begin_capture(Dir) ->
    {ok, Text} = file:read_file(filename:join(Dir, "options")),
    Options = lists:foldl(fun option/2, #{rings => filename:join(Dir, os:getpid() ++ ".rings")},
                          string:lexemes(unicode:characters_to_list(Text), "\n")),
    case strobe_session:start(Options) of
        {ok, _} -> ok;
        {error, Reason} -> failed(Dir, Reason)
    end.

option(Line, Options) ->
    [Key, Value] = string:split(Line, "="),
    option(Key, Value, Options).

option("trace", Value, O) -> O#{trace => atoms(Value)};
option("modules", Value, O) -> O#{modules => atoms(Value)};
option("apps", Value, O) -> O#{apps => atoms(Value)};
option("bytes", Value, O) -> O#{bytes => list_to_integer(Value)};
option(_, _, O) -> O.

atoms(Text) -> [list_to_atom(A) || A <- string:lexemes(Text, ",")].

failed(Dir, Reason) ->
    Text = io_lib:format("~0tp~n", [Reason]),
    file:write_file(filename:join(Dir, os:getpid() ++ ".failed"), unicode:characters_to_binary(Text)),
    ok.
