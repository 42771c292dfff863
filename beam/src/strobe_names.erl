%% Names of modules, functions and applications as people write them, and messages about names that do not exist.
-module(strobe_names).
-export([modules/1, app/1, function/1, shown/1]).
-export([is_there/1, nearest/3, missing/2, missing_now/1, print_notes/1]).
-export_type([asked/0]).

-type asked() :: {app, atom()} | {module, atom()} | {function, {module(), atom(), arity() | '_'}}.

%% @doc Returns the modules that a name may stand for. In Elixir `Foo' is the module 'Elixir.Foo', but Erlang has
%% modules such as 'ELDAPv3'.
-spec modules(atom() | string() | binary()) -> [module(), ...].
modules(Name) ->
    Text = bare(text(Name)),
    case Text of
        "Elixir." ++ _ -> [list_to_atom(Text)];
        _ -> [list_to_atom(Text) | [list_to_atom("Elixir." ++ Text) || is_upper(Text), length(Text) < 249]]
    end.

-spec app(atom() | string() | binary()) -> atom().
app(Name) -> list_to_atom(bare(text(Name))).

%% @doc Parses "m:f/a", "m:f", "m", and Elixir's "M.f/a" and "M.f". Returns `none' for anything else.
-spec function(string()) -> {module(), atom(), arity() | '_'} | none.
function(Text) ->
    Atom = "('[^']+'|[^:/']+)",
    Erlang = ["^", Atom, "(?::", Atom, "(?:/([0-9]+))?)?$"],
    Elixir = ["^((?:Elixir\\.)?\\p{Lu}[\\w.]*|:[\\w@]+)\\.([\\p{Ll}_][\\w]*[?!]?)(?:/([0-9]+))?$"],
    case [Found || RE <- [Elixir, Erlang], {match,
                                            Found} <- [re:run(Text, RE, [{capture, all_but_first, list}, unicode,
                                                    ucp])]] of
        [[M] | _]       -> {list_to_atom(bare(M)), '_', '_'};
        [[M, F] | _]    -> {list_to_atom(bare(M)), list_to_atom(bare(F)), '_'};
        [[M, F, A] | _] -> {list_to_atom(bare(M)), list_to_atom(bare(F)), list_to_integer(A)};
        []              -> none
    end.

text(Name) when is_atom(Name)   -> atom_to_list(Name);
text(Name) when is_binary(Name) -> unicode:characters_to_list(Name);
text(Name)                      -> Name.

%% Removes the quotes of an Erlang atom, or the colon of an Elixir one.
bare([$' | Rest] = Text) -> case lists:reverse(Rest) of [$' | Inner] -> lists:reverse(Inner); _ -> Text end;
bare([$:, C | Rest])     -> [C | Rest];
bare(Text)               -> Text.

is_upper([C | _] = Text) -> string:titlecase(Text) =:= Text andalso string:lowercase([C]) =/= [C];
is_upper([])             -> false.

%% @doc Returns the name of a module, application or function as its users write it.
-spec shown(atom() | mfa() | {module(), atom(), '_'}) -> string().
shown({M, F, '_'})             -> lists:flatten([shown(M), separator(M), io_lib:format("~tw", [F])]);
shown({M, F, A})               -> lists:flatten([shown({M, F, '_'}), $/, integer_to_list(A)]);
shown(Name) when is_atom(Name) ->
    case atom_to_list(Name) of
        "Elixir." ++ Alias -> Alias;
        Text               ->
            case is_upper(Text) of true -> Text; false -> lists:flatten(io_lib:format("~tw", [Name])) end
    end.

separator(M) -> case lists:prefix("Elixir.", atom_to_list(M)) of true -> "."; false -> ":" end.

%% @doc Whether this node has loaded it.
-spec is_there(asked()) -> boolean().
is_there({app, App})         -> application:get_key(App, modules) =/= undefined;
is_there({module, Name})     -> lists:any(fun erlang:module_loaded/1, modules(Name));
is_there({function, {Name, F, A}}) -> [] =/= [M || M <- loaded(Name), has(M, F, A)].

loaded(Name) -> [M || M <- modules(Name), erlang:module_loaded(M)].

has(_, '_', _) -> true;
has(M, F, '_') -> lists:keymember(F, 1, M:module_info(functions));
has(M, F, A)   -> lists:member({F, A}, M:module_info(functions)).

%% @doc Returns the nearest existing name: of a module among `Before' and the given modules; of an application or a
%% function among all.
-spec nearest(asked(), [module()], {Distance, term()} | none) ->
    {Distance, term()} | none when Distance :: non_neg_integer().
nearest({app, App}, _, _)            -> best(App, [A || {A, _, _} <- application:loaded_applications()], none);
nearest({module, Name}, New, Before) -> best(Name, New, Before);
nearest({function, {Name, F, _}}, New, Before) ->
    case loaded(Name) of
        []      -> best(Name, New, Before);
        [M | _] ->
            Functions = M:module_info(functions),
            case best(F, [G || {G, _} <- Functions], none) of
                none   -> none;
                {D, G} -> {D, {M, G, lists:min([A || {H, A} <- Functions, H =:= G])}}
            end
    end.

%% Names are near if at most a third of the letters differ; case does not count.
best(Name, Candidates, Before) ->
    Folded = fold(Name),
    Most = min(max(1, length(Folded) div 3), length(Folded) - 1),
    Near = [{D, C} || C <- Candidates, Other <- [fold(C)], abs(length(Other) - length(Folded)) =< Most,
                      D <- [distance(Folded, Other)], D =< Most],
    case lists:sort([B || B <- [Before], B =/= none] ++ Near) of
        [Best | _] -> Best;
        []         -> none
    end.

fold(Name) ->
    Text = case atom_to_list(Name) of "Elixir." ++ Alias -> Alias; Erlang -> Erlang end,
    [C || C <- string:lowercase(Text), C =/= $_].

%% The Levenshtein distance, computed row by row; a pair of swapped letters counts once.
distance(A, A) -> 0;
distance(A, B) -> case lists:sort(A) =:= lists:sort(B) of true -> 1; false -> edits(A, B) end.

edits(A, B) -> lists:last(lists:foldl(fun(C, Row) -> row(C, B, Row) end, lists:seq(0, length(B)), A)).

row(C, B, [Corner | Above]) -> [Corner + 1 | row(C, B, Corner, Corner + 1, Above)].

row(C, [D | B], Corner, Left, [Up | Above]) ->
    Least = lists:min([Left + 1, Up + 1, Corner + case C of D -> 0; _ -> 1 end]),
    [Least | row(C, B, Up, Least, Above)];
row(_, [], _, _, []) -> [].

%% @doc Returns a line for each name that the node does not have, so far or at the end of a recording.
-spec missing(so_far | at_end | here, [{asked(), Nearest :: term() | none}]) -> [string()].
missing(When, Missing) -> [lists:flatten([sentence(Asked, When), suggestion(Nearest)]) || {Asked, Nearest} <- Missing].

sentence({app, App}, When)     -> ["no application ", shown(App), loaded_when(When)];
sentence({module, Name}, When) -> ["no module ", shown(Name), loaded_when(When)];
sentence({function, {Name, F, A}}, When) ->
    case loaded(Name) of
        []      -> sentence({module, Name}, When);
        [M | _] -> ["there is no function ", shown({M, F, A})]
    end.

loaded_when(so_far) -> " is loaded yet";
loaded_when(at_end) -> " was loaded";
loaded_when(here)   -> " in this node".

suggestion(none)         -> "";
suggestion({_, Nearest}) -> [": did you mean ", shown(Nearest), "?"].

%% @doc Returns the same lines for what the node has at this moment.
-spec missing_now([asked()]) -> [string()].
missing_now(Asked) ->
    missing(at_end, [{A, nearest(A, erlang:loaded(), none)} || A <- Asked, not is_there(A)]).

%% @doc Prints lines for the user, on standard error.
-spec print_notes([string()]) -> ok.
print_notes([])    -> ok;
print_notes(Lines) -> io:put_chars(standard_error, [["strobe: ", Line, $\n] || Line <- Lines]).
