%% A search for code that stands in several places, the case study of Percept2's paper in small: parse the functions of
%% some files, make them general (variables and numbers lose their names), hash every part of them, and look for equal
%% hashes. One process does all of it, and the first file is three times as large as the others together.
%%
%% Run with `files`, there is a process for each file; with `functions`, one for every ten functions.
-module(clones).
-export([main/0, main/1]).

-define(LEAST, 60). % words of a part that is worth a look

main() -> main([]).

main(Args) ->
    Files = [functions(4500) | [functions(150) || _ <- lists:seq(1, 10)]],
    Start = erlang:monotonic_time(millisecond),
    Hashed = case Args of
                 []            -> [generalise_and_hash(File) || File <- Files];
                 ["files"]     -> pmap(fun generalise_and_hash/1, Files);
                 ["functions"] -> pmap(fun generalise_and_hash/1, lists:append([tens(File) || File <- Files]))
             end,
    Places = lists:foldl(fun(Hash, Seen) -> Seen#{Hash => maps:get(Hash, Seen, 0) + 1} end, #{}, lists:append(Hashed)),
    Clones = length([N || N <- maps:values(Places), N > 1]),
    io:format("~b clones, ~b ms~n", [Clones, erlang:monotonic_time(millisecond) - Start]).

pmap(Fun, List) ->
    Workers = [spawn_monitor(fun() -> exit({done, Fun(Element)}) end) || Element <- List],
    [receive {'DOWN', Monitor, process, Pid, {done, Result}} -> Result end || {Pid, Monitor} <- Workers].

tens(List) when length(List) =< 10 -> [List];
tens(List) -> {Ten, Rest} = lists:split(10, List), [Ten | tens(Rest)].

%% The text of some functions, in binaries, which are not copied when a process starts.
functions(N) -> [iolist_to_binary(["f", integer_to_list(F), "(X, Z) -> case X of {ok, V} -> ", terms(F),
                                   "; _ -> Z end."]) || F <- lists:seq(1, N)].

terms(F) -> lists:join(" + ", [io_lib:format("g(~b, X, [Y || Y <- Z, Y > ~b])", [F * I, I])
                               || I <- lists:seq(1, 8 + F rem 7)]).

generalise_and_hash(File) -> lists:append([hashes(generalise(parse(Text))) || Text <- File]).

parse(Text) ->
    {ok, Tokens, _} = erl_scan:string(binary_to_list(Text)),
    {ok, Form} = erl_parse:parse_form(Tokens),
    Form.

generalise({var, _, _})              -> {var, 0, 'V'};
generalise({integer, _, _})          -> {integer, 0, 0};
generalise(Tree) when is_tuple(Tree) -> list_to_tuple(generalise(tuple_to_list(Tree)));
generalise([Part | Parts])           -> [generalise(Part) | generalise(Parts)];
generalise(Line) when is_integer(Line) -> 0;
generalise(Other)                    -> Other.

%% Of each part that is large enough.
hashes(Tree) -> [erlang:phash2(Part, 1 bsl 32) || Part <- parts(Tree), erts_debug:flat_size(Part) >= ?LEAST].

parts(Tree) when is_tuple(Tree) -> [Tree | parts(tuple_to_list(Tree))];
parts([Part | Parts])           -> parts(Part) ++ parts(Parts);
parts(_)                        -> [].
