%% reader asks parser for each of 150,000 bytes. fixed: for 1,000 at a time.
-module(chatty_pair).
-export([main/1]).

main(Args) ->
    Size = case Args of ["fixed"] -> 1000; _ -> 1 end,
    {_, Ref} = spawn_monitor(fun() -> register(reader, self()),
                                 P = spawn_link(fun() -> register(parser, self()), parse() end),
                                 read(P, 150000, Size) end),
    receive {'DOWN', Ref, _, _, _} -> ok end.

read(_, N, _) when N =< 0 -> ok;
read(P, N, Size) -> P ! {self(), N, Size}, receive {ok, _} -> read(P, N - Size, Size) end.
parse() -> receive {From, N, Size} -> From ! {ok, lists:sum([I * N rem 7 || I <- lists:seq(1, Size)])}, parse() end.
