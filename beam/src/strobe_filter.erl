%% Compiles match specifications over trace events, [{Head, Guards, Body}], to the program that the tracer runs
%% (beam/c_src/filter.h).
%%
%% An event has the form of OTP's trace messages: {trace, Who, Tag, Term} or {trace, Who, Tag, Term, More}. Its head
%% may be a tuple or a list. The first clause whose head and guards match decides by the last expression of its body:
%% true records the event, {message, Term} records it with the text of Term, anything else discards it.
%%
%% The cost of a filter is bounded, so some of what ets allows is rejected with a reason: terms built in guards, and
%% functions that need memory. Numbers are calculated as ets does, integers up to 2,048 bits. An event for which a
%% guard cannot be calculated within the bounds is recorded.
-module(strobe_filter).
-export([compile/1, test/2, check_scope/1, scope/1]).

-define(VARIABLES, 32).
-define(STACK, 256).
-define(CLAUSES, 64).
-define(CODE_BYTES, 32768).
-define(LITERAL_WORDS, 65536).
-define(DEPTH, 100).

-export_type([program/0]).
-type program() :: boolean() | {binary(), tuple()}.

%% Returns what happens to an event: true, false, {message, Text}, or unknown, which records it.
-spec test(tuple(), term()) -> {ok, boolean() | unknown | {message, binary()}} | {error, string()}.
test(Event, Spec) ->
    case compile(Spec) of
        {ok, Program} ->
            case strobe_nif:filter_run(Program, Event) of
                Text when is_binary(Text) -> {ok, {message, Text}};
                Verdict -> {ok, Verdict}
            end;
        Error -> Error
    end.

-spec compile(term()) -> {ok, program()} | {error, string()}.
compile(All) when is_boolean(All) -> {ok, All};
compile(Clauses) ->
    try
        is_proper(Clauses) andalso Clauses =/= []
            orelse refuse("a filter is true, false or a list of {Head, Guards, Body}", []),
        length(Clauses) =< ?CLAUSES orelse refuse("no more than ~b clauses", [?CLAUSES]),
        erts_debug:flat_size(Clauses) =< ?LITERAL_WORDS orelse refuse("it has more than ~b words", [?LITERAL_WORDS]),
        {Ops, One, Two} = strobe_nif:filter_names(),
        Numbers = maps:from_list([{Op, {N, Bytes}} || {{Op, Bytes}, N} <- maps:to_list(numbered(Ops))]),
        S = lists:foldl(fun clause/2, #{ops => Numbers, one => numbered(One), two => numbered(Two),
                                        code => <<>>, literals => [], at => 1}, Clauses),
        #{code := Code, literals := Literals} = S,
        {ok, {Code, list_to_tuple(lists:reverse(Literals))}}
    catch throw:{refused, Text} -> {error, Text}
    end.

-spec refuse(string(), [term()]) -> no_return().
refuse(Format, Args) -> throw({refused, lists:flatten(io_lib:format(Format, Args))}).

is_proper(T) when length(T) >= 0 -> true;
is_proper(_) -> false.

numbered(Names) -> maps:from_list(lists:zip(Names, lists:seq(0, length(Names) - 1))).

%% ---- code

emit(Op, S) -> emit(Op, 0, S).
emit(Op, Operand, #{ops := Ops, code := Code} = S) ->
    {Number, Bytes} = map_get(Op, Ops),
    byte_size(Code) < ?CODE_BYTES orelse refuse("it is too long", []),
    S#{code := <<Code/binary, Number, Operand:(Bytes * 8)>>}.

%% A jump whose target is set later.
hole(Op, #{code := Code} = S) -> {byte_size(Code) + 1, emit(Op, 0, S)}.
fill(At, #{code := Code} = S) ->
    <<Before:At/binary, _:16, Behind/binary>> = Code,
    S#{code := <<Before/binary, (byte_size(Code)):16, Behind/binary>>}.

literal(T, #{literals := Literals} = S) ->
    case position(T, Literals, length(Literals) - 1) of
        none -> {length(Literals), S#{literals := [T | Literals]}};
        N -> {N, S}
    end.

position(_, [], _) -> none;
position(T, [L | _], N) when L =:= T -> N;
position(T, [_ | Rest], N) -> position(T, Rest, N - 1).

with_literal(Op, T, S0) ->
    {N, S} = literal(T, S0),
    emit(Op, N, S).

%% ---- clauses

clause({Head, Guards, Body}, S0) ->
    {Next, S1} = hole(clause, S0#{bound => #{}, depth => 0}),
    S2 = guards(Guards, head(Head, S1)),
    S3 = body(Body, S2),
    S4 = #{at := N} = fill(Next, S3),
    S4#{at := N + 1};
clause(_, #{at := N}) -> refuse("clause ~b is no {Head, Guards, Body}", [N]).

head('_', S) -> S;
head(Head, S) when is_list(Head) ->
    is_proper(Head) orelse refuse("the head ~0tP is no list of patterns", [Head, 8]), head(list_to_tuple(Head), S);
head(Head, S) when is_tuple(Head) ->
    lists:member(tuple_size(Head), [4, 5]) orelse refuse("the head ~0tP has not four or five parts, as an event has",
                                                         [Head, 8]),
    S1 = emit(arity, tuple_size(Head), S),
    {_, S2} = lists:foldl(fun('_', {N, A}) -> {N + 1, A};
                             (P, {N, A}) -> {N + 1, pattern(P, 0, emit(event, N, deeper(1, A)))}
                          end, {0, S1}, tuple_to_list(Head)),
    S2;
head(Head, _) -> refuse("the head ~0tP is no {trace, Who, Tag, Term} and no '_'", [Head, 8]).

deeper(N, #{depth := D} = S) when D + N =< ?STACK -> S#{depth := D + N};
deeper(_, _) -> refuse("its patterns are too large", []).

%% Removes the value on the top of the stack.
pattern(P, Nested, S0) ->
    Nested < ?DEPTH orelse refuse("its patterns are too deep", []),
    S = deeper(-1, S0),
    case variable(P) of
        {ok, N} -> bind(N, S);
        no when P =:= '_' -> emit(drop, S);
        no when is_tuple(P) -> compound(P, Nested, S);
        no when is_map(P) -> map_pattern(P, Nested, S);
        no when is_list(P), P =/= [] ->
            [H | T] = P,
            pattern(T, Nested + 1, pattern(H, Nested + 1, emit(cons, deeper(2, S))));
        no -> with_literal(is, P, S)
    end.

compound(P, Nested, S) ->
    Elements = tuple_to_list(P),
    lists:foldl(fun(E, A) -> pattern(E, Nested + 1, A) end, emit(tuple, length(Elements), deeper(length(Elements), S)),
                Elements).

%% The map stays on the stack until its last key. Its other keys do not matter.
map_pattern(P, Nested, S) ->
    Value = fun({Key, V}, A) ->
                is_ground(Key) orelse refuse("the key ~0tP of a map is no constant", [Key, 8]),
                pattern(V, Nested + 1, with_literal(key, Key, deeper(1, A)))
            end,
    Filled = lists:foldl(Value, emit(map, deeper(1, S)), maps:to_list(P)),
    emit(drop, deeper(-1, Filled)).

is_ground(T) when is_tuple(T) -> lists:all(fun is_ground/1, tuple_to_list(T));
is_ground([H | T]) -> is_ground(H) andalso is_ground(T);
is_ground(T) when is_map(T) -> lists:all(fun is_ground/1, maps:to_list(T));
is_ground(T) -> T =/= '_' andalso variable(T) =:= no.

variable(P) when is_atom(P) ->
    case atom_to_list(P) of
        [$$ | [_ | _] = Digits] ->
            case lists:all(fun(C) -> C >= $0 andalso C =< $9 end, Digits) of
                true -> {ok, list_to_integer(Digits)};
                false -> no
            end;
        _ -> no
    end;
variable(_) -> no.

bind(N, #{bound := Bound} = S) ->
    case Bound of
        #{N := Slot} -> emit(same, Slot, S);
        _ ->
            Slot = map_size(Bound),
            Slot < ?VARIABLES orelse refuse("no more than ~b variables", [?VARIABLES]),
            emit(bind, Slot, S#{bound := Bound#{N => Slot}})
    end.

%% ---- guards: in postfix order

guards(true, S) -> S;
guards(Guards, S) ->
    is_proper(Guards) orelse refuse("the guards ~0tP are no list", [Guards, 8]),
    lists:foldl(fun(G, A) -> emit(test, expression(G, 0, A)) end, S, Guards).

%% Pushes the value of an expression.
expression(E, Nested, S) ->
    Nested < ?DEPTH orelse refuse("its expressions are too deep", []),
    case constant(E) of
        {ok, T} -> with_literal(literal, T, S);
        no -> computed(E, Nested + 1, S)
    end.

computed(E, Nested, #{bound := Bound} = S) ->
    case variable(E) of
        {ok, N} when is_map_key(N, Bound) -> emit(variable, map_get(N, Bound), S);
        {ok, N} -> refuse("'$~b' is not in the head", [N]);
        no when E =:= '$_'; E =:= '$$' -> refuse("~p can only be said: {message, ~p}", [E, E]);
        no when is_tuple(E), tuple_size(E) > 0, is_atom(element(1, E)) -> call(tuple_to_list(E), Nested, S);
        no -> refuse("~0tP would have to be built, which takes memory", [E, 8])
    end.

call(['is_record', T, Tag, Size], Nested, S) ->
    emit(is_record, lists:foldl(fun(E, A) -> expression(E, Nested, A) end, S, [T, Tag, Size]));
call([F | Args], Nested, S) when F =:= 'andalso', Args =/= []; F =:= 'orelse', Args =/= [] -> short(F, Args, Nested, S);
call([F, A | Args], Nested, S) when (F =:= 'and' orelse F =:= 'or'), length(Args) =/= 1 ->
    lists:foldl(fun(B, S1) -> two(F, expression(B, Nested, S1)) end, emit(boolean, expression(A, Nested, S)), Args);
call([F, A], Nested, #{one := One} = S) when is_map_key(F, One) -> emit(one, map_get(F, One), expression(A, Nested, S));
call([F, A, B], Nested, #{two := Two} = S) when is_map_key(F, Two) ->
    two(F, expression(B, Nested, expression(A, Nested, S)));
call([F | Args], _, _) -> refuse("there is no ~w/~b in a filter", [F, length(Args)]).

two(F, #{two := Two} = S) -> emit(two, map_get(F, Two), S).

%% The last operand may have any value, as in ets.
short(_, [Last], Nested, S) -> expression(Last, Nested, S);
short(F, [E | Rest], Nested, S0) ->
    {At, S} = hole(case F of 'andalso' -> and_then; 'orelse' -> or_else end, expression(E, Nested, S0)),
    fill(At, short(F, Rest, Nested, S)).

%% Literals: {const, T}, {{...}} and lists of literals, and all that is not a variable.
constant({const, T}) -> {ok, T};
constant({T}) when is_tuple(T) -> whole(tuple_to_list(T), fun erlang:list_to_tuple/1);
constant([H | T]) -> whole([H, T], fun([A, B]) -> [A | B] end);
constant(T) when is_map(T) -> whole(maps:values(T), fun(Vs) -> maps:from_list(lists:zip(maps:keys(T), Vs)) end);
constant(T) when is_tuple(T) -> no;
constant(T) when T =:= '$_'; T =:= '$$' -> no;
constant(T) ->
    case variable(T) of
        no -> {ok, T};
        _ -> no
    end.

whole(Parts, Build) ->
    Values = [constant(P) || P <- Parts],
    case lists:member(no, Values) of
        true -> no;
        false -> {ok, Build([V || {ok, V} <- Values])}
    end.

%% ---- bodies

body(Body, S) when is_list(Body), Body =/= [] ->
    is_proper(Body) orelse refuse("the body ~0tP is no list", [Body, 8]),
    lists:foreach(fun(E) -> action(E, S) end, lists:droplast(Body)), % these have no effect, but must be valid
    action(lists:last(Body), S);
body(Body, _) -> refuse("the body ~0tP is no list of actions", [Body, 8]).

action({message, Term}, S) when is_boolean(Term) -> action(Term, S);
action({message, Term}, S) -> emit('end', message(Term, 0, emit(body, S)));
action(E, S) -> emit(decide, expression(E, 0, emit(body, S))).

%% Text is copied, values are printed; {{...}}, lists and maps may contain anything.
message('$_', _, S) -> emit(print_event, S);
message('$$', _, #{bound := Bound} = S) ->
    list_text([list_to_atom("$" ++ integer_to_list(N)) || N <- lists:sort(maps:keys(Bound))], 0, S);
message(T, Nested, S) ->
    Nested < ?DEPTH orelse refuse("its message is too deep", []),
    case constant(T) of
        {ok, Value} -> text(io_lib:format("~tw", [Value]), S);
        no when is_tuple(T), tuple_size(T) =:= 1, is_tuple(element(1, T)) ->
            text("}", several(tuple_to_list(element(1, T)), Nested, text("{", S)));
        no when is_list(T) -> list_text(T, Nested, S);
        no when is_map(T) -> refuse("a map in a message has to be constant", []);
        no -> emit(print, expression(T, Nested, S))
    end.

list_text(T, Nested, S) ->
    is_proper(T) orelse refuse("~0tP is no list", [T, 8]),
    text("]", several(T, Nested, text("[", S))).

several([], _, S) -> S;
several([E], Nested, S) -> message(E, Nested + 1, S);
several([E | Rest], Nested, S) -> several(Rest, Nested, text(",", message(E, Nested + 1, S))).

text(Text, S) -> with_literal(text, unicode:characters_to_binary(Text), S).

%% ---- the processes that a filter applies to

%% all, new (from now on), existing (until now), a pid, or a list of pids.
-spec check_scope(term()) -> ok | {error, string()}.
check_scope(Scope) when Scope =:= all; Scope =:= new; Scope =:= existing; is_pid(Scope) -> ok;
check_scope(Pids) ->
    case is_proper(Pids) andalso lists:all(fun erlang:is_pid/1, Pids) of
        true -> ok;
        false -> {error, "a filter is for all, new, existing, a pid or a list of pids"}
    end.

-spec scope(all | new | existing | pid() | [pid()]) -> {all | only | but, [pid()]}.
scope(all) -> {all, []};
scope(new) -> {but, processes()};
scope(existing) -> {only, processes()};
scope(Pid) when is_pid(Pid) -> {only, [Pid]};
scope(Pids) -> {only, Pids}.
