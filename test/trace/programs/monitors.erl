%% Everybody watches everybody, and all die; by pid, by name, the dead, the never born.
-module(program_monitors).
-export([run/0]).

run() ->
    Ps = [spawn(fun watch/0) || _ <- lists:seq(1, 20)],
    [P ! {watch, Ps -- [P]} || P <- Ps],
    register(watched, hd(Ps)),
    ByName = monitor(process, watched),
    Refs = [monitor(process, P) || P <- Ps],
    [exit(P, {because, I}) || {P, I} <- lists:zip(Ps, lists:seq(1, 20)), I rem 2 =:= 0],
    [P ! stop || {P, I} <- lists:zip(Ps, lists:seq(1, 20)), I rem 2 =:= 1],
    [receive {'DOWN', Ref, process, _, _} -> ok end || Ref <- [ByName | Refs]],
    Dead = monitor(process, hd(Ps)),
    receive {'DOWN', Dead, process, _, noproc} -> ok end,
    Nobody = monitor(process, nobody_here),
    receive {'DOWN', Nobody, process, {nobody_here, _}, noproc} -> ok end,
    [demonitor(monitor(process, self()), [flush]) || _ <- lists:seq(1, 200)].

watch() ->
    receive {watch, Ps} -> watch([monitor(process, P) || P <- Ps]) end.

watch([]) -> ok;
watch(Refs) ->
    receive
        {'DOWN', Ref, _, _, _} -> watch(lists:delete(Ref, Refs));
        stop -> ok
    end.
