%% A process with 40,000 jobs in its mailbox asks a price for each job and waits for {price, _} behind the backlog.
%% Cured: it drains the jobs into a queue first.
-module(backlog_ask).
-export([main/1]).
main(A) ->
    Pricer = spawn_link(fun pricer/0),
    Me = self(),
    B = spawn_link(fun() -> receive go -> ok end, buyer(A, Pricer, Me) end),
    [B ! {job, N} || N <- lists:seq(1, 40000)],
    {message_queue_len, Q} = process_info(B, message_queue_len),
    B ! go,
    receive {bought, N} -> io:format("bought=~p queue_before=~p~n", [N, Q]) end.
pricer() -> receive {ask, P, N} -> P ! {price, N * 3}, pricer() end.
buyer([], Pr, Me) -> buy(Pr, 0, 3000), Me ! {bought, 3000};
buyer(_, Pr, Me) -> Jobs = drain([]), [ask(Pr, J) || J <- lists:sublist(Jobs, 3000)], Me ! {bought, 3000}.
drain(L) -> receive {job, N} -> drain([N | L]) after 0 -> lists:reverse(L) end.
buy(_, S, 0) -> S;
buy(Pr, S, K) -> receive {job, N} -> ok end, P = ask(Pr, N), buy(Pr, S + P, K - 1).
ask(Pr, N) -> Pr ! {ask, self(), N}, receive {price, P} -> P end.
