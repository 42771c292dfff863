%% EUnit prepares each of six tests with the same long work. fixed: it does so once for all.
-module(repeated_setup).
-export([main/1]).

main(Args) ->
    Of = case Args of ["fixed"] -> setup; _ -> foreach end,
    eunit:test({Of, fun prepare/0, fun(_) -> ok end, [fun() -> ok end || _ <- lists:seq(1, 6)]}).

prepare() -> lists:foldl(fun(I, A) -> erlang:phash2({I, A}) end, 0, lists:seq(1, 1500000)).
