%% 12 clients generate RSA keys, a dirty CPU job each, at once. Cured: they share one key.
-module(key_mill).
-export([main/1]).
main(A) ->
    {ok, _} = application:ensure_all_started(crypto),
    Me = self(),
    One = crypto:generate_key(rsa, {2048, 65537}),
    Ps = [spawn_link(fun() -> T = erlang:monotonic_time(millisecond),
        _ = [case A of [] -> crypto:generate_key(rsa, {2048, 65537}); _ -> One end || _ <- [1, 2]],
        Me ! {self(), erlang:monotonic_time(millisecond) - T} end) || _ <- lists:seq(1, 12)],
    Ts = [receive {P, T} -> T end || P <- Ps],
    io:format("waits_ms=~p~n", [Ts]).
