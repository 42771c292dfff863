%% 4 processes log 3,000 events each. fixed: below the level.
-module(logging).
-export([main/1]).
-include_lib("kernel/include/logger.hrl").

main(Args) ->
    logger:set_primary_config(level, case Args of ["fixed"] -> error; _ -> info end),
    Refs = [element(2, spawn_monitor(fun() -> log(W) end)) || W <- lists:seq(1, 4)],
    [receive {'DOWN', R, _, _, _} -> ok end || R <- Refs].

log(W) -> [begin ?LOG_NOTICE("worker ~p did ~p", [W, lists:seq(1, 20) ++ [N]]), erlang:phash2(N) end
           || N <- lists:seq(1, 3000)].
