%% @doc Records a test and keeps its trace if it fails or is slow: for EUnit, and for Elixir's Strobe.Case.
%%
%% ```
%% request_test_() -> {timeout, 10, fun() -> strobe_test:record("request", [{slow, 500}], fun request/0) end}.
%% '''
%% Common Test has a hook: {@link strobe_cth}.
-module(strobe_test).

-export([record/3, begins/2, ends/2]).

-type option() :: {slow, Milliseconds :: non_neg_integer()} | {dir, file:filename()} | strobe:option().
-type recorded() :: {Owner :: pid(), file:filename(), Started :: integer(), Slow :: non_neg_integer()} | unrecorded.
-opaque recording() :: {Name :: string(), recorded()}.
-export_type([option/0, recording/0]).

-define(PRINTED, {?MODULE, printed}).

%% @doc Run `Fun' under a recording into DIR/NAME.sbt, which is kept if `Fun' fails or takes `slow' ms (1000) or more.
%% Where the node cannot record, `Fun' runs unrecorded, and the first such test prints the reason. Marks with the name
%% of the test go into whatever recording the node makes.
-spec record(string(), [option()], fun(() -> Value)) -> Value.
record(Name, Options, Fun) ->
    Recording = begins(Name, Options),
    try Fun() of
        Value -> ends(Recording, passed), Value
    catch
        Class:Reason:Stack -> ends(Recording, failed), erlang:raise(Class, Reason, Stack)
    end.

%% @doc Begin the recording of a test.
-spec begins(string(), [option()]) -> recording().
begins(Name, Options) ->
    Dir = proplists:get_value(dir, Options, "strobe-traces"),
    File = filename:join(Dir, re:replace(Name, "[^A-Za-z0-9_.-]+", "_", [global, unicode, {return, list}]) ++ ".sbt"),
    Begun = try begin_(File, [{quiet, true} | [O || {Key, _} = O <- Options, Key =/= dir, Key =/= slow]])
            catch Class:Reason -> {error, {Class, Reason}}
            end,
    strobe:mark(["test ", Name]),
    case Begun of
        {ok, Owner}  ->
            {Name, {Owner, File, erlang:monotonic_time(millisecond), proplists:get_value(slow, Options, 1000)}};
        {error, Why} ->
            once(reason(Why)), {Name, unrecorded}
    end.

begin_(File, Options) ->
    case filelib:ensure_dir(File) of
        ok    -> strobe:profile(File, Options);
        Error -> Error
    end.

%% @doc End it. Prints where the trace is if it is kept.
-spec ends(recording(), passed | failed) -> ok.
ends({Name, Recording}, Outcome) ->
    strobe:mark(io_lib:format("test ~ts ~s", [Name, Outcome])),
    ends_recording(Recording, Outcome).

ends_recording(unrecorded, _) ->
    ok;
ends_recording({Owner, File, Started, Slow}, Outcome) ->
    Took = erlang:monotonic_time(millisecond) - Started,
    case strobe_session:stop(Owner) of
        {ok, _} when Outcome =:= failed -> kept("the test failed", File);
        {ok, _} when Took >= Slow       -> kept(io_lib:format("the test took ~b ms", [Took]), File);
        {ok, _}                         -> forget(File);
        {error, Why}                    -> once(reason(Why))
    end.

%% Deletes the trace, and the profile that a trace of the same name left.
forget(File) ->
    _ = [file:delete(F) || F <- [File, filename:rootname(File) ++ ".sbp"]],
    ok.

kept(What, File) -> io:format("~nstrobe: ~ts: ~ts ~ts~n", [What, strobe_program:command("report"), File]).

reason(Why) -> reason(Why, strobe_boot:is_begun()).

reason(_, true) ->
    "tests make no traces of their own: this node is being recorded; their names are marks in that trace";
reason({already_started, _}, false) ->
    "a test ran unrecorded beside one that was recorded: a node makes one recording at a time";
reason({already_traced_by, {strobe_nif, _}}, false) ->
    "tests run unrecorded: this node is being recorded by another session of strobe";
reason({already_traced_by, Tracer}, false) ->
    io_lib:format("tests run unrecorded: ~0tp traces this node", [Tracer]);
reason(Why, false) ->
    io_lib:format("tests run unrecorded: ~0tp", [Why]).

%% Prints a text unless this or another one was printed before, also where tests run in parallel: whoever creates the
%% table prints.
once(Text) ->
    _ = persistent_term:get(?PRINTED, false) orelse
        try
            ?MODULE = ets:new(?MODULE, [named_table]),
            _ = persistent_term:get(?PRINTED, false) orelse strobe_names:print_notes([Text]),
            persistent_term:put(?PRINTED, true),
            ets:delete(?MODULE)
        catch
            error:badarg -> another_test_prints
        end,
    ok.
