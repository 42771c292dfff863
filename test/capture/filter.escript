#!/usr/bin/env escript
%%! +S 2
%% Filters: what they say of an event is what ets says, what they cannot say is refused, and recordings keep to them.
-mode(compile).
-define(ROUNDS, 10000).

main(_) ->
    Root = filename:dirname(filename:dirname(filename:dirname(filename:absname(escript:script_name())))),
    put(strobe, os:getenv("STROBE", filename:join(Root, "build/strobe"))),
    code:add_patha(filename:join(filename:dirname(get(strobe)), "erlang/strobe/ebin")),
    Dir = string:trim(os:cmd("mktemp -d")),
    ok = file:set_cwd(Dir),
    Seed = case os:getenv("SEED") of false -> {1, 2, 3}; S -> {list_to_integer(S), 2, 3} end,
    rand:seed(exsss, Seed),
    [run(Name, Test) || {Name, Test} <- tests()],
    file:set_cwd("/"),
    os:cmd("rm -rf " ++ Dir),
    halt().

run(Name, Test) ->
    try Test() of
        ok -> io:format("ok filter: ~s~n", [Name])
    catch _:Reason:Stack -> io:format("not ok filter: ~s: ~0P ~0P~n", [Name, Reason, 60, hd(Stack), 12])
    after
        catch strobe:stop_profile()
    end.

tests() ->
    [{"heads match as in ets", fun() -> many(fun head_and_bindings/0) end},
     {"guards hold as in ets", fun() -> many(fun guard/0) end},
     {"bodies decide as in ets", fun() -> many(fun body/0) end},
     {"guards calculate as in ets", fun() -> many(fun calculation/0) end},
     {"calculated numbers are printed as in ets", fun() -> many(fun number_text/0) end},
     {"what cannot be calculated keeps the event", fun unknown/0},
     {"messages say what ets returns", fun() -> many(fun message/0) end},
     {"several clauses: the first that fits", fun() -> many(fun clauses/0) end},
     {"hostile specifications are refused with a reason", fun refused/0},
     {"programs that nobody compiled harm nobody", fun garbage/0},
     {"a recording keeps to its filter from the first event", fun from_the_start/0},
     {"filters of some processes, and back", fun scopes/0},
     {"filters are changed under load, without a loss", fun under_load/0},
     {"a filter goes with its recording", fun goes/0}].

%% ---- against ets, on random events and specifications

many(F) ->
    Compared = length([x || _ <- lists:seq(1, ?ROUNDS), F() =:= compared]),
    true = Compared > ?ROUNDS div 10,
    ok.

any(L) -> lists:nth(rand:uniform(length(L)), L).
chance(Percent) -> rand:uniform(100) =< Percent.

event() ->
    any([{trace, self(), send, term(4), self()}, {trace, self(), 'receive', term(4)},
         {trace, self(), call, {lists, map, term(3)}},
         {trace, self(), spawn, self(), {m, f, [term(2)]}}, {trace, self(), exit, term(3)}]).

term(0) -> any([a, b, true, false, [], 0, 1, -1, 2, 77, 1.0, 2.5, -1.0e20, 1 bsl 64, self(),
               'strange atom', "x", <<>>, <<1, 2>>]);
term(N) ->
    case rand:uniform(8) of
        1 -> list_to_tuple([term(N - 1) || _ <- lists:seq(1, rand:uniform(4) - 1)]);
        2 -> [term(N - 1) || _ <- lists:seq(1, rand:uniform(4) - 1)];
        3 -> maps:from_list([{any([a, b, 1, {x}]), term(N - 1)} || _ <- lists:seq(1, rand:uniform(3) - 1)]);
        4 -> [term(N - 1) | term(N - 1)];
        _ -> term(0)
    end.

var() -> list_to_atom("$" ++ integer_to_list(rand:uniform(4))).

%% A pattern that is likely to match: the term, with holes.
pattern(T) ->
    case rand:uniform(10) of
        1 -> '_';
        2 -> var();
        3 -> term(1);
        _ when is_tuple(T) -> list_to_tuple([pattern(E) || E <- tuple_to_list(T)]);
        _ when is_list(T), T =/= [] -> [pattern(hd(T)) | pattern(tl(T))];
        _ when is_map(T) -> maps:map(fun(_, V) -> pattern(V) end,
                                     case chance(30) of true -> maps:remove(a, T); false -> T end);
        _ -> T
    end.
head(Event) -> list_to_tuple([pattern(E) || E <- tuple_to_list(Event)]).

%% The whole event in four variables, so that guards have something to look at.
open_head(Event) -> list_to_tuple([trace | [list_to_atom("$" ++ integer_to_list(N))
                                            || N <- lists:seq(1, tuple_size(Event) - 1)]]).

expression(0) -> any(['$1', '$2', '$3', 0, 1, 2, true, false, [], a, {const, {a, 1}}, {{a, 1}}]);
expression(N) ->
    case rand:uniform(4) of
        1 -> {any([is_atom, is_integer, is_list, is_number, is_pid, is_port, is_reference, is_tuple, is_map, is_binary,
                   is_function,
                   'not', abs, hd, tl, length, map_size, tuple_size, byte_size, bit_size, size, round, trunc, float,
                   '+', '-', 'bnot', is_float]), expression(N - 1)};
        2 -> {any([element, '+', '-', '*', '/', 'div',
                   'rem', 'band', 'bor', 'bxor', '>', '>=', '<', '=<', '=:=', '=/=',
                   '==', '/=', 'and',
                   'or', 'xor', 'andalso', 'orelse', is_map_key, map_get]), expression(N - 1), expression(N - 1)};
        3 -> {any(['andalso', 'orelse', 'and', 'or']), boolean(N - 1), boolean(N - 1), boolean(N - 1)};
        4 -> expression(0)
    end.
boolean(0) -> any([true, false]);
boolean(N) -> {any(['>', '=<', '=:=', '==']), expression(N - 1), expression(N - 1)}.

ets(Event, Spec) ->
    try ets:match_spec_run([Event], ets:match_spec_compile(Spec))
    catch error:badarg -> refused
    end.

compare(Event, Theirs, Ours, How) ->
    case {ets(Event, Theirs), strobe_filter:test(Event, Ours)} of
        {refused, _} -> refused;
        {_, {error, _}} -> refused;
        {_, {ok, unknown}} -> refused;
        {Result, {ok, Verdict}} ->
            How(Result) =:= Verdict orelse error({Event, Ours, ets, Result, ours, Verdict}),
            compared
    end.

verdict([true]) -> true;
verdict(_) -> false.

is_true([]) -> false;
is_true([Value]) ->
    %% the tracer puts no quotes round words that the language keeps to itself
    Text = binary:replace(unicode:characters_to_binary(io_lib:format("~tw", [Value])), <<"'receive'">>, <<"receive">>,
                          [global]),
    {message, binary:part(Text, 0, min(255, byte_size(Text)))}.

head_and_bindings() ->
    Event = event(),
    Head = head(Event),
    Bound = lists:usort([V || V <- ['$1', '$2', '$3', '$4'], mentions(V, Head)]),
    compare(Event, [{Head, [], [Bound]}], [{Head, [], [{message, Bound}]}], fun is_true/1).

mentions(V, V) -> true;
mentions(V, T) when is_tuple(T) -> mentions(V, tuple_to_list(T));
mentions(V, [H | T]) -> mentions(V, H) orelse mentions(V, T);
mentions(V, M) when is_map(M) -> mentions(V, maps:values(M));
mentions(_, _) -> false.

guard() ->
    Event = event(),
    Spec = [{open_head(Event), [expression(3) || _ <- lists:seq(1, rand:uniform(2))], [true]}],
    compare(Event, Spec, Spec, fun verdict/1).

body() ->
    Event = event(),
    Spec = [{open_head(Event), [], [expression(3)]}],
    compare(Event, Spec, Spec, fun verdict/1).

message() ->
    Event = event(),
    Term = any([{{x, expression(2), ['$1', expression(1)]}}, expression(2), ['$2' , "text" , {{'$3'}}], '$$', '$_']),
    compare(Event, [{open_head(Event), [], [Term]}], [{open_head(Event), [], [{message, Term}]}],
            fun(_) when is_boolean(Term) -> Term; (R) -> is_true(R) end).

%% Numbers at the edges of what a term, a double and an integer of the machine hold, in terms and in constants.
number() ->
    Near = any([0, 1, 2, 7, 1 bsl 31, 1 bsl 32, 1 bsl 53, 1 bsl 59, 1 bsl 60, 1 bsl 63, 1 bsl 64, 1 bsl 96, 1 bsl 128,
                rand:uniform(1 bsl 192), rand:uniform(1 bsl 62)]) + any([-1, 0, 0, 1]),
    Signed = case chance(40) of true -> -Near; false -> Near end,
    case rand:uniform(5) of
        1 -> float(Signed);
        2 -> Signed / any([2, 3, 10, 1.0e30, 1 bsl 70]);
        3 -> any([0.0, 1.5, -2.5, 0.1, 1.0e22, 123456.75, 1.0e-5, 5.0e-324, 1.7976931348623157e308, 1 bsl 1023]);
        _ -> Signed
    end.

calculated(0) -> any(['$1', '$2', '$3', number(), any([0, 1, 2, 3, a, true, [], {{}}, {const, [1.0]}])]);
calculated(N) ->
    A = calculated(N - 1),
    B = calculated(N - 1),
    case rand:uniform(10) of
        1 -> {any([abs, float, round, trunc, '+', '-', 'bnot', size, hd, length]), A};
        2 -> {any(['div', 'rem', 'band', 'bor', 'bxor']), whole(A), whole(B)};
        3 -> {any(['bsl', 'bsr']), whole(A), any([0, 1, -1, 31, 32, 33, 64, -64, 70, -200, 1 bsl 70, '$2', B])};
        4 -> {any([element, map_get]), any([1, 2, A]), any(['$4', '$5', B])};
        X when X < 8 -> calculated(0);
        _ -> {any(['+', '-', '*', '/']), A, B}
    end.

whole(E) -> case chance(95) of true -> {any([round, trunc]), E}; false -> E end.

calculation(N) ->
    A = calculated(N),
    case rand:uniform(8) of
        1 -> {any([is_integer, is_float, is_number, is_atom, is_list, is_binary]), A};
        2 -> {is_record, any(['$4', '$5', A]), any([a, b, A]), any([2, 3, -1, 2.0, a, A])};
        3 -> {any(['=:=', '=/=', '==', '/=']), A, any([A, {float, A}, {trunc, A}])}; % often equal
        _ -> {any(['<', '>', '=<', '>=', '==', '/=', '=:=', '=/=']), A, calculated(N)}
    end.

numbers() ->
    Number = fun() -> case chance(90) of true -> number(); false -> term(1) end end,
    {trace, Number(), Number(), any([{a, 1.0}, #{1 => 2.5, 2 => 7, a => 1 bsl 70}, Number()]),
     any([{b, 2, 3}, {}, <<1>>])}.

calculation() ->
    Event = numbers(),
    Spec = [{{trace, '$1', '$2', '$4', '$5'}, without(['$3'], [calculation(rand:uniform(3))]), [true]}],
    compare(Event, Spec, Spec, fun verdict/1).

number_text() ->
    Event = numbers(),
    Term = without(['$3'], calculated(rand:uniform(3))),
    compare(Event, [{{trace, '$1', '$2', '$4', '$5'}, [], [Term]}],
            [{{trace, '$1', '$2', '$4', '$5'}, [], [{message, Term}]}],
            fun(_) when is_boolean(Term) -> Term; (R) -> is_true(R) end).

%% A specification without variables that the head does not bind.
without(Vs, [H | T]) -> [without(Vs, H) | without(Vs, T)];
without(Vs, T) when is_tuple(T) -> list_to_tuple(without(Vs, tuple_to_list(T)));
without(Vs, T) -> case lists:member(T, Vs) of true -> 3.5; false -> T end.

unknown() ->
    Test = fun(Value, Guard) ->
               strobe_filter:test({trace, self(), send, Value}, [{{trace, '_', send, '$1'}, [Guard], [true]}])
           end,
    {ok, unknown} = Test(1, {'>', {'bsl', '$1', 100000}, 0}),
    {ok, unknown} = Test(1 bsl 5000, {'>', {'+', '$1', 1}, 0}),
    {ok, unknown} = Test(lists:seq(1, 70000), {'>', {length, '$1'}, 0}),
    {ok, unknown} = Test(<<1:3>>, {'>', {bit_size, '$1'}, 0}),
    {ok, unknown} = Test(#{1.5 => a}, {is_map_key, {'/', 3, 2}, '$1'}),
    {ok, true} = Test(1 bsl 5000, {'>', '$1', 7}),
    Kept = [{{trace, '_', send, {x, '$1'}, '_'}, [{'>', {'bsl', '$1', 100000}, 0}], [true]}],
    {ok, _, _} = strobe:profile("u.sbt", fun() -> sends(x) end,
                                [{trace, [messages]}, {processes, [self()]}, {filter, Kept}]),
    10 = length(lines("u.sbt", " send to=" ++ pid_to_list(self()))),
    ok.

clauses() ->
    Event = event(),
    Spec = [{head(event()), [boolean(2)], [true]}, {head(Event), [], [boolean(2)]}, {head(Event), [], [true]}],
    compare(Event, Spec, Spec, fun verdict/1).

%% ---- what cannot be

refused() ->
    Nested = lists:foldl(fun(_, T) -> {T} end, '_', lists:seq(1, 1000)),
    Guard = lists:foldl(fun(_, T) -> {'not', T} end, true, lists:seq(1, 1000)),
    Bad = [nonsense, [], [a | b], [{a}], [{x, [], [true]}], [{{trace, '_', '_', '_'}, [], []}],
           [{{trace, '_', '_', '_'}, not_a_list, [true]}],
           [{{trace, '_', '_', '_'}, [{foo, 1}], [true]}], [{{trace, '_', '_', '_'}, ['$1'], [true]}],
           [{{trace, '_', '_', '_'}, [], [{return_trace}]}],
           [{{trace, '_', '_', '_'}, [], [{message, '$7'}]}], [{{trace, '_', '_', '$1'}, [{{a, '$1'}}], [true]}],
           [{{trace, '_', '_', '_'}, [], [true | false]}],
           [{{trace, '_', '_', #{'$1' => 1}}, [], [true]}], [{{trace, '_', '_', Nested}, [], [true]}],
           [{'_', [Guard], [true]}],
           [{{trace, '_', '_', list_to_tuple(lists:duplicate(300, {'_', '_'}))}, [], [true]}],
           [{{trace, '_', '_', list_to_tuple([list_to_atom("$" ++ integer_to_list(N)) || N <- lists:seq(1, 40)])}, [],
             [true]}],
           lists:duplicate(100, {'_', [], [true]}), [{'_', [], [{const, lists:seq(1, 100000)}]}],
           [{'_', lists:duplicate(20000, true), [true]}], [{'_', [{is_record, a}], [true]}],
           [{'_', [{ceil, 1.5}], [true]}]],
    [case strobe_filter:test({trace, self(), exit, normal}, B) of
         {error, [_ | _]} -> ok;
         Other -> error({accepted, B, Other})
     end || B <- Bad],
    {error, {bad_filter, _}} = strobe:filter(everybody, true),
    {error, {bad_filter, _}} = strobe:filter([self() | x], true),
    {error, {bad_filter, _}} = strobe:profile("x.sbt", [{filter, nonsense}]),
    {error, not_started} = strobe:filter(all, true),
    ok.

garbage() ->
    Literals = {a, <<"text">>, 1, {x, y}},
    [strobe_nif:filter_run({rand:bytes(rand:uniform(200)), Literals}, event()) || _ <- lists:seq(1, ?ROUNDS)],
    %% small operands, which reach something
    [strobe_nif:filter_run({list_to_binary([rand:uniform(28) - 1 || _ <- lists:seq(1, 200)]), Literals}, event())
     || _ <- lists:seq(1, ?ROUNDS)],
    ok.

%% ---- recordings

lines(File, Pattern) ->
    [L || L <- string:lexemes(os:cmd(get(strobe) ++ " dump " ++ File), "\n"), re:run(L, Pattern) =/= nomatch].

spec(Message) -> [{{trace, '_', send, {Message, '$1'}, '_'}, [{'>', '$1', 5}], [{message, {{number, '$1'}}}]}].

sends(Message) -> [self() ! {Message, N} || N <- lists:seq(1, 10)].

from_the_start() ->
    {ok, _, #{lost := 0}} = strobe:profile("f.sbt", fun() -> sends(wanted), sends(other) end,
                                           [{trace, [messages, procs]}, {processes, [self()]}, {filter, spec(wanted)}]),
    5 = length(lines("f.sbt", " send ")),
    0 = length(lines("f.sbt", " receive ")),
    Texts = lines("f.sbt", " filtered text="),
    5 = length(Texts),
    {match, _} = re:run(hd(Texts), "{number,6}"),
    %% and into the profile
    5 = length([L || L <- string:lexemes(os:cmd(get(strobe) ++ " query f.sbt 'select text from mark' --format csv"),
                                         "\n"),
                     string:find(L, "number") =/= nomatch]),
    ok.

worker() -> receive {work, Message, From} -> sends(Message), From ! {done, self()}, worker() end.
work(Pid, Message) -> Pid ! {work, Message, self()}, receive {done, Pid} -> ok end.

scopes() ->
    [A, B] = [spawn_link(fun worker/0) || _ <- [1, 2]],
    {ok, _} = strobe:profile("s.sbt", [{trace, [messages]}, {processes, [A, B]}]),
    ok = strobe:filter(all, false),
    [work(P, none) || P <- [A, B]],
    ok = strobe:filter([A], spec(one)),
    [work(P, one) || P <- [A, B]],
    ok = strobe:filter(A, true),
    ok = strobe:filter(new, false),
    work(A, all),
    ok = strobe:filter(all, true),
    work(B, again),
    {ok, _} = strobe:stop_profile(),
    Count = fun(P, Kind) -> length(lines("s.sbt", pid_to_list(P) ++ " .* " ++ Kind)) end,
    {5 + 11, 5} = {Count(A, "send "), Count(A, "filtered ")},
    {11, 0} = {Count(B, "send "), Count(B, "filtered ")},
    [begin unlink(P), exit(P, kill) end || P <- [A, B]],
    ok.

under_load() ->
    Me = self(),
    Busy = [spawn_link(fun L() -> [self() ! N || N <- lists:seq(1, 100)],
                       [receive N -> ok end || N <- lists:seq(1, 100)], L() end) || _ <- [1, 2]],
    {ok, _} = strobe:profile("l.sbt", [{trace, [messages]}, {processes, Busy}, {buffer, 1 bsl 20}]),
    [ok = strobe:filter(any([all, Me, Busy, existing]),
                        any([true, false, [{{trace, '_', send, '$1', '_'}, [{'>', '$1', 98}], [{message, '$1'}]}]]))
     || N <- lists:seq(1, 100), N rem 10 > 0 orelse strobe:filter(all, false) =:= ok],
    {ok, _} = strobe:stop_profile(),
    [begin unlink(P), exit(P, kill) end || P <- Busy],
    ok.

goes() ->
    {ok, _, _} = strobe:profile("g.sbt", fun() -> sends(x) end,
                                [{trace, [messages]}, {processes, [self()]}, {filter, false}]),
    {ok, _, _} = strobe:profile("h.sbt", fun() -> sends(x) end, [{trace, [messages]}, {processes, [self()]}]),
    [] = lines("g.sbt", " send "),
    10 = length(lines("h.sbt", " send to=" ++ pid_to_list(self()))),
    ok.
