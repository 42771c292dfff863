%% A table keeps 80 bytes of each packet of 256 kB, which it holds. fixed: it keeps a copy of them.
-module(tables_hold_binaries).
-export([main/1]).

main(Args) ->
    Index = ets:new(index, [public]),
    Keep = case Args of ["fixed"] -> fun binary:copy/1; _ -> fun(B) -> B end end,
    [put_in(Index, Keep, N) || N <- lists:seq(1, 400)],
    400 = ets:info(Index, size).

put_in(Index, Keep, N) ->
    {_, Ref} = spawn_monitor(fun() ->
        <<Agent:80/binary, _/binary>> = binary:copy(<<N:64>>, 32768),
        ets:insert(Index, {N, Keep(Agent)})
    end),
    receive {'DOWN', Ref, _, _, normal} -> receive after 4 -> ok end end.
