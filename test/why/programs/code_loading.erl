%% Loads the modules of the compiler one by one, then works a little. fixed: does not.
-module(code_loading).
-export([main/1]).

main(["fixed"]) -> work();
main(_) -> [code:ensure_loaded(M) || M <- modules("compiler") ++ modules("stdlib") ++ modules("syntax_tools")
            ++ modules("crypto")], work().

modules(App) ->
    {ok, Files} = file:list_dir(code:lib_dir(list_to_atom(App), ebin)),
    [list_to_atom(filename:rootname(F)) || F <- Files, filename:extension(F) =:= ".beam"].
work() -> lists:foldl(fun(I, A) -> erlang:phash2({I, A}) end, 0, lists:seq(1, 200000)).
