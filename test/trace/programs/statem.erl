%% A state machine with its three kinds of timeouts, postponed events and replies from elsewhere.
-module(program_statem).
-behaviour(gen_statem).
-export([run/0, init/1, callback_mode/0, handle_event/4]).

run() ->
    {ok, M} = gen_statem:start_link(?MODULE, [], []),
    [ok = gen_statem:call(M, {wait, N rem 3}) || N <- lists:seq(1, 8)],
    gen_statem:cast(M, busy),
    [gen_statem:cast(M, {job, N}) || N <- lists:seq(1, 5)],
    5 = gen_statem:call(M, jobs),
    timeout = try gen_statem:call(M, never, 3) catch exit:{timeout, _} -> timeout end,
    Refs = [gen_statem:send_request(M, {wait, 1}) || _ <- lists:seq(1, 3)],
    [{reply, ok} = gen_statem:receive_response(R, 1000) || R <- Refs],
    gen_statem:stop(M).

callback_mode() -> handle_event_function.

init([]) -> {ok, idle, 0}.

handle_event({call, From}, {wait, N}, idle, _) -> {next_state, {waiting, From}, 0, [{state_timeout, N, over}]};
handle_event({call, _}, _, {waiting, _}, _) -> {keep_state_and_data, [postpone]};
handle_event(state_timeout, over, {waiting, From}, Jobs) ->
    {next_state, idle, Jobs, [{reply, From, ok}, {timeout, 50, quiet}]};
handle_event(timeout, quiet, _, _) -> keep_state_and_data;
handle_event(cast, busy, idle, Jobs) -> {next_state, busy, Jobs, [{{timeout, done}, 3, done}]};
handle_event({timeout, done}, done, busy, Jobs) -> {next_state, idle, Jobs};
handle_event(_, _, busy, _) -> {keep_state_and_data, [postpone]};
handle_event(cast, {job, _}, idle, Jobs) -> {keep_state, Jobs + 1, [{next_event, internal, note}]};
handle_event(internal, note, _, _) -> keep_state_and_data;
handle_event({call, From}, jobs, idle, Jobs) -> {keep_state_and_data, [{reply, From, Jobs}]};
handle_event({call, _}, never, _, _) -> keep_state_and_data.
