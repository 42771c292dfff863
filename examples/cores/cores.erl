%% A job cut in pieces by the first letter of its words: one piece is nearly all of it, and one core does the job.
%%
%% Run with `fixed`, it is cut in pieces of the same size.
-module(cores).
-export([main/0, main/1]).

-define(WORDS, 240000).

main() -> main([]).

main(Args) ->
    Words = [word(N) || N <- lists:seq(1, ?WORDS)],
    Pieces = case Args of ["fixed"] -> equal(Words, 16); [] -> by_letter(Words) end,
    Start = erlang:monotonic_time(millisecond),
    Sum = lists:sum(lists:append(parallel(fun(Piece) -> [digest(W) || W <- Piece] end, Pieces))),
    io:format("~b pieces, ~b ms, sum ~b~n", [length(Pieces), erlang:monotonic_time(millisecond) - Start, Sum]).

%% Nine in ten begin with an e.
word(N) when N rem 10 =:= 0 -> [$a + N div 10 rem 20 | integer_to_list(N)];
word(N)                     -> [$e | integer_to_list(N)].

digest(Word) -> lists:foldl(fun(_, Acc) -> erlang:phash2({Acc, Word}) end, 0, lists:seq(1, 60)) rem 1000.

by_letter(Words) ->
    maps:values(lists:foldl(fun([C | _] = W, Acc) -> Acc#{C => [W | maps:get(C, Acc, [])]} end, #{}, Words)).

equal(Words, N) ->
    Size = length(Words) div N + 1,
    cut(Words, Size).

cut(Words, Size) when length(Words) =< Size -> [Words];
cut(Words, Size) -> {Piece, Rest} = lists:split(Size, Words), [Piece | cut(Rest, Size)].

parallel(Fun, Pieces) ->
    Workers = [spawn_monitor(fun() -> exit({done, Fun(P)}) end) || P <- Pieces],
    [receive {'DOWN', M, process, W, {done, Result}} -> Result end || {W, M} <- Workers].
