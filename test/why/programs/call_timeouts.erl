%% 4 clients call a store that takes 30 ms a request, give up after 45 ms, and try again, up to 3 times. fixed: the
%% calls wait as long as it takes.
-module(call_timeouts).
-export([main/1, init/1, handle_call/3, handle_cast/2, handle_info/2]).

main(Args) ->
    {ok, _} = gen_server:start({local, store}, ?MODULE, [], []),
    Timeout = case Args of ["fixed"] -> infinity; _ -> 45 end,
    Client = fun() -> [put(Timeout, K, 3) || K <- lists:seq(1, 5)] end,
    Refs = [element(2, spawn_monitor(Client)) || _ <- lists:seq(1, 4)],
    [receive {'DOWN', R, _, _, _} -> ok end || R <- Refs].

put(_, _, 0) -> gave_up;
put(Timeout, K, Tries) ->
    try gen_server:call(store, {put, K}, Timeout) catch exit:{timeout, _} -> put(Timeout, K, Tries - 1) end.

init([]) -> {ok, #{}}.
handle_call({put, K}, _, S) -> receive after 30 -> {reply, ok, S#{K => true}} end.
handle_cast(_, S) -> {noreply, S}.
handle_info(_, S) -> {noreply, S}.
