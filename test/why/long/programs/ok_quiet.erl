%% Healthy: a supervisor tree that starts, serves ten requests a second for a second, and stops.
-module(ok_quiet).
-behaviour(gen_server).
-export([main/1, start/1, init/1, handle_call/3, handle_cast/2, handle_info/2]).
main(_) ->
    {ok, S} = supervisor:start_link(?MODULE, sup),
    Ws = [P || {_, P, _, _} <- supervisor:which_children(S)],
    [begin [gen_server:call(W, {add, N}) || W <- Ws], timer:sleep(100) end || N <- lists:seq(1, 10)],
    unlink(S), exit(S, shutdown), io:format("calls=40~n").
start(N) -> gen_server:start_link(?MODULE, {w, N}, []).
init(sup) -> {ok, {#{}, [#{id => N, start => {?MODULE, start, [N]}} || N <- lists:seq(1, 4)]}};
init({w, N}) -> {ok, N}.
handle_call({add, N}, _, S) -> {reply, S + N, S + N}.
handle_cast(_, S) -> {noreply, S}.
handle_info(_, S) -> {noreply, S}.
