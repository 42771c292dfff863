%% All to all.
-module(program_big).
-export([run/0]).

run() ->
    Parent = self(),
    N = 12,
    Ps = [spawn_link(fun() ->
                         receive All -> [P ! {ping, self()} || P <- All], pings(N, N), Parent ! {done, self()} end end)
          || _ <- lists:seq(1, N)],
    [P ! Ps || P <- Ps],
    [receive {done, P} -> ok end || P <- Ps].

pings(0, 0) -> ok;
pings(N, M) -> receive {ping, P} -> P ! pong, pings(N - 1, M); pong -> pings(N, M - 1) end.
