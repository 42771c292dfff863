%% A list grows by ++ at its end. Cured: reversed at the end.
-module(append_loop).
-export([main/1]).
main([]) -> report(lists:foldl(fun(N, L) -> L ++ [N * 3] end, [], lists:seq(1, 20000)));
main(_) -> report(lists:reverse(lists:foldl(fun(N, L) -> [N * 3 | L] end, [], lists:seq(1, 20000)))).
report(L) -> io:format("length=~p~n", [length(L)]).
