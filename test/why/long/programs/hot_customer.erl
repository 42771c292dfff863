%% Orders go to eight workers by customer; one customer has most of them. Cured: by order.
-module(hot_customer).
-behaviour(gen_server).
-export([main/1, init/1, handle_call/3, handle_cast/2]).
main(A) ->
    Ws = list_to_tuple([worker(list_to_atom("orders_" ++ integer_to_list(N))) || N <- lists:seq(1, 8)]),
    T0 = erlang:monotonic_time(millisecond),
    Orders = [{O, if O rem 10 < 8 -> acme; true -> O rem 57 end} || O <- lists:seq(1, 1600)],
    [gen_server:cast(element(1 + erlang:phash2(if A == [] -> C; true -> O end, 8), Ws), {order, O})
     || {O, C} <- Orders],
    L = [gen_server:call(P, done, infinity) || P <- tuple_to_list(Ws)],
    io:format("orders=~p by_worker=~p ms=~p~n", [1600, L, erlang:monotonic_time(millisecond) - T0]).
worker(Name) ->
    {ok, P} = gen_server:start_link({local, Name}, ?MODULE, 0, []),
    P.
init(N) -> {ok, N}.
handle_cast({order, O}, N) -> burn(50000, O), {noreply, N + 1}.
handle_call(done, _, N) -> {reply, N, N}.
burn(0, A) -> A;
burn(N, A) -> burn(N - 1, (A * 1103515245 + 12345) band 16#7fffffff).
