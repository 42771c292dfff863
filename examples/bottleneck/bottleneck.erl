%% A shop with many tills and one price list.
%%
%%     customers ──▶ 200 tills ──▶ one prices server
%%
%% Each till reads an order, asks for its total and prints a receipt. The tills could use every core there is;
%% they don't, because all of them wait for `prices`. Run with `fixed`, each till adds up its own basket.
-module(bottleneck).

-export([main/0, main/1]).

-define(TILLS, 200).
-define(ORDERS, 800).
-define(ARTICLES, 500).

-spec main() -> ok.
main() ->
    main([]).

-spec main([string()]) -> ok.
main(Args) ->
    {ok, _} = prices:start_link(?ARTICLES),
    Total = total_with(Args),
    Start = erlang:monotonic_time(millisecond),
    Cents = lists:sum(collect([open_till(N, Total) || N <- lists:seq(1, ?TILLS)])),
    Took = erlang:monotonic_time(millisecond) - Start,
    io:format("~b orders, ~.2f in the tills, ~b ms~n", [?TILLS * ?ORDERS, Cents / 100, Took]).

total_with(["fixed"]) -> fun prices:total_of/1;
total_with([])        -> fun prices:total/1.

open_till(Number, Total) ->
    spawn_monitor(fun() -> exit({taken, till(Number, Total, ?ORDERS, 0)}) end).

collect(Tills) ->
    [receive {'DOWN', Monitor, process, Till, {taken, Cents}} -> Cents end || {Till, Monitor} <- Tills].

till(_, _, 0, Cents) ->
    Cents;
till(Number, Total, Order, Cents) ->
    Basket = read_order(Number, Order),
    Sum = Total(Basket),
    _ = print_receipt(Basket, Sum),
    till(Number, Total, Order - 1, Cents + Sum).

%% Orders are the same in every run: article and pieces follow from the till's and the order's number.
read_order(Number, Order) ->
    [{1 + (Number * 31 + Order * 17 + Line * 101) rem ?ARTICLES, 1 + (Number + Order + Line) rem 24}
     || Line <- lists:seq(1, 24)].

print_receipt(Basket, Sum) ->
    iolist_to_binary([integer_to_binary(length(Basket)), " articles, ", integer_to_binary(Sum), $\n]).
