%% Work on dirty schedulers.
-module(program_dirty).
-export([prepare/0, run/0]).

prepare() ->
    {ok, _} = application:ensure_all_started(crypto).

run() ->
    Workers = [spawn_monitor(fun work/0) || _ <- lists:seq(1, 4)],
    [receive {'DOWN', Ref, _, _, normal} -> ok end || {_, Ref} <- Workers].

work() ->
    [crypto:pbkdf2_hmac(sha256, <<"p">>, <<"s">>, 2000, 32) || _ <- lists:seq(1, 5)],
    [crypto:generate_key(ecdh, secp256r1) || _ <- lists:seq(1, 5)],
    crypto:hash(sha256, binary:copy(<<"abc">>, 100000)),
    [erlang:garbage_collect() || _ <- [1, 2, 3]].
