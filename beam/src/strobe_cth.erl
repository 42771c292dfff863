%% @doc A Common Test hook that records each test case, and keeps the traces of those that fail or are slow.
%%
%% ```
%% suite() -> [{ct_hooks, [{strobe_cth, [{slow, 500}, {dir, "traces"}]}]}].
%% '''
%% or `ct_run -ct_hooks strobe_cth'. The traces are DIR/SUITE-CASE.sbt (by default in strobe-traces, in the folder of
%% the suite's private data). A node makes one recording at a time: in groups that run in parallel, and under
%% `strobe record', cases run unrecorded, and the first of them prints why. The trace of `strobe record' has marks with
%% their names.
-module(strobe_cth).

-export([init/2, pre_init_per_testcase/4, post_end_per_testcase/5]).

-record(state, {options :: [strobe_test:option()], recording = none :: none | strobe_test:recording()}).

-spec init(term(), [strobe_test:option()]) -> {ok, #state{}}.
init(_, Options) -> {ok, #state{options = Options}}.

-spec pre_init_per_testcase(module(), atom(), [tuple()], #state{}) -> {[tuple()], #state{}}.
pre_init_per_testcase(Suite, Case, Config, #state{options = Options} = State) ->
    Dir = proplists:get_value(dir, Options, filename:join(proplists:get_value(priv_dir, Config, "."), "strobe-traces")),
    Recording = strobe_test:begins(lists:concat([Suite, "-", Case]), [{dir, Dir} | proplists:delete(dir, Options)]),
    {Config, State#state{recording = Recording}}.

-spec post_end_per_testcase(module(), atom(), [tuple()], term(), #state{}) -> {term(), #state{}}.
post_end_per_testcase(_, _, Config, Return, #state{recording = Recording} = State) ->
    Outcome = case proplists:get_value(tc_status, Config) of {failed, _} -> failed; _ -> passed end,
    _ = Recording =:= none orelse strobe_test:ends(Recording, Outcome),
    {Return, State#state{recording = none}}.
