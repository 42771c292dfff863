%% 4 processes print 5,000 lines each. fixed: each prints them at once.
-module(output_bound).
-export([main/1]).

main(Args) ->
    Refs = [element(2, spawn_monitor(fun() -> print(Args, W) end)) || W <- lists:seq(1, 4)],
    [receive {'DOWN', R, _, _, _} -> ok end || R <- Refs].

print(["fixed"], W) -> io:put_chars([line(W, N) || N <- lists:seq(1, 5000)]);
print(_, W) -> [io:put_chars(line(W, N)) || N <- lists:seq(1, 5000)].
line(W, N) -> [integer_to_list(W), " ", integer_to_list(N), "\n"].
