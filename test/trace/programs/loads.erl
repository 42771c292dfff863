%% Modules are loaded, called, loaded over, purged and deleted while others call them.
-module(program_loads).
-export([run/0]).

run() ->
    Versions = [version(N) || N <- lists:seq(1, 6)],
    load(hd(Versions)),
    Callers = [spawn_monitor(fun() -> [loaded_again:f(I) || I <- lists:seq(1, 3000)] end) || _ <- [1, 2, 3]],
    {Old, Ref} = spawn_monitor(fun() -> loaded_again:stay() end),
    [begin load(V), timer:sleep(1) end || V <- Versions],
    receive {'DOWN', Ref, _, Old, killed} -> ok end, % it ran code that was purged
    [receive {'DOWN', R, _, _, _} -> ok end || {_, R} <- Callers],
    code:purge(loaded_again),
    code:delete(loaded_again),
    code:purge(loaded_again),
    [code:ensure_loaded(M) || M <- [calendar, string, dict, gb_sets, array, sofs, digraph, zip, queue]].

version(N) ->
    {ok, loaded_again, Binary} = compile:forms(
        [{attribute, 1, module, loaded_again}, {attribute, 1, export, [{f, 1}, {stay, 0}]},
         {function, 1, f, 1, [{clause, 1, [{var, 1, 'X'}], [], [{op, 1, '+', {var, 1, 'X'}, {integer, 1, N}}]}]},
         {function, 1, stay, 0, [{clause, 1, [], [],
                                  [{'receive', 1, [{clause, 1, [{atom, 1, go}], [], [{atom, 1, ok}]}]},
                                                     {call, 1, {atom, 1, stay}, []}]}]}], [binary]),
    Binary.

load(Binary) ->
    code:purge(loaded_again),
    {module, loaded_again} = code:load_binary(loaded_again, "loaded_again", Binary).
