%% 4 exporters write a line at a time through the process of the file. fixed: an iolist each.
-module(file_bound).
-export([main/1]).

main(Args) ->
    Name = filename:join(os:getenv("TMPDIR", "/tmp"), "file_bound." ++ os:getpid()),
    {ok, F} = file:open(Name, [write]),
    Refs = [element(2, spawn_monitor(fun() -> export(Args, F, W) end)) || W <- lists:seq(1, 4)],
    [receive {'DOWN', R, _, _, _} -> ok end || R <- Refs],
    ok = file:close(F),
    ok = file:delete(Name).

export(["fixed"], F, W) -> ok = file:write(F, [row(W, N) || N <- lists:seq(1, 6000)]);
export(_, F, W) -> [ok = file:write(F, row(W, N)) || N <- lists:seq(1, 6000)].
row(W, N) -> [integer_to_list(W), $;, integer_to_list(N), ";some text\n"].
