%% A supervisor starts 10 children; each waits 60 ms in init/1. fixed: in handle_continue/2.
-module(serial_start).
-behaviour(supervisor).
-export([main/1, init/1, start_link/1]).

main(Args) ->
    {ok, _} = supervisor:start_link({local, shards}, ?MODULE, Args),
    [gen_server:call(P, get) || {_, P, _, _} <- supervisor:which_children(shards)].

init(Args) -> {ok, {#{}, [#{id => N, start => {serial_start_shard, start_link, [Args]}} || N <- lists:seq(1, 10)]}}.
start_link(Args) -> serial_start_shard:start_link(Args).
