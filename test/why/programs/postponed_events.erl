%% A gen_statem postpones 2,000 jobs and goes through all of them at each of 1,500 changes of its state. fixed: it keeps
%% the jobs in its data.
-module(postponed_events).
-behaviour(gen_statem).
-export([main/1, init/1, callback_mode/0, busy/3, free/3]).

main(Args) ->
    {ok, P} = gen_statem:start(?MODULE, Args =:= ["fixed"], []),
    [gen_statem:cast(P, {job, N}) || N <- lists:seq(1, 2000)],
    [gen_statem:cast(P, toggle) || _ <- lists:seq(1, 1500)],
    gen_statem:call(P, count, infinity).

callback_mode() -> state_functions.
init(Fixed) -> {ok, busy, {Fixed, []}}.

busy(cast, toggle, D)               -> {next_state, free, D};
busy(cast, {job, N}, {true, Jobs})  -> {keep_state, {true, [N | Jobs]}};
busy(cast, {job, _}, _)             -> {keep_state_and_data, postpone};
busy({call, From}, count, {_, Jobs}) -> {keep_state_and_data, [{reply, From, length(Jobs)}]}.

free(cast, toggle, D)               -> {next_state, busy, D};
free(cast, {job, N}, {true, Jobs})  -> {keep_state, {true, [N | Jobs]}};
free(cast, {job, _}, _)             -> {keep_state_and_data, postpone};
free({call, From}, count, {_, Jobs}) -> {keep_state_and_data, [{reply, From, length(Jobs)}]}.
