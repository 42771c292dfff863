%% The part of a flight recorder in the node: requests for its trace, by a process or by an event of the log. The trace
%% is kept and written by the drain; a request goes to it through the rings (strobe_nif:ask/3).
-module(strobe_flight).
-export([options/1, snapshot/1, watch_log/1, leave_log/0]).
-export([log/2]).

-define(POLL_MS, 5).
-define(TEXT, 150).
-define(KEPT, 10).
-define(WINDOW_BYTES, 128 bsl 20).

%% Splits off the options of the recorder. Returns its file, the arguments of the drain, what the session has to know,
%% and the other options.
-spec options(map() | list()) -> {file:filename_all(), [string()], map(), map()}.
options(Options) when is_list(Options) -> options(maps:from_list(Options));
options(Options) ->
    #{duration := Window} = strobe_options:read(#{duration => maps:get(window, Options, "60s")}),
    Window >= 1000 orelse throw({bad_option, {window, Window}}),
    Triggers = [unicode:characters_to_list(T) || T <- maps:get(triggers, Options, [])],
    Arguments = ["--flight", integer_to_list(Window * 1000000),
                 "--keep", number(keep, Options, ?KEPT), "--window-bytes", number(limit_bytes, Options, ?WINDOW_BYTES)]
        ++ lists:append([["--when", T] || T <- Triggers]),
    case strobe_drain_nif:check([unicode:characters_to_binary(T) || T <- Triggers]) of
        ok            -> ok;
        {error, Text} -> throw({bad_trigger, Text})
    end,
    Levels = [{log, Level} || T <- Triggers, Level <- level(string:lexemes(T, " "))],
    Session = maps:from_list([{flight, true} | Levels]),
    {maps:get(file, Options, "flight.sbt"), Arguments, Session,
     maps:without([window, triggers, keep, limit_bytes, file], Options)}.

number(Key, Options, Default) ->
    case maps:get(Key, Options, Default) of
        N when is_integer(N), N > 0 -> integer_to_list(N);
        Other                       -> throw({bad_option, {Key, Other}})
    end.

level(["log", Level]) -> [list_to_atom(Level)];
level(_)              -> [].

%% Returns the path of the trace of the last seconds, when it is written.
-spec snapshot(unicode:chardata()) -> {ok, file:filename()} | {error, term()}.
snapshot(Why) ->
    case strobe_nif:ask(false, bounded(Why), <<>>) of
        none -> {error, no_flight_recorder};
        busy -> receive after ?POLL_MS -> snapshot(Why) end;
        Slot -> wait(Slot)
    end.

wait(Slot) ->
    case strobe_nif:answer(Slot) of
        waiting         -> receive after ?POLL_MS -> wait(Slot) end;
        {written, Path} -> {ok, unicode:characters_to_list(Path)};
        {failed, Text}  -> {error, Text};
        none            -> {error, no_flight_recorder}
    end.

bounded(Text) -> unicode:characters_to_binary(lists:sublist(unicode:characters_to_list(Text), ?TEXT)).

%% ---- the log: a handler that asks for a trace, at most once a second

-spec watch_log(logger:level()) -> ok.
watch_log(Level) ->
    leave_log(),
    _ = try logger:add_handler(?MODULE, ?MODULE, #{level => Level, config => #{last => atomics:new(1, [])}})
        catch _:_ -> none % early in a boot there is no logger
        end,
    ok.

-spec leave_log() -> ok.
leave_log() ->
    _ = try logger:remove_handler(?MODULE) catch _:_ -> none end,
    ok.

%% @private
log(#{level := Level, msg := Message}, #{config := #{last := Last}}) ->
    Now = erlang:monotonic_time(second),
    _ = atomics:exchange(Last, 1, Now) =:= Now orelse
            strobe_nif:ask(true, bounded(["log ", atom_to_list(Level), ": ", message(Message)]), <<>>),
    ok.

message({string, Text})      -> Text;
message({report, Report})    -> io_lib:format("~0tp", [Report], [{chars_limit, ?TEXT}]);
message({Format, Arguments}) -> io_lib:format(Format, Arguments, [{chars_limit, ?TEXT}]).
