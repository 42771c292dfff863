%% Five kinds of work in turn, 150 ms each: phases:main([Name]) runs them and prints how long the longest took.
-module(phases).
-export([main/1, tell/1, large/1]).

main(["starts"]) -> run([fun chat/1, fun starts/1, fun closures/1, fun copies/1, fun compute/1]);
main(["waits"]) -> run([fun files/1, fun output/1, fun loads/1, fun batches/1, fun compute/1]).

run(Phases) ->
    Ms = [element(1, timer:tc(fun() -> F(now_ms() + 150) end)) div 1000 || F <- Phases],
    io:format(standard_error, "longest ~b~n", [lists:max(Ms)]).

chat(End) ->
    Echo = spawn_link(fun() -> tell(self()) end),
    until(End, fun() -> Echo ! {self(), x}, receive x -> ok end end).
starts(End) -> until(End, fun() -> done(spawn_monitor(fun() -> ok end)) end).
closures(End) ->
    List = lists:seq(1, 5000),
    until(End, fun() -> done(spawn_monitor(fun() -> length(List) end)) end).
copies(End) ->
    Sink = spawn_link(fun() -> large(self()) end),
    List = lists:seq(1, 3000),
    until(End, fun() -> Sink ! {self(), List}, receive taken -> ok end end).
compute(End) -> until(End, fun() -> lists:sum(lists:seq(1, 1000)) end).
files(End) -> until(End, fun() -> ok = file:write_file("phases.out", "a"), {ok, _} = file:read_file("phases.out") end).
output(End) -> until(End, fun() -> [io:format("~p~n", [N]) || N <- lists:seq(1, 20)] end).
loads(End) -> until(End, fun() -> code:purge(late), {module, _} = code:load_file(late) end).
batches(End) ->
    until(End, fun() ->
        All = [spawn_monitor(fun() -> receive go -> ok end end) || _ <- lists:seq(1, 100)],
        [P ! go || {P, _} <- All],
        [done(P) || P <- All]
    end).

tell(Self) -> receive {From, X} -> From ! X end, tell(Self).
large(Self) -> receive {From, _} -> From ! taken end, large(Self).
done({_, Ref}) -> receive {'DOWN', Ref, process, _, _} -> ok end.
now_ms() -> erlang:monotonic_time(millisecond).
until(End, F) ->
    F(),
    case now_ms() < End of
        true -> until(End, F);
        false -> ok
    end.
