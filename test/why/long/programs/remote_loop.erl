%% Looks up 300 rows in a store that answers through another process each, in sequence. Cured: all asked at once.
-module(remote_loop).
-export([main/1]).
main(A) ->
    Stores = list_to_tuple([spawn_link(fun() -> store() end) || _ <- lists:seq(1, 6)]),
    Ks = lists:seq(1, 300),
    R = case A of [] -> [fetch(Stores, K) || K <- Ks];
                  _ -> Rs = [ask(Stores, K) || K <- Ks], [receive {X, V} -> V end || X <- Rs] end,
    io:format("rows=~p~n", [length(R)]).
fetch(S, K) -> R = ask(S, K), receive {R, V} -> V end.
ask(S, K) -> R = make_ref(), element(K rem 6 + 1, S) ! {get, R, self(), K}, R.
store() -> receive {get, R, P, K} -> erlang:send_after(5, P, {R, K * K}), store() end.
