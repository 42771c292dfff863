%% Phases of one kind of work each, and the VM's own account of what its threads did meanwhile (microstate accounting):
%% accounted:main() prints a line of JSON for each phase and ends.
-module(accounted).
-export([main/0]).

-define(PHASES, [compute, collect, dirty_collect, ports, both]).
-define(MS, 1000000).

main() ->
    erlang:system_flag(microstate_accounting, true),
    [run(Phase) || Phase <- ?PHASES],
    halt().

%% The account is read outside of the range of time, so it includes all that happened in the range.
run(Phase) ->
    Work = ready(Phase),
    Before = accounts(),
    From = now_ns(),
    Work(),
    To = now_ns(),
    After = accounts(),
    io:put_chars([json(Phase, From, To, difference(Before, After)), "\n"]).

%% What has to be there before the range begins; the fun is the phase.
ready(compute) -> fun() -> in_process(fun() -> spin_to(now_ns() + 200 * ?MS) end) end;
ready(collect) -> fun() -> in_process(fun() -> collect_to(now_ns() + 200 * ?MS, terms(20000)) end) end;
ready(dirty_collect) -> fun() -> in_process(fun() -> collect_to(now_ns() + 200 * ?MS, terms(400000)) end) end;
ready(ports) -> 
    {ok, Listening} = gen_tcp:listen(0, [binary, {active, false}, {packet, 4}, {ip, {127, 0, 0, 1}}]),
    {ok, Number} = inet:port(Listening),
    fun() -> in_process(fun() -> talk_to(now_ns() + 200 * ?MS, Listening, Number) end) end;
ready(both) -> fun() -> [receive {'DOWN', Ref, _, _, normal} -> ok end ||
    {_, Ref} <- [spawn_monitor(fun() -> spin_to(now_ns() + 150 * ?MS) end),
                 spawn_monitor(fun() -> collect_to(now_ns() + 150 * ?MS, terms(20000)) end)]]
 end.

in_process(F) ->
    {_, Ref} = spawn_monitor(F),
    receive {'DOWN', Ref, _, _, normal} -> ok end.

spin_to(Until) ->
    case now_ns() < Until of
        true -> spin_to(Until);
        false -> ok
    end.

collect_to(Until, Live) ->
    erlang:garbage_collect(),
    case now_ns() < Until of
        true -> collect_to(Until, Live);
        false -> {ok, length(Live)}
    end.

terms(N) -> [{I, I} || I <- lists:seq(1, N)].

%% Large packets, so that most of the work is the driver's.
talk_to(Until, Listening, Number) ->
    spawn_link(fun() -> {ok, S} = gen_tcp:accept(Listening), echo(S) end),
    {ok, S} = gen_tcp:connect({127, 0, 0, 1}, Number, [binary, {active, true}, {packet, 4}]),
    ask(Until, S, binary:copy(<<"0123456789abcdef">>, 16384)),
    gen_tcp:close(S).

ask(Until, S, Packet) ->
    ok = gen_tcp:send(S, Packet),
    receive {tcp, S, Packet} -> ok end,
    case now_ns() < Until of
        true -> ask(Until, S, Packet);
        false -> ok
    end.

echo(S) ->
    case gen_tcp:recv(S, 0) of
        {ok, Packet} -> ok = gen_tcp:send(S, Packet), echo(S);
        {error, closed} -> gen_tcp:close(S)
    end.

now_ns() -> erlang:monotonic_time(nanosecond).

%% By kind of thread and kind of work, in nanoseconds.
accounts() ->
    lists:foldl(fun add/2, #{}, erlang:statistics(microstate_accounting)).

add(#{type := Thread, counters := Counters}, Sums) ->
    maps:fold(fun(Work, N, S) -> maps:update_with({Thread, Work}, fun(Had) -> Had + ns(N) end, ns(N), S) end, Sums,
              Counters).

ns(N) -> erlang:convert_time_unit(N, perf_counter, nanosecond).

difference(Before, After) -> maps:map(fun(K, N) -> N - maps:get(K, Before) end, After).

json(Phase, From, To, Account) ->
    Pairs = [io_lib:format("\"~s ~s\":~b", [Thread, Work, N])
             || {{Thread, Work}, N} <- lists:sort(maps:to_list(Account))],
    io_lib:format("{\"phase\":\"~s\",\"from\":~b,\"to\":~b,\"account\":{~s}}",
                  [Phase, From, To, lists:join($,, Pairs)]).
