%% Sensors cast faster than the recorder can take. Cured: sensors call, so the mailbox stays short.
-module(inbox).
-behaviour(gen_server).
-export([main/1, init/1, handle_call/3, handle_cast/2]).
init(_) -> {ok, 0}.
handle_cast({reading, R}, N) -> _ = work(R), {noreply, N + 1}.
handle_call({reading, R}, _, N) -> _ = work(R), {reply, ok, N + 1};
handle_call(count, _, N) -> {reply, N, N}.
work(R) -> lists:foldl(fun(X, A) -> (A * 17 + X) rem 99991 end, R, lists:seq(1, 400)).
main(A) ->
    {ok, S} = gen_server:start_link({local, recorder}, ?MODULE, [], []),
    Me = self(),
    Ps = [spawn_link(fun() -> sensor(A, S, 12000), Me ! {done, self()} end) || _ <- lists:seq(1, 5)],
    [receive {done, P} -> ok end || P <- Ps],
    {message_queue_len, Q} = process_info(S, message_queue_len),
    C = gen_server:call(S, count, infinity),
    io:format("readings=~p queue_at_end_of_sending=~p~n", [C, Q]).
sensor(_, _, 0) -> ok;
sensor([], S, K) -> gen_server:cast(S, {reading, K}), sensor([], S, K - 1);
sensor(A, S, K) -> gen_server:call(S, {reading, K}, infinity), sensor(A, S, K - 1).
