%% A server of low priority is asked 60 times beside 8 processes that compute. fixed: it has normal priority.
-module(priority).
-behaviour(gen_server).
-export([main/1, init/1, handle_call/3, handle_cast/2]).

main(Args) ->
    {ok, Server} = gen_server:start_link(?MODULE, Args, []),
    Busy = [spawn(fun() -> compute(1) end) || _ <- lists:seq(1, 8)],
    [gen_server:call(Server, N, infinity) || N <- lists:seq(1, 60)],
    [exit(P, kill) || P <- Busy].

init(["fixed"]) -> {ok, 0};
init(_) -> process_flag(priority, low), {ok, 0}.
handle_call(N, _From, Sum) -> {reply, sum(3000, N), Sum + 1}.
handle_cast(_, Sum) -> {noreply, Sum}.

compute(X) -> compute(sum(5000, X)).
sum(0, S) -> S;
sum(N, S) -> sum(N - 1, (S * 5 + N) rem 7919).
