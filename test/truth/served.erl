%% A gen_server that measures itself as a queue: served:main() prints a line of JSON for each way of asking, with what
%% clients and server read from the VM's clock: of each time what is about its median and its 99th percentile.
-module(served).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

-define(US, 1000).

main() ->
    [run(Way) || Way <- [calls, casts, crowd, waits]],
    halt().

run(Way) ->
    {ok, Server} = gen_server:start({local, Way}, ?MODULE, Way, []),
    From = now_ns(),
    Trips = lists:append([result(C) || C <- clients(Way, Server)]),
    To = now_ns(),
    {Served, Busy} = gen_server:call(Server, told),
    gen_server:stop(Server),
    {Waits, Services} = lists:unzip(Served),
    Asked = lists:sum([Times || {Times, _, _} <- clients(Way)]),
    io:format("{\"name\":\"~s\",\"from\":~b,\"to\":~b,\"clients\":~b,\"requests\":~b,\"busy\":~b,"
              "\"held\":~b,\"service\":~w,\"mailbox\":~w,\"round_trip\":~w}~n",
              [Way, From, To, length(clients(Way)), Asked, Busy, lists:sum(Services),
               percentiles(Services), percentiles(Waits), percentiles(Trips)]).

%% For each client how often it asks, what it does between two requests, and how every eighth request differs. A server
%% that waits in each request is occupied, and not busy.
clients(calls) -> [{300, 400, 1200}, {300, 700, 1200}];
clients(casts) -> [{200, 300, cast}, {200, 500, 1500}];
clients(waits) -> [{100, 500, 1000}];
clients(crowd) -> [{60, 0, 900} || _ <- lists:seq(1, 6)].

clients(Way, Server) -> [client(Server, Of) || Of <- clients(Way)].

client(Server, {Times, Between, Eighth}) ->
    Self = self(),
    spawn(fun() -> Self ! {self(), [T || N <- lists:seq(1, Times), T <- ask(Server, N, Between, Eighth)]} end).

result(Client) -> receive {Client, Trips} -> Trips end.

ask(Server, N, Between, Eighth) ->
    spin(Between),
    ask(Server, case N rem 8 of 0 -> Eighth; _ -> 150 end).

%% A cast is a request that nobody waits for.
ask(Server, cast) ->
    gen_server:cast(Server, {ask, 100}),
    [];
ask(Server, Us) ->
    Sent = now_ns(),
    ok = gen_server:call(Server, {ask, Us, Sent}),
    [now_ns() - Sent].

init(Way) -> {ok, {Way, [], 0}}.

handle_call(told, _, {_, Served, Busy} = State) -> {reply, {Served, Busy}, State};
handle_call({ask, _, Sent}, _, {waits, Served, Busy}) ->
    Begin = now_ns(),
    timer:sleep(1),
    {reply, ok, {waits, [{Begin - Sent, now_ns() - Begin} | Served], Busy}};
handle_call({ask, Us, Sent}, _, {Way, Served, Busy}) ->
    Begin = now_ns(),
    spin(Us),
    Service = now_ns() - Begin,
    {reply, ok, {Way, [{Begin - Sent, Service} | Served], Busy + Service}}.

handle_cast({ask, Us}, {Way, Served, Busy}) ->
    Begin = now_ns(),
    spin(Us),
    {noreply, {Way, Served, Busy + now_ns() - Begin}}.

spin(Us) -> spin_to(now_ns() + Us * ?US).

spin_to(Until) ->
    case now_ns() < Until of
        true -> spin_to(Until);
        false -> ok
    end.

%% At least and at most: the first process asks twice more, which moves a percentile by a place or two.
percentiles(Times) ->
    Sorted = lists:sort(Times),
    N = length(Sorted),
    [[lists:nth(max(1, min(N, N * Permille div 1000)), Sorted) || Permille <- Range]
     || Range <- [[490, 510], [980, 1000], [880, 900]]].

now_ns() -> erlang:monotonic_time(nanosecond).
