#!/usr/bin/env escript
%% Writes cert.pem, key.pem and the ssl.conf of a distribution by TLS into the current folder.
main(_) ->
    Chain = #{root => [], intermediates => [], peer => []},
    #{server_config := Options} = public_key:pkix_test_data(#{server_chain => Chain, client_chain => Chain}),
    {Type, Key} = proplists:get_value(key, Options),
    pem("cert.pem", 'Certificate', proplists:get_value(cert, Options)),
    pem("key.pem", Type, Key),
    Own = [{certfile, "cert.pem"}, {keyfile, "key.pem"}, {verify, verify_none}],
    ok = file:write_file("ssl.conf", io_lib:format("~p.~n", [[{server, Own}, {client, Own}]])).

pem(File, Type, Der) -> ok = file:write_file(File, public_key:pem_encode([{Type, Der, not_encrypted}])).
