%% Four processes write a CSV each, a line at a time, through file processes. Cured: raw with delayed_write.
-module(csv_out).
-export([main/1]).
main(A) ->
    Me = self(),
    Ps = [spawn_link(fun() -> Me ! {self(), csv(A, I)} end) || I <- lists:seq(1, 4)],
    N = lists:sum([receive {P, K} -> K end || P <- Ps]),
    io:format("writes=~p~n", [N]).
csv(A, I) ->
    F = filename:join(os:getenv("TMPDIR", "/tmp"), "csv" ++ integer_to_list(I) ++ "." ++ os:getpid()),
    {ok, H} = file:open(F, case A of [] -> [write]; _ -> [write, raw, {delayed_write, 65536, 1000}] end),
    [ok = file:write(H, [integer_to_list(N), $,, integer_to_list(N * I), $\n]) || N <- lists:seq(1, 6000)],
    ok = file:close(H), ok = file:delete(F), 6000.
