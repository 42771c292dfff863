%% A client and a server speak TLS.
-module(program_ssl).
-export([prepare/0, run/0]).

prepare() ->
    {ok, _} = application:ensure_all_started(ssl).

run() ->
    Key = [{digest, sha256}, {key, {namedCurve, secp256r1}}],
    Chain = #{root => Key, intermediates => [], peer => Key},
    #{server_config := S, client_config := C} =
        public_key:pkix_test_data(#{server_chain => Chain, client_chain => Chain}),
    {ok, L} = ssl:listen(0, [{active, false} | S]),
    {ok, {_, Port}} = ssl:sockname(L),
    {_, Server} = spawn_monitor(fun() -> [echo(L) || _ <- [1, 2]] end),
    [begin
         {ok, K} = ssl:connect("localhost", Port, [{active, false}, {verify, verify_none} | C], 5000),
         ok = ssl:send(K, <<"hello">>),
         {ok, _} = ssl:recv(K, 0),
         ssl:close(K)
     end || _ <- [1, 2]],
    receive {'DOWN', Server, _, _, normal} -> ok end.

echo(L) ->
    {ok, T} = ssl:transport_accept(L),
    {ok, K} = ssl:handshake(T),
    {ok, D} = ssl:recv(K, 0),
    ssl:send(K, D),
    ssl:close(K).
