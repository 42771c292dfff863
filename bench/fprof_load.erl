%% Programs for bench/fprof.sh to trace.
-module(fprof_load).
-behaviour(gen_server).
-export([servers/0, deep/1, init/1, handle_call/3, handle_cast/2]).

%% 60 clients, each with a gen_server of its own: calls, casts, a little work on lists and ETS.
servers() ->
    Table = ets:new(fprof_load, [public]),
    Clients = [spawn_monitor(fun() -> client(Table) end) || _ <- lists:seq(1, 60)],
    [receive {'DOWN', Ref, _, _, _} -> ok end || {_, Ref} <- Clients].

client(Table) ->
    {ok, Server} = gen_server:start(?MODULE, Table, []),
    [begin gen_server:cast(Server, N), gen_server:call(Server, {add, N}) end || N <- lists:seq(1, 150)],
    gen_server:stop(Server).

init(Table) -> {ok, {Table, 0}}.

handle_call({add, N}, _, {Table, Sum}) ->
    ets:insert(Table, {N, Sum}),
    [{N, _}] = ets:lookup(Table, N),
    {reply, lists:sum(lists:sort([N, Sum, 3, 1])), {Table, Sum + N}}.

handle_cast(N, {Table, Sum}) -> {noreply, {Table, lists:foldl(fun erlang:'+'/2, Sum, lists:seq(1, N rem 5))}}.

deep(0) -> 0;
deep(N) -> 1 + deeper(N - 1).
deeper(0) -> 0;
deeper(N) -> 1 + deep(N - 1).
