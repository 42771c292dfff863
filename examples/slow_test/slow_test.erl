%% A test that passes, and takes a second: it waits for what it could be told.
-module(slow_test).
-include_lib("eunit/include/eunit.hrl").
-export([main/0]).

main() ->
    ok = eunit:test(?MODULE, []).

orders_are_shipped_test_() ->
    {timeout, 20, fun() -> strobe_test:record("orders_are_shipped", [{slow, 500}], fun orders_are_shipped/0) end}.

orders_are_shipped() ->
    Self = self(),
    Shop = spawn_link(fun() -> shop(Self) end),
    register(shop, Shop),
    shop ! {order, 1},
    ?assertEqual(shipped, poll(10)),
    Shop ! stop.

%% Asks every quarter of a second instead of waiting for the message.
poll(0) -> never;
poll(N) ->
    timer:sleep(250),
    shop ! {state, self()},
    receive {state, shipped} -> shipped; {state, _} -> poll(N - 1) end.

shop(Test) -> shop(Test, none).

shop(Test, State) ->
    receive
        {order, _}    -> erlang:send_after(600, self(), packed), shop(Test, ordered);
        packed        -> shop(Test, shipped);
        {state, From} -> From ! {state, State}, shop(Test, State);
        stop          -> ok
    end.
