%% One gen_server quotes all rates; 20 agents ask it. Cured: the agents compute from a copy of the table.
-module(rate_desk).
-behaviour(gen_server).
-export([main/1, init/1, handle_call/3, handle_cast/2]).
init(T) -> {ok, T}.
handle_call({quote, C}, _From, T) -> {reply, price(C, T), T}.
handle_cast(_, T) -> {noreply, T}.
price(C, T) -> lists:foldl(fun(R, A) -> (A * 31 + R * C) rem 1000003 end, C, T).
main(A) ->
    T = lists:seq(1, 1500),
    {ok, D} = gen_server:start_link({local, desk}, ?MODULE, T, []),
    Fs = [spawn_monitor(fun() -> agent(A, D, T, N, 400) end) || N <- lists:seq(1, 20)],
    [receive {'DOWN', R, process, P, _} -> ok end || {P, R} <- Fs],
    {reductions, Red} = process_info(D, reductions),
    io:format("requests=8000 desk_reductions=~p~n", [Red]).
agent(_, _, _, _, 0) -> ok;
agent(A, D, T, N, K) ->
    P = case A of [] -> gen_server:call(D, {quote, K}, infinity); _ -> price(K, T) end,
    true = P >= 0, _ = [erlang:phash2({P, X}) || X <- lists:seq(1, 20)],
    agent(A, D, T, N, K - 1).
