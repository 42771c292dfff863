%% A server over TCP and its clients, which measure themselves: connected:main() prints a line of JSON with how long the
%% server took between its calls of recv and send, and its clients between theirs of send and recv.
-module(connected).
-export([main/0]).

main() ->
    {ok, L} = gen_tcp:listen(0, [binary, {packet, 4}, {active, false}, {nodelay, true}]),
    {ok, Port} = inet:port(L),
    Self = self(),
    spawn_link(fun() -> accept(L, Self) end),
    [spawn_link(fun() -> client(Port, N, Self) end) || N <- lists:seq(1, 4)],
    Own = lists:append([receive {served, Ns} -> Ns end || _ <- lists:seq(1, 4)]),
    Theirs = lists:append([receive {asked, Ns} -> Ns end || _ <- lists:seq(1, 4)]),
    io:format("{\"requests\":~b,\"own\":~w,\"theirs\":~w}~n", [length(Own), lists:sort(Own), lists:sort(Theirs)]),
    halt().

accept(L, To) ->
    {ok, Socket} = gen_tcp:accept(L),
    Pid = spawn_link(fun() -> receive go -> serve(Socket, To, []) end end),
    ok = gen_tcp:controlling_process(Socket, Pid),
    Pid ! go,
    accept(L, To).

serve(Socket, To, Ns) ->
    case gen_tcp:recv(Socket, 0) of
        {ok, <<N:32, _/binary>>} ->
            From = erlang:monotonic_time(nanosecond),
            work(N rem 7, From),
            N rem 10 =:= 0 andalso receive after 5 -> ok end,
            Took = erlang:monotonic_time(nanosecond) - From,
            ok = gen_tcp:send(Socket, [<<N:32>>, binary:copy(<<"x">>, 100)]),
            serve(Socket, To, [Took | Ns]);
        {error, closed} -> To ! {served, Ns}
    end.

work(N, From) -> erlang:monotonic_time(nanosecond) < From + N * 50000 andalso work(N, From).

client(Port, Of, To) ->
    {ok, Socket} = gen_tcp:connect("localhost", Port, [binary, {packet, 4}, {active, false}, {nodelay, true}]),
    Ns = [ask(Socket, N * Of) || N <- lists:seq(1, 100)],
    gen_tcp:close(Socket),
    To ! {asked, Ns}.

ask(Socket, N) ->
    From = erlang:monotonic_time(nanosecond),
    ok = gen_tcp:send(Socket, <<N:32>>),
    {ok, <<N:32, _/binary>>} = gen_tcp:recv(Socket, 0),
    Took = erlang:monotonic_time(nanosecond) - From,
    receive after N rem 3 -> Took end.
