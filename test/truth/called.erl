%% What a profile of calls should say, told by the program itself: how often each function is called, how long its work
%% takes at least
%% and how long those who call it wait for it at most. called:main() prints a line of JSON a function.
-module(called).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2, work/1, even/1, odd/1, deep/1, loop/1, fails/1,
         mapped/1]).

-define(WORK, 200000). % ns

main() ->
    {ok, Server} = gen_server:start_link(?MODULE, [], []),
    Ask = fun() -> gen_server:call(Server, ask) end,
    Cast = fun() -> gen_server:cast(Server, told), sys:get_state(Server) end,
    Send = fun() -> Server ! told, sys:get_state(Server) end,
    told([{work, 20, 20}], outer(20, fun() -> work(1) end)),
    told([{even, 21, 1}, {odd, 20, 1}], outer(1, fun() -> even(40) end)),
    told([{deep, 31, 1}], outer(1, fun() -> deep(30) end)),
    told([{loop, 1001, 1}], outer(1, fun() -> loop(1000) end)),
    told([{fails, 10, 10}], outer(10, fun() -> catch fails(1) end)),
    %% by a function that is not traced
    told([{mapped, 10, 10}], outer(1, fun() -> lists:map(fun ?MODULE:mapped/1, lists:seq(1, 10)) end)),
    Called = outer(20, Ask),
    told([{handle_call, 20, 20}, {answer, 20, 20}], Called),
    Casted = outer(20, Cast),
    told([{handle_cast, 20, 20}], Casted),
    Sent = outer(20, Send),
    told([{handle_info, 20, 20}], Sent),
    told([{noreply, 40, 40}], Casted + Sent),
    halt().

%% So often, with a rest before each; how long it took without the rests.
outer(Times, F) ->
    lists:sum([begin timer:sleep(2), From = now_ns(), F(), now_ns() - From end || _ <- lists:seq(1, Times)]).

told(Functions, Outer) ->
    [io:format("{\"function\":\"called:~s/~b\",\"calls\":~b,\"least\":~b,\"most\":~b}~n",
               [F, arity(F), Calls, Works * ?WORK, Outer]) || {F, Calls, Works} <- Functions].

arity(handle_call) -> 3;
arity(F) when F =:= handle_cast; F =:= handle_info -> 2;
arity(_) -> 1.

now_ns() -> erlang:monotonic_time(nanosecond).
spin() -> known:spinner(now_ns() + ?WORK).

work(X) -> spin(), X.

even(0) -> spin(), true; % even and odd call each other
even(N) -> not odd(N - 1).
odd(N) -> not even(N - 1).

deep(0) -> spin(), 0;
deep(N) -> 1 + deep(N - 1).

loop(0) -> spin(), ok;
loop(N) -> loop(N - 1).

fails(X) -> spin(), error({on_purpose, X}).

mapped(X) -> spin(), X.

%% Callbacks that end in a call.
init([]) -> {ok, none}.
handle_call(ask, _, S) -> answer(S).
handle_cast(told, S) -> noreply(S).
handle_info(told, S) -> noreply(S).
answer(S) -> spin(), {reply, ok, S}.
noreply(S) -> spin(), {noreply, S}.
