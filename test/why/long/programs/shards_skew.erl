%% Orders are partitioned by country, and 3 of 4 orders are from one. Cured: partitioned by order number.
-module(shards_skew).
-export([main/1]).
main(A) ->
    Me = self(),
    Orders = [{N, case N rem 4 of 0 -> N rem 8; _ -> 3 end} || N <- lists:seq(1, 6000)],
    Key = case A of [] -> fun({_, C}) -> C end; _ -> fun({N, _}) -> N rem 8 end end,
    Ws = [spawn_link(fun() -> Mine = [O || O <- Orders, Key(O) =:= K],
            Me ! {self(), length(Mine), lists:sum([ship(O) || O <- Mine])} end) || K <- lists:seq(0, 7)],
    Ns = [receive {W, N, _} -> N end || W <- Ws],
    io:format("shares=~w~n", [Ns]).
ship({N, _}) -> lists:foldl(fun(X, S) -> erlang:phash2({X, S, N}) end, N, lists:seq(1, 1500)).
