%% Programs that call in every way there is, the same each time.
-module(same).
-export([recursion/0, tails/0, exceptions/0, funs/0, comprehensions/0, processes/0, forms/0, deep/1, even/1, kid/2]).

recursion() -> {fib(12), ack(2, 3), length(tree(6)), even(41), sum(lists:seq(1, 200))}.
fib(N) when N < 2 -> N;
fib(N) -> fib(N - 1) + fib(N - 2).
ack(0, N) -> N + 1;
ack(M, 0) -> ack(M - 1, 1);
ack(M, N) -> ack(M - 1, ack(M, N - 1)).
tree(0) -> [leaf];
tree(N) -> tree(N - 1) ++ tree(N - 1).
even(0) -> true;
even(N) -> odd(N - 1).
odd(0) -> false;
odd(N) -> 1 = one(), even(N - 1).
one() -> 1.
sum([]) -> 0;
sum([H | T]) -> H + sum(T).

tails() -> {loop(100, 0), first(30), cps(20, fun(X) -> X end)}.
loop(0, A) -> A;
loop(N, A) when N rem 3 =:= 0 -> step(N, A);
loop(N, A) -> loop(N - 1, A + 1).
step(N, A) -> _ = one(), loop(N - 1, A).
first(0) -> done;
first(N) -> second(N).
second(N) when N rem 2 =:= 0 -> third(N);
second(N) -> first(N - 1).
third(N) -> X = fib(3), first(N - X + 1).
cps(0, K) -> K(0);
cps(N, K) -> cps(N - 1, fun(X) -> K(X + 1) end).

exceptions() ->
    [catch deep(N) || N <- lists:seq(1, 12)] ++
        [try deep(N) catch C:E -> {C, E, fib(3)} after one() end || N <- lists:seq(1, 12)] ++
        [caught(fun() -> lists:map(fun(X) -> 12 div X end, [3, 2, 1, 0, 1]) end), again(4)].
deep(0) -> error(bottom);
deep(N) when N rem 4 =:= 0 -> try deep(N - 1) catch error:_ -> throw({caught, N}) end;
deep(N) when N rem 7 =:= 0 -> exit({N, catch deep(N - 1)});
deep(N) -> {N, deep(N - 1)}.
caught(F) -> try F() catch error:E -> one(), E end.
again(0) -> one();
again(N) -> try deep(1) catch error:bottom -> again(N - 1) end.

funs() ->
    Count = fun Go(0) -> 0; Go(N) -> 1 + Go(N - 1) end,
    {Count(30), lists:foldl(fun(F, A) -> F(A) end, 1, [fun(X) -> X + N end || N <- lists:seq(1, 20)]),
     lists:map(fun one_more/1, lists:seq(1, 10)), apply(fun fib/1, [5]), apply(?MODULE, even, [6]), ?MODULE:even(3)}.
one_more(X) -> X + one().

comprehensions() ->
    {[{X, Y} || X <- lists:seq(1, 9), Y <- lists:seq(X, 9), even(X + Y)],
     << <<(fib(X rem 4))>> || <<X>> <= <<"abcdef">> >>,
     maps:map(fun(_, V) -> fib(V) end, #{a => 3, b => 4})}.

processes() ->
    Self = self(),
    Pids = [spawn_link(?MODULE, kid, [Self, N]) || N <- lists:seq(1, 12)],
    [receive {P, R} -> R end || P <- Pids].
kid(Parent, N) -> Parent ! {self(), fib(N rem 6)}, loop(N, 0).

forms() ->
    Text = "-module(m). -export([f/1]). f(0) -> []; f(N) -> [{N, g(N, [X || X <- lists:seq(1, N), X rem 2 =:= 0])} | "
           "f(N - 1)]. "
           "g(_, []) -> none; g(N, [H | T]) when H > N -> g(N, T); g(N, L) -> case L of [A, B | _] -> A + B; _ -> N "
           "end.",
    {ok, Tokens, _} = erl_scan:string(Text),
    parse(Tokens, []).
parse([], _) -> [];
parse([{dot, _} = Dot | Ts], Form) ->
    {ok, F} = erl_parse:parse_form(lists:reverse([Dot | Form])),
    [F | parse(Ts, [])];
parse([T | Ts], Form) -> parse(Ts, [T | Form]).
