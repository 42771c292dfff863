%% A process for each of 60,000 numbers. fixed: a process for each 2,000.
-module(fine_grained).
-export([main/1]).

main(Args) ->
    Size = case Args of ["fixed"] -> 2000; _ -> 1 end,
    Me = self(),
    Chunks = cut(lists:seq(1, 60000), Size),
    [spawn(fun() -> Me ! {sum, lists:sum([N * N rem 7 || N <- C])} end) || C <- Chunks],
    lists:sum([receive {sum, S} -> S end || _ <- Chunks]).

cut(L, K) when length(L) =< K -> [L];
cut(L, 1) -> [[X] || X <- L];
cut(L, K) -> {A, B} = lists:split(K, L), [A | cut(B, K)].
