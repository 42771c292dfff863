%% A pipeline moves on with a tick of 60 ms although each step is ready after 2 ms. fixed: a step starts the next one.
-module(timers).
-behaviour(gen_server).
-export([main/1, init/1, handle_call/3, handle_cast/2, handle_info/2]).

main(Args) ->
    {ok, _} = gen_server:start_link(?MODULE, {self(), 20, case Args of ["fixed"] -> 0; _ -> 60 end}, []),
    receive done -> ok end.

init({_, _, Ms} = State) -> next(Ms), {ok, State}.
handle_call(_, _, State) -> {reply, ok, State}.
handle_cast(_, State) -> {noreply, State}.
handle_info(step, {Main, 0, Ms}) -> Main ! done, {noreply, {Main, 0, Ms}};
handle_info(step, {Main, N, Ms}) ->
    _ = lists:foldl(fun(X, A) -> (A * 31 + X) rem 1000003 end, N, lists:seq(1, 20000)),
    next(Ms),
    {noreply, {Main, N - 1, Ms}}.

next(0) -> self() ! step;
next(Ms) -> erlang:send_after(Ms, self(), step).
