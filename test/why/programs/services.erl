%% Services under load: services:main([Name]) writes what the callers of its server saw: how many requests were
%% answered, the median and the longest time in us until the server had the answer, and the length of the load in ms.
-module(services).
-behaviour(gen_server).
-export([main/1, init/1, handle_call/3, handle_cast/2, handle_info/2]).

main(["deferred"]) -> load(fun() -> timed(fun() -> gen_server:call(shop, later, infinity) end) end);
main(["parked"]) -> load(fun() -> timed(fun() -> gen_server:call(shop, soon, infinity) end) end);
main(["at_once"]) -> load(fun() -> many(8) end);
main(["given_up"]) -> load(fun() -> timed(fun() -> try gen_server:call(shop, nap, 60) catch exit:_ -> late end end),
                                    timer:sleep(20) end);
main(["hibernates"]) -> load(fun() -> timed(fun() -> gen_server:call(shop, keep, infinity) end), timer:sleep(1) end);
main(["logs"]) -> load(fun() -> timed(fun() -> gen_server:call(shop, log, infinity) end) end).

%% 4 clients for 600 ms, and beside other programs until each has had 12 turns
load(F) ->
    {ok, _} = gen_server:start_link({local, shop}, ?MODULE, [], []),
    ets:new(asked, [named_table, public, duplicate_bag]),
    ets:new(served, [named_table, public, ordered_set]),
    From = now_us(),
    clients(4, fun() -> until(From + 600000, 12, F) end),
    To = now_us(),
    gen_server:call(shop, get, infinity), % all requests before have their answers
    Asked = lists:sort([A || {A} <- ets:tab2list(asked)]),
    Served = ets:tab2list(served),
    %% a server takes requests in their order; what it leaves to others, or serves when nobody waits any more, is
    %% stamped by the callers
    Us = lists:sort(case Served of [] -> [B - A || {A, B} <- Asked];
                                   _ -> [min(B, Until) - A || {{A, Until}, {B}} <- lists:zip(Asked, Served)] end),
    N = length(Us),
    io:format(standard_error, "truth ~b ~b ~b ~b~n", [N, lists:nth((N + 1) div 2, Us), lists:last(Us),
                                                      (To - From) div 1000]).

clients(N, F) ->
    Refs = [element(2, spawn_monitor(F)) || _ <- lists:seq(1, N)],
    [receive {'DOWN', R, _, _, _} -> ok end || R <- Refs].
until(End, Turns, F) -> F(), (Turns > 1 orelse now_us() < End) andalso until(End, Turns - 1, F).
timed(F) -> From = now_us(), F(), ets:insert(asked, {{From, now_us()}}).
many(N) ->
    From = now_us(),
    [begin {reply, ok} = gen_server:wait_response(R, infinity), ets:insert(asked, {{From, now_us()}}) end
     || R <- [gen_server:send_request(shop, brief) || _ <- lists:seq(1, N)]],
    timer:sleep(20).
now_us() -> erlang:monotonic_time(microsecond).
work(N) -> [lists:foldl(fun(I, A) -> erlang:phash2({I, A}) end, 0, lists:seq(1, 1000)) || _ <- lists:seq(1, N)].

init(_) -> {ok, []}.
handle_cast(_, S) -> {noreply, S}.
handle_call(later, From, S) ->
    spawn(fun() -> timer:sleep(5), gen_server:reply(From, ok) end),
    {noreply, S};
handle_call(soon, From, S) -> erlang:send_after(5, self(), {answer, From}), {noreply, S};
handle_call(nap, From, S) ->
    timer:sleep(40),
    gen_server:reply(From, ok),
    ets:insert(served, {now_us()}),
    {noreply, S};
handle_call(keep, _, []) -> {reply, ok, lists:seq(1, 200000), hibernate};
handle_call(keep, _, S) -> {reply, ok, S, hibernate};
handle_call(log, _, S) -> logger:notice("sold ~p for ~s", [lists:seq(1, 10), "a price"]), {reply, ok, S};
handle_call(brief, _, S) -> work(2), {reply, ok, S};
handle_call(get, _, S) -> {reply, ok, S}.
handle_info({answer, To}, S) -> gen_server:reply(To, ok), {noreply, S}.
