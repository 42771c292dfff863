%% logger:notice for each of the requests
-module(log_each).
-export([main/1]).
-include_lib("kernel/include/logger.hrl").
main(Args) ->
    case Args of ["cured"] -> logger:set_primary_config(level, error); _ -> ok end,
    Ps = [spawn_monitor(fun() -> [req(W, N) || N <- lists:seq(1, 4000)] end) || W <- lists:seq(1, 6)],
    T = erlang:monotonic_time(millisecond),
    [receive {'DOWN', R, _, _, _} -> ok end || {_, R} <- Ps],
    io:format("24000 requests in ~p ms~n", [erlang:monotonic_time(millisecond) - T]).
req(W, N) ->
    V = lists:foldl(fun(I, A) -> erlang:phash2({I, A}) end, N, lists:seq(1, 100)),
    ?LOG_NOTICE("request ~p of ~p gave ~p", [N, W, V], #{user => W}).
