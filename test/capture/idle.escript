#!/usr/bin/env escript
%%! +S 2 -kernel logger_level error
%% The samples of a node that sleeps, works and sleeps again: the sampler rests while nothing happens, is there from the
%% first event, and its figures for the schedulers are those of the VM.
-mode(compile).
-define(SLEEP_MS, 3000).
-define(WORK_MS, 1000).

main(_) ->
    Root = filename:dirname(filename:dirname(filename:dirname(filename:absname(escript:script_name())))),
    put(strobe, os:getenv("STROBE", filename:join(Root, "build/strobe"))),
    code:add_patha(filename:join(filename:dirname(get(strobe)), "erlang/strobe/ebin")),
    Dir = string:trim(os:cmd("mktemp -d")),
    ok = file:set_cwd(Dir),
    put(truth, record(?SLEEP_MS, [])),
    [run(Name, Test) || {Name, Test} <- tests()],
    file:set_cwd("/"),
    os:cmd("rm -rf " ++ Dir),
    halt().

run(Name, Test) ->
    try Test() of
        ok -> io:format("ok idle: ~s~n", [Name])
    catch _:Reason:Stack -> io:format("not ok idle: ~s: ~0P ~0P~n", [Name, Reason, 30, hd(Stack), 12])
    end.

tests() ->
    [{"a node that sleeps is sampled seldom, one that works at each tick", fun rests/0},
     {"no process ran in the time that samples call idle", fun nothing_ran/0},
     {"the utilisation of the schedulers is that of the VM", fun utilisation/0},
     {"where a class or a process is left out the sampler does not rest", fun partly/0},
     {"a request ends the rest", fun stopped/0},
     {"the end of the recording's time ends the rest", fun timed_out/0}].

%% The wide limits are for machines on which the VM waits for a core: ticks that did not come are counted.
rests() ->
    [Asleep, Awake, Missed] = numbers(
        "SELECT sum(item = 'run_queue' AND key = '1' AND NOT work), sum(item = 'run_queue' AND key = '1' AND work), "
        "coalesce(sum(CASE WHEN item = 'ticks_missed' AND work THEN value END), 0) FROM "
        "(SELECT s.*, at BETWEEN a.t AND b.t AS work FROM sample s, "
        "(SELECT at AS t FROM mark WHERE text = 'work') a, (SELECT at AS t FROM mark WHERE text = 'rest') b)"),
    {Asleep, true} = {Asleep, Asleep =< 4 * ?SLEEP_MS / 10 / 4},
    {Awake, Missed, true} = {Awake, Missed, Awake + Missed >= ?WORK_MS / 10 * 0.8},
    ok.

nothing_ran() ->
    [Rests, Ran] = numbers(
        "WITH rest AS (SELECT i.at - i.value AS ended, (SELECT max(at) FROM sample q WHERE q.item = 'run_queue' AND "
        "q.at < i.at) AS began "
        "FROM sample i WHERE i.item = 'idle_ended_ago_ns') "
        "SELECT count(*), (SELECT count(*) FROM rest r JOIN slice s ON s.start > r.began AND s.start < r.ended - "
        "1000000) FROM rest"),
    {Rests, true, 0} = {Rests, Rests > 0, Ran},
    ok.

%% Time at work of the normal schedulers, by the samples and by the VM. A sample holds for the time since the one
%% before.
utilisation() ->
    [Sampled] = numbers(
        "SELECT sum(value * held) / 1000000 FROM (SELECT value, CAST(key AS INTEGER) AS k, at - lag(at) OVER "
        "(PARTITION BY key ORDER BY at) AS held "
        "FROM sample WHERE item = 'utilisation') WHERE k <= 2"),
    {Ms, Truth} = {Sampled / 1000000, get(truth)},
    {Ms, Truth, true} = {Ms, Truth, abs(Ms - Truth) < 0.15 * Truth + 50},
    ok.

partly() ->
    [begin
         record(500, [Option]),
         [Ticks, Missed] = numbers(
             "SELECT sum(item = 'run_queue' AND key = '1'), coalesce(sum(CASE WHEN item = 'ticks_missed' THEN value "
             "END), 0) FROM sample"),
         {Option, Ticks, Missed, true} = {Option, Ticks, Missed, Ticks + Missed >= (2 * 500 + ?WORK_MS) / 10 * 0.8},
         [0] = numbers("SELECT count(*) FROM sample WHERE item = 'idle_ended_ago_ns'")
     end || Option <- [{trace, [messages, vm]}, {processes, new}]],
    ok.

%% Nobody else has an event while the caller waits for the answer.
stopped() ->
    {ok, _} = strobe:profile("t.sbt", [{quiet, true}]),
    timer:sleep(500),
    {ok, #{lost := 0}} = strobe:stop_profile(),
    ok.

%% The rest would last 900 ms. A busy machine may delay one recording by so much, but not each of several.
timed_out() ->
    {_, true} = spans(5, []),
    ok.

spans(0, Spans) -> {Spans, false};
spans(N, Spans) ->
    {ok, Owner} = strobe:profile("t.sbt", [{quiet, true}, {duration, 100}]),
    timer:sleep(1500),
    {ok, #{ended_by := duration}} = strobe_session:stop(Owner),
    {match, [Span]} = re:run(os:cmd(get(strobe) ++ " info t.sbt --format json"), "span_ns\": ([0-9]+)",
                             [{capture, all_but_first, list}]),
    case list_to_integer(Span) < 800 * 1000000 of
        true  -> {[Span | Spans], true};
        false -> spans(N - 1, [Span | Spans])
    end.

%% Returns for how many milliseconds the two schedulers were at work, by the VM's account.
record(SleepMs, Options) ->
    erlang:system_flag(scheduler_wall_time, true),
    {ok, Busy, #{lost := 0}} = strobe:profile("t.sbt", fun() ->
        Before = erlang:statistics(scheduler_wall_time),
        timer:sleep(SleepMs),
        strobe:mark("work"),
        work(erlang:monotonic_time(millisecond) + ?WORK_MS),
        strobe:mark("rest"),
        timer:sleep(SleepMs),
        Spent = lists:zip(lists:sort(Before), lists:sort(erlang:statistics(scheduler_wall_time))),
        lists:sum([share(A1 - A0, T1 - T0) || {{N, A0, T0}, {N, A1, T1}} <- Spent, N =< 2])
    end, Options),
    file:delete("t.sbp"),
    Busy * (2 * SleepMs + ?WORK_MS).

share(_, 0) -> 0;
share(Active, Total) -> Active / Total.

work(Until) ->
    Pid = spawn_link(fun() -> receive {From, L} -> From ! lists:sum(L) end end),
    Pid ! {self(), lists:seq(1, 10000)},
    receive _ -> ok end,
    erlang:monotonic_time(millisecond) > Until orelse work(Until).

numbers(Sql) ->
    Text = os:cmd(get(strobe) ++ " query t.sbt \"" ++ Sql ++ "\" --format tsv"),
    [number(V) || V <- string:lexemes(lists:last(string:lexemes(Text, "\n")), "\t")].

number(Text) -> case string:to_float(Text) of {F, _} when is_float(F) -> F; _ -> list_to_integer(Text) end.
