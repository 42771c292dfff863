%% http -> auth -> ldap: auth holds its caller while ldap (a service of 4 ms, elsewhere, many at once) answers
-module(ldap).
-behaviour(gen_server).
-export([main/1, init/1, handle_call/3, handle_cast/2, handle_info/2]).
main(Args) ->
    {ok, _} = gen_server:start_link({local, ldap}, ?MODULE, ldap, []),
    {ok, _} = gen_server:start_link({local, auth}, ?MODULE, {auth, Args}, []),
    Ps = [spawn_monitor(fun() ->
              [{ok, _} = gen_server:call(auth, {login, U, N}, infinity) || N <- lists:seq(1, 40)] end)
          || U <- lists:seq(1, 12)],
    [receive {'DOWN', R, process, P, normal} -> ok end || {P, R} <- Ps],
    io:format("480 logins~n").
init(S) -> {ok, S}.
handle_call({login, U, N}, From, {auth, ["cured"]} = S) ->
    spawn_link(fun() -> gen_server:reply(From, gen_server:call(ldap, {bind, U, N}, infinity)) end), {noreply, S};
handle_call({login, U, N}, _, {auth, _} = S) -> {reply, gen_server:call(ldap, {bind, U, N}, infinity), S};
handle_call({bind, U, N}, From, ldap) -> erlang:send_after(4, self(), {answer, From, U * N}), {noreply, ldap}.
handle_info({answer, From, X}, S) -> gen_server:reply(From, {ok, X}), {noreply, S}.
handle_cast(_, S) -> {noreply, S}.
