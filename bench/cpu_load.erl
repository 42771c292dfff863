%% What bench/cpu.sh samples: ten functions that take known parts of the CPU time, in six processes. At each line of its
%% input the program runs a round and says as JSON what each function took in each process, in ms of CPU time of the
%% node. One process works at a time, so that time is its own.
-module(cpu_load).
-export([start/0, worker/0]).

start() ->
    erlang:statistics(runtime),
    Workers = [spawn_link(?MODULE, worker, []) || _ <- lists:seq(1, 6)],
    io:format("ready ~s~n", [os:getpid()]),
    rounds(Workers),
    halt().

rounds(Workers) ->
    case io:get_line("") of
        eof -> ok;
        Line ->
            Times = list_to_integer(string:trim(Line)),
            Took = [run(N, F, P, Times) || N <- lists:seq(1, 5), {F, I} <- functions(), {P, J} <- numbered(Workers),
                                           (N + I + J) rem 2 =:= 0],
            Said = [io_lib:format("[\"~s\",\"~s\",~w]", [F, pid_to_list(P), Ms]) || {F, P, Ms} <- Took],
            io:format("[~s]~n", [lists:join(",", Said)]),
            rounds(Workers)
    end.

numbered(Ps) -> lists:zip(Ps, lists:seq(1, length(Ps))).
functions() -> numbered([a, b, c, d, e, f, g, recurses, finds, builds]).

run(_, F, P, Times) ->
    {Before, _} = erlang:statistics(runtime),
    P ! {self(), F, Times},
    receive {P, done} -> ok end,
    {After, _} = erlang:statistics(runtime),
    {F, P, After - Before}.

worker() ->
    receive {From, F, Times} -> part(F, Times), From ! {self(), done} end,
    worker().

part(_, 0) -> ok;
part(F, N) -> one(F), part(F, N - 1).

one(a) -> a(400, 1);
one(b) -> b(800, 1);
one(c) -> c(1200, 1);
one(d) -> d(1600, 1);
one(e) -> e(2000, 1);
one(f) -> f(3000, 1);
one(g) -> g(4000, 1);
one(recurses) -> recurses(3000);
one(finds) -> finds(2000, [{N, N} || N <- lists:seq(1, 100)]);
one(builds) -> builds(40, lists:seq(1, 50)).

%% So much work a call that a process is seldom scheduled out.
-define(STEP(S), ((S * 31 + 7) rem 65521)).
-define(STEPS(S), ?STEP(?STEP(?STEP(?STEP(?STEP(S)))))).
-define(WORK(S), ?STEPS(?STEPS(?STEPS(S)))).

a(0, S) -> S;
a(N, S) -> a(N - 1, ?WORK(S)).
b(0, S) -> S;
b(N, S) -> b(N - 1, ?WORK(S)).
c(0, S) -> S;
c(N, S) -> c(N - 1, ?WORK(S)).
d(0, S) -> S;
d(N, S) -> d(N - 1, ?WORK(S)).
e(0, S) -> S;
e(N, S) -> e(N - 1, ?WORK(S)).
f(0, S) -> S;
f(N, S) -> f(N - 1, ?WORK(S)).
g(0, S) -> S;
g(N, S) -> g(N - 1, ?WORK(S)).
recurses(0) -> 0;
recurses(N) -> ?WORK(N) + recurses(N - 1).
finds(0, _) -> ok;
finds(N, List) -> lists:keyfind(none, 1, List), finds(N - 1, List).
builds(0, _) -> ok;
builds(N, List) -> _ = length([?WORK(X) || X <- List]), builds(N - 1, List).
