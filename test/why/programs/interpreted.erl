%% A fun is made from text, as in the shell, and does the work. fixed: the same fun, compiled.
-module(interpreted).
-export([main/1]).

main(Args) -> (work(Args))(400000).

work(["fixed"]) -> fun(N) -> loop(10 * N, 0) end;
work(_) ->
    {ok, Tokens, _} = erl_scan:string("fun Loop(0, A) -> A; Loop(N, A) -> Loop(N - 1, (A * 31 + N) rem 1000003) end."),
    {ok, Expressions} = erl_parse:parse_exprs(Tokens),
    {value, Loop, _} = erl_eval:exprs(Expressions, []),
    fun(N) -> Loop(N, 0) end.

loop(0, A) -> A;
loop(N, A) -> loop(N - 1, (A * 31 + N) rem 1000003).
