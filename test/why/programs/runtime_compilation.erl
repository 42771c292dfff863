%% A template becomes a module each time that it is rendered. fixed: each of the three is compiled once.
-module(runtime_compilation).
-export([main/1]).

main(How) ->
    [compile(K) || K <- lists:seq(1, 3)],
    [render(How, 1 + N rem 3) || N <- lists:seq(1, 150)].

render(["fixed"], K) -> [(name(K)):render(lists:seq(1, 20)) || _ <- lists:seq(1, 500)];
render(_, K) -> compile(K), render(["fixed"], K).

name(K) -> list_to_atom("template_" ++ integer_to_list(K)).

compile(K) ->
    Source = ["-module(" ++ atom_to_list(name(K)) ++ ").", "-export([render/1]).",
              "render(L) -> [X * " ++ integer_to_list(K) ++ " || X <- L, X > 3, X rem 2 =:= 1]."],
    {ok, Module, Binary} = compile:forms([form(Text) || Text <- Source]),
    code:purge(Module),
    {module, Module} = code:load_binary(Module, "template", Binary).

form(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text),
    {ok, Form} = erl_parse:parse_form(Tokens),
    Form.
