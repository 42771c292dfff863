%% The part of a flight recorder in the node: requests for its trace, by a process or by an event of the log, and the
%% stacks of the processes that its conditions are about. The trace is kept and written by the drain; a request goes to
%% it through the rings (strobe_nif:ask/3).
-module(strobe_flight).
-export([options/1, snapshot/1, watch_log/1, leave_log/0, open/0, look/1, close/1]).
-export([log/2]).

-define(POLL_MS, 5).
-define(TEXT, 150).
-define(STACK, 235). % bytes
-define(ASKERS, 2).
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
    case strobe_nif:ask(snapshot, bounded(Why), <<>>) of
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
            strobe_nif:ask(trigger, bounded(["log ", atom_to_list(Level), ": ", message(Message)]), <<>>),
    ok.

message({string, Text})      -> Text;
message({report, Report})    -> io_lib:format("~0tp", [Report], [{chars_limit, ?TEXT}]);
message({Format, Arguments}) -> io_lib:format(Format, Arguments, [{chars_limit, ?TEXT}]).

%% ---- stacks. A process that runs answers when it yields, so each is asked by a process of our own, and the session
%% does not wait.

-spec open() -> [pid()].
open() -> [spawn_opt(fun asker/0, [link, {priority, high}]) || _ <- lists:seq(1, ?ASKERS)].

%% Ends the askers, even those that wait for an answer.
-spec close([pid()]) -> ok.
close(Askers) -> [begin unlink(Pid), exit(Pid, kill) end || Pid <- Askers], ok.

%% Asks for the stacks that the recorder wants to know.
-spec look([pid()]) -> ok.
look(Askers) ->
    ask(Askers, strobe_nif:wanted()).

ask([Asker | Askers], [Pid | Wanted]) -> Asker ! {ask, Pid}, ask(Askers, Wanted);
ask(_, _)                             -> ok.

asker() ->
    receive {ask, {Number, Serial}} -> tell(lists:concat(["<0.", Number, ".", Serial, ">"])) end,
    asker().

%% Without a stack the recorder does not wait for one either.
tell(Name) ->
    Said = case erlang:process_info(list_to_pid(Name), [current_stacktrace, status]) of
               [{_, [_ | _] = Stack}, {_, Status}] -> [Name, doing(Status), frames(Stack, [])];
               _                                   -> [Name, " has ended"]
           end,
    _ = strobe_nif:ask(stack, unicode:characters_to_binary(Said), <<>>),
    ok.

doing(waiting) -> " waits in ";
doing(_)       -> " runs ".

%% As many as there is room for, the innermost first.
frames([{M, F, A, Where} | Stack], Before) ->
    Frame = io_lib:format("~ts:~ts/~w~ts", [M, F, arity(A), line(Where)]),
    Next = case Before of [] -> [Frame]; _ -> [Before, " < ", Frame] end,
    case byte_size(unicode:characters_to_binary(Next)) =< ?STACK - 40 of
        true  -> frames(Stack, Next);
        false -> [Before, " < ..."]
    end;
frames([], Frames) -> Frames.

arity(A) when is_list(A) -> length(A);
arity(A)                 -> A.

line(Where) ->
    case {proplists:get_value(file, Where), proplists:get_value(line, Where)} of
        {[_ | _] = File, Line} when is_integer(Line) -> io_lib:format(" (~ts:~w)", [filename:basename(File), Line]);
        _                                            -> ""
    end.
