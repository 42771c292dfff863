-module(serial_start_shard).
-behaviour(gen_server).
-export([start_link/1, init/1, handle_continue/2, handle_call/3, handle_cast/2]).

start_link(Args) -> gen_server:start_link(?MODULE, Args, []).
init(["fixed"]) -> {ok, none, {continue, load}};
init(_) -> {ok, load()}.
handle_continue(load, _) -> {noreply, load()}.
handle_call(get, _, S) -> {reply, map_size(S), S}.
handle_cast(_, S) -> {noreply, S}.
load() -> receive after 60 -> ok end, maps:from_list([{K, K} || K <- lists:seq(1, 100)]).
