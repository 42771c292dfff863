%% Callers of front wait while it asks one of many shards, each of which waits 3 ms for a disk elsewhere.
%% fixed: the shard answers the caller.
-module(convoy_many).
-behaviour(gen_server).
-export([main/1, init/1, handle_call/3, handle_cast/2, handle_info/2]).

main(Args) ->
    Shards = list_to_tuple([start(shard) || _ <- lists:seq(1, 16)]),
    Front = start({front, Shards, Args =:= ["fixed"]}),
    Refs = [element(2, spawn_monitor(fun() -> [gen_server:call(Front, {get, C * N}) || N <- lists:seq(1, 25)] end))
            || C <- lists:seq(1, 8)],
    [receive {'DOWN', R, _, _, _} -> ok end || R <- Refs].

start(What) -> {ok, P} = gen_server:start(?MODULE, What, []), P.
init(What) -> {ok, What}.

handle_call({get, N}, From, {front, Shards, Fixed} = S) ->
    Shard = element(N rem tuple_size(Shards) + 1, Shards),
    case Fixed of
        true -> gen_server:cast(Shard, {get, From, N}), {noreply, S};
        false -> {reply, gen_server:call(Shard, {get, N}), S}
    end;
handle_call({get, N}, From, shard) -> read(From, N), {noreply, shard}.

handle_cast({get, From, N}, shard) -> read(From, N), {noreply, shard}.
handle_info({disk, From, N}, shard) -> gen_server:reply(From, erlang:phash2(N)), {noreply, shard}.
read(From, N) -> erlang:send_after(3, self(), {disk, From, N}).
