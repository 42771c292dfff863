%% Many sleep with no heap and are woken, some with mail that they do not want.
-module(program_hibernate).
-export([run/0, wake/2, init/1, handle_call/3, handle_cast/2]).

run() ->
    Parent = self(),
    Ps = [spawn_link(fun() -> wake(Parent, I) end) || I <- lists:seq(1, 40)],
    [begin
         [begin P ! noise, P ! {ask, Round} end || P <- Ps],
         [receive {P, Round} -> ok end || P <- Ps],
         timer:sleep(1)
     end || Round <- lists:seq(1, 4)],
    [P ! stop || P <- Ps],
    {ok, S} = gen_server:start_link(?MODULE, [], [{hibernate_after, 1}]),
    [begin S = gen_server:call(S, I rem 3), timer:sleep(I rem 3) end || I <- lists:seq(1, 10)],
    gen_server:stop(S).

wake(Parent, I) ->
    receive
        {ask, Round} ->
            Parent ! {self(), Round},
            lists:seq(1, I * 10),
            erlang:hibernate(?MODULE, wake, [Parent, I]);
        stop -> ok
    end.

init([]) -> {ok, none, hibernate}.

handle_call(0, _, State) -> {reply, self(), State, hibernate};
handle_call(_, _, State) -> {reply, self(), State}.

handle_cast(_, State) -> {noreply, State}.
