%% Two watchers spin on an ets flag with erlang:yield/0 until a worker sets it. Cured: they wait for a message.
-module(spin_flag).
-export([main/1]).
main(A) ->
    T = ets:new(flags, [public]), ets:insert(T, {ready, false}),
    Me = self(),
    Ws = [spawn_link(fun() -> Me ! {self(), watch(A, T, 0)} end) || _ <- [1, 2]],
    W = spawn_link(fun() -> work(40), ets:insert(T, {ready, true}), [P ! ready || P <- Ws] end),
    Spins = [receive {P, N} -> N end || P <- Ws],
    io:format("spins=~p worker=~p~n", [Spins, W]).
watch([], T, N) -> case ets:lookup(T, ready) of [{_, true}] -> N; _ -> erlang:yield(), watch([], T, N + 1) end;
watch(_, _, N) -> receive ready -> N end.
work(0) -> ok;
work(N) -> lists:foldl(fun(X, A) -> (A * 7 + X) rem 1013 end, 1, lists:seq(1, 300000)), work(N - 1).
