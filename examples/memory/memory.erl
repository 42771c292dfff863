%% A cache that never forgets: every answer stays on the heap of one process, and each collection copies them again.
%%
%% Run with `fixed`, it keeps the last hundred.
-module(memory).
-export([main/0, main/1]).

-define(QUESTIONS, 20000).

main() -> main([]).

main(Args) ->
    Most = case Args of ["fixed"] -> 100; [] -> infinity end,
    Cache = spawn_link(fun() -> cache(#{}, queue:new(), Most) end),
    register(cache, Cache),
    _ = [ask(N) || N <- lists:seq(1, ?QUESTIONS)],
    {_, Bytes} = process_info(Cache, memory),
    io:format("~b questions, the cache takes ~b kB~n", [?QUESTIONS, Bytes div 1024]).

ask(Question) ->
    cache ! {self(), Question},
    receive {cache, Answer} -> Answer end.

cache(Answers, Order, Most) ->
    receive {From, Question} ->
        Answer = maps:get(Question, Answers, lists:seq(Question, Question + 50)),
        From ! {cache, hd(Answer)},
        {Kept, Now} = forget(Answers#{Question => Answer}, queue:in(Question, Order), Most),
        cache(Kept, Now, Most)
    end.

forget(Answers, Order, Most) when map_size(Answers) > Most ->
    {{value, Oldest}, Rest} = queue:out(Order),
    {maps:remove(Oldest, Answers), Rest};
forget(Answers, Order, _) ->
    {Answers, Order}.
