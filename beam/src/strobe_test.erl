%% @doc Records a test and keeps its trace if it fails or is slow: for EUnit, and for Elixir's Strobe.Case.
%%
%% ```
%% request_test_() -> {timeout, 10, fun() -> strobe_test:record("request", [{slow, 500}], fun request/0) end}.
%% '''
%% Common Test has a hook: {@link strobe_cth}.
-module(strobe_test).

-export([record/3, begins/2, ends/2]).

-type option() :: {slow, Milliseconds :: non_neg_integer()} | {dir, file:filename()} | strobe:option().
-opaque recording() :: {file:filename(), Started :: integer(), Slow :: non_neg_integer()}.
-export_type([option/0, recording/0]).

%% @doc Run `Fun' under a recording into DIR/NAME.sbt, which is kept if `Fun' fails or takes `slow' ms (1000) or more.
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
    ok = filelib:ensure_dir(File),
    case strobe:profile(File, [{quiet, true} | [O || {Key, _} = O <- Options, Key =/= dir, Key =/= slow]]) of
        {ok, _}      -> {File, erlang:monotonic_time(millisecond), proplists:get_value(slow, Options, 1000)};
        {error, Why} -> erlang:error({strobe_could_not_record, Why})
    end.

%% @doc End it. Prints where the trace is if it is kept.
-spec ends(recording(), passed | failed) -> ok.
ends({File, Started, Slow}, Outcome) ->
    Took = erlang:monotonic_time(millisecond) - Started,
    _ = strobe:stop_profile(),
    case Outcome of
        failed                 ->
            io:format("~nstrobe: the test failed: ~ts report ~ts~n", [strobe_program:command(), File]);
        passed when Took >= Slow ->
            io:format("~nstrobe: the test took ~b ms: ~ts report ~ts~n", [Took, strobe_program:command(), File]);
        passed                 -> ok = file:delete(File)
    end.
