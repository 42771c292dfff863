%% 16 processes make an RSA key each on 2 dirty schedulers. fixed: a process makes a small one after the other.
-module(dirty_bound).
-export([main/1]).

main(["fixed"]) -> _ = [crypto:generate_key(rsa, {1024, 65537}) || _ <- lists:seq(1, 10)], ok;
main(_) ->
    _ = crypto:hash(sha256, <<>>),
    Refs = [element(2, spawn_monitor(fun() -> crypto:generate_key(rsa, {2048, 65537}) end)) || _ <- lists:seq(1, 16)],
    [receive {'DOWN', R, _, _, _} -> ok end || R <- Refs].
