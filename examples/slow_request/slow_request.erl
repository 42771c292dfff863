%% A web shop whose requests are slow now and then, although none of them works much.
%%
%%     browser ──▶ request ──▶ session     quick
%%                         ──▶ catalogue   quick, but it writes its statistics every 50 lookups
%%
%% Run with `fixed`, the catalogue has somebody else write them.
-module(slow_request).
-export([main/0, main/1]).

-define(REQUESTS, 400).

main() -> main([]).

main(Args) ->
    Write = case Args of ["fixed"] -> fun() -> spawn(fun write_statistics/0) end; [] -> fun write_statistics/0 end,
    register(session, spawn_link(fun() -> session() end)),
    register(catalogue, spawn_link(fun() -> catalogue(0, Write) end)),
    Took = [request(N) || N <- lists:seq(1, ?REQUESTS)],
    io:format("~b requests: median ~b us, worst ~b us~n",
              [?REQUESTS, lists:nth(?REQUESTS div 2, lists:sort(Took)), lists:max(Took)]).

request(Number) ->
    Self = self(),
    Start = erlang:monotonic_time(microsecond),
    spawn_link(fun() -> Self ! {page, handle(Number)} end),
    receive {page, _} -> erlang:monotonic_time(microsecond) - Start end.

handle(Number) ->
    User = ask(session, Number),
    Article = ask(catalogue, Number),
    lists:flatten(io_lib:format("~p ~p", [User, Article])).

ask(Server, Question) ->
    Server ! {self(), Question},
    receive {Server, Answer} -> Answer end.

session() ->
    receive {From, Number} -> From ! {session, {user, Number rem 7}}, session() end.

catalogue(Count, Write) ->
    receive {From, Number} ->
        _ = Count rem 50 =:= 49 andalso Write(),
        From ! {catalogue, {article, Number, lists:seq(1, 20)}},
        catalogue(Count + 1, Write)
    end.

%% A slow disk.
write_statistics() -> timer:sleep(40).
