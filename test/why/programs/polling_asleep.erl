%% A worker sleeps whenever its mailbox is empty, so each job of its client waits there until the sleep is over.
%% fixed: it waits for the job.
-module(polling_asleep).
-export([main/1]).

main(Args) ->
    How = case Args of ["fixed"] -> wait; _ -> sleep end,
    Worker = spawn_link(fun() -> work(How) end),
    [begin Worker ! {job, self(), N}, receive {done, N} -> ok end end || N <- lists:seq(1, 200)].

work(wait) -> receive {job, From, N} -> From ! {done, N}, work(wait) end;
work(sleep) ->
    receive {job, From, N} -> From ! {done, N}, work(sleep)
    after 0 -> timer:sleep(5), work(sleep)
    end.
