%% router keeps the first 100 bytes of each 1 MB message. fixed: a copy of them.
-module(binary_retention).
-export([main/1]).

main(Args) ->
    Keep = case Args of ["fixed"] -> fun binary:copy/1; _ -> fun(B) -> B end end,
    Me = self(),
    Router = spawn_link(fun() -> register(router, self()), router([], Keep, Me) end),
    [begin Router ! {data, crypto_free(N)}, receive next -> ok end end || N <- lists:seq(1, 200)],
    Router ! {count, self()},
    receive {count, N} -> N end.

crypto_free(N) -> receive after 3 -> ok end, binary:copy(<<N:64>>, 131072).
router(Keys, Keep, Main) ->
    receive
        {data, <<Key:100/binary, _/binary>>} ->
            Main ! next,
            router([{Keep(Key), lists:seq(1, 50)} | Keys], Keep, Main);
        {count, P} -> P ! {count, length(Keys)}, router(Keys, Keep, Main)
    end.
