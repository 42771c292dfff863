%% A file is written in many small pieces, each by a dirty scheduler. fixed: the same pieces, some thousand at a time.
-module(short_dirty_jobs).
-export([main/1]).

main(Args) ->
    Name = filename:join("/tmp", "short_dirty_jobs." ++ os:getpid()),
    {ok, F} = file:open(Name, [raw, write, binary]),
    Pieces = lists:duplicate(30000, <<"a line of text\n">>),
    write(F, Pieces, Args),
    ok = file:close(F),
    ok = file:delete(Name).

write(F, Pieces, ["fixed"]) -> ok = file:write(F, Pieces);
write(F, Pieces, _) -> [ok = file:write(F, P) || P <- Pieces].
