%% 6 processes make keys in a NIF that runs some 100 ms without a yield. fixed: the work is Erlang code.
-module(long_native).
-export([main/1]).

main(Args) ->
    _ = crypto:hash(sha256, <<>>),
    Refs = [element(2, spawn_monitor(fun() -> keys(Args, 3) end)) || _ <- lists:seq(1, 6)],
    [receive {'DOWN', R, _, _, _} -> ok end || R <- Refs].

keys(_, 0) -> ok;
keys(["fixed"], N) ->
    lists:foldl(fun(I, A) -> erlang:phash2({I, A}) end, N, lists:seq(1, 100000)), keys(["fixed"], N - 1);
keys(Args, N) -> crypto:pbkdf2_hmac(sha256, <<"password">>, <<"salt">>, 240000, 32), keys(Args, N - 1).
