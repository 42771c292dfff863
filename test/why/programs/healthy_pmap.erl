%% Healthy: as many equal pieces as keep both schedulers at work.
-module(healthy_pmap).
-export([main/1]).

main(_) ->
    Me = self(),
    Pids = [spawn_link(fun() -> Me ! {self(), work(N)} end) || N <- lists:seq(1, 32)],
    [receive {P, V} -> V end || P <- Pids].

work(N) -> lists:foldl(fun(I, A) -> erlang:phash2({I, A, N}) end, 0, lists:seq(1, 100000)).
