%% A program whose calls are the same in every run, in several processes.
-module(workload).

-export([run/0, fib/1, even/1, odd/1, loop/1, words/1, never/0]).

run() ->
    Workers = [spawn_monitor(fun() -> exit({result, work(N)}) end) || N <- lists:seq(1, 5)],
    [receive {'DOWN', Monitor, process, Pid, {result, Result}} -> Result end || {Pid, Monitor} <- Workers].

work(N) ->
    {fib(10 + N), even(100 * N), loop(1000), length(words(N * 20)), catch throws(N)}.

fib(N) when N < 2 -> N;
fib(N) -> fib(N - 1) + fib(N - 2).

even(0) -> true;
even(N) -> odd(N - 1).

odd(0) -> false;
odd(N) -> even(N - 1).

loop(0) -> done;
loop(N) -> loop(N - 1).

words(N) ->
    lists:sort(fun(A, B) -> A > B end, [integer_to_list(I * 7919 rem 1000) || I <- lists:seq(1, N)]).

throws(N) -> throw({thrown, N}).

never() -> never.
