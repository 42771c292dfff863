%% Three tests of EUnit sleep until a worker has done its work. fixed: they wait for its message.
-module(sleeping_tests).
-export([main/1]).

main(Args) ->
    Wait = case Args of ["fixed"] -> fun get_done/0; _ -> fun() -> timer:sleep(300) end end,
    eunit:test([fun() -> test(N, Wait) end || N <- lists:seq(1, 3)]).

test(N, Wait) ->
    Test = self(),
    spawn_link(fun() -> Test ! {done, work(N)} end),
    Wait(),
    receive {done, _} -> ok after 0 -> ok end.

work(N) -> lists:foldl(fun(I, A) -> erlang:phash2({I, A, N}) end, 0, lists:seq(1, 100000)).

get_done() -> receive {done, _} -> ok end.
