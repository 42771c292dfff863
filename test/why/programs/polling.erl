%% main looks every 10 ms whether one of 12 jobs is done, each of which waits 60 ms for a disk elsewhere. fixed: the
%% worker says so.
-module(polling).
-export([main/1]).

main(Args) ->
    ets:new(done, [named_table, public]),
    Fixed = Args =:= ["fixed"],
    Worker = spawn_link(fun worker/0),
    [begin Worker ! {job, N, self(), Fixed}, wait(N, Fixed) end || N <- lists:seq(1, 12)].

wait(N, true) -> receive {done, N} -> ok end;
wait(N, false) -> case ets:member(done, N) of true -> ok; false -> timer:sleep(10), wait(N, false) end.
worker() ->
    receive {job, N, P, Fixed} ->
        receive after 60 -> ets:insert(done, {N, erlang:phash2(N)}) end,
        Fixed andalso (P ! {done, N}),
        worker()
    end.
