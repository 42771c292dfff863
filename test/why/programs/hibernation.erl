%% A server with a large state hibernates after each request. fixed: it does not.
-module(hibernation).
-behaviour(gen_server).
-export([main/1, init/1, handle_call/3, handle_cast/2]).

main(Args) ->
    {ok, Server} = gen_server:start(?MODULE, Args =:= ["fixed"], []),
    [gen_server:call(Server, {add, N}) || N <- lists:seq(1, 5000)].

init(Fixed) -> {ok, {Fixed, [{N, [N, N + 1]} || N <- lists:seq(1, 30000)]}}.

handle_call({add, N}, _, {true, L})  -> {reply, ok, {true, [{N, [N]} | L]}};
handle_call({add, N}, _, {false, L}) -> {reply, ok, {false, [{N, [N]} | L]}, hibernate}.

handle_cast(_, State) -> {noreply, State}.
