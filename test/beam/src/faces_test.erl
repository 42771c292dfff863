%% The calls of the shell: Percept2's names, the web server, sampling, help.
-module(faces_test).
-compile([export_all, nowarn_export_all]).

program() -> os:putenv("STROBE", filename:join([os:getenv("STROBE_ROOT"), "build", "strobe"])).

percept2_options_test() ->
    check:same([], strobe_options:own([])),
    check:same([{trace, [messages, procs]}], strobe_options:own([procs_basic, message])),
    check:same([{trace, [procs, running]}], strobe_options:own([exclusive])),
    check:same([{trace, [all]}, {duration, 5}], strobe_options:own([all, {duration, 5}])),
    check:same([{trace, [procs]}, {modules, [lists]}, {functions, [{maps, get, 2}]}],
               strobe_options:own([{callgraph, [lists, {maps, get, 2}]}])),
    check:same({error, {unknown_option, frobnicate}}, strobe:profile("t.sbt", [procs, frobnicate])).

record_analyze_show_test() ->
    program(),
    {ok, [_ | _], #{events := Events}} = strobe:profile("a0.sbt", {workload, run, []},
                                                        [procs, running, {callgraph, [workload]}]),
    true = Events > 100,
    {error, nothing_analyzed} = strobe:start_webserver(),
    {error, [_ | _]} = strobe:analyze(["no.such.sbt"]),
    {ok, #{profile := Profile}} = strobe:analyze("a", ".sbt", 0, 0),
    true = filelib:is_regular(Profile),
    {{ok, #{url := Url, port := Port}}, Text} = check:output(fun() -> strobe:start_webserver() end),
    true = string:find(Text, Url) =/= nomatch,
    {error, {already_started, #{port := Port}}} = strobe:start_webserver(0),
    true = answers(Port),
    {error, not_started} = strobe:stop_webserver(Port + 1),
    ok = strobe:stop_webserver(Port),
    {error, not_started} = strobe:stop_webserver(),
    gone(Port, 600),
    {{ok, #{port := Again}}, _} = check:output(fun() -> strobe:start_webserver() end),
    [ok = strobe:stop_db() || _ <- [1, 2]],
    gone(Again, 600),
    {error, nothing_analyzed} = strobe:start_webserver(),
    true = filelib:is_regular(Profile).

parallel_test() ->
    Twice = fun(N) -> {self(), 2 * N} end,
    [begin
         {Pids, Values} = lists:unzip(strobe:pmap(Twice, lists:seq(1, 10), Size)),
         check:same(lists:seq(2, 20, 2), Values),
         check:same({Size, Processes, false},
                    {Size, length(lists:usort(Pids)), lists:member(self(), Pids)})
     end || {Size, Processes} <- [{1, 10}, {3, 4}, {10, 1}, {99, 1}]],
    check:same(10, length(lists:usort([Pid || {Pid, _} <- strobe:pmap(Twice, lists:seq(1, 10))]))),
    check:same([], strobe:pmap(Twice, [], 3)),
    Me = self(),
    ok = strobe:pforeach(fun(N) -> Me ! {seen, N} end, [1, 2, 3]),
    check:same([1, 2, 3], lists:sort([receive {seen, N} -> N after 0 -> none end || _ <- [1, 2, 3]])).

%% Who fails ends the call with its reason, and the others; no message of theirs is left.
parallel_failure_test() ->
    Me = self(),
    Work = fun(2) -> exit(two); (N) -> Me ! {started, N, self()}, receive after infinity -> ok end end,
    check:same(two, try strobe:pmap(fun(1) -> ok; (N) -> Work(N) end, [1, 2, 3]) catch exit:Why -> Why end),
    receive
        {started, 3, Pid} ->
            Ref = monitor(process, Pid),
            receive {'DOWN', Ref, process, Pid, _} -> ok end
    after 0 -> ok % it was killed before it began
    end,
    check:same({messages, []}, process_info(self(), messages)).

answers(Port) ->
    case gen_tcp:connect({127, 0, 0, 1}, Port, []) of
        {ok, Socket} -> gen_tcp:close(Socket), true;
        _            -> false
    end.

gone(_, 0)        -> exit(server_still_answers);
gone(Port, Tries) -> answers(Port) andalso begin timer:sleep(100), gone(Port, Tries - 1) end.

wrong_web_usage_test() ->
    check:same([{error, no_trace_named}, {error, no_trace_named}, {error, no_trace_named}, {error, bad_port}],
               [strobe:analyze([]), strobe:analyze("a", ".sbt", 2, 1), strobe:analyze(7), strobe:start_webserver(-1)]).

sampling_test() ->
    Started = erlang:monotonic_time(millisecond),
    {ok, #{samples := Samples, files := Files, value := done}} =
        strobe:sample([all, {message_queue_len, self()}, {message_queue_len, init}], fun() -> busy(300), done end, ".",
                      20),
    Took = erlang:monotonic_time(millisecond) - Started,
    true = Samples >= 2 andalso Samples =< Took div 20 + 1,
    check:same(8, length(Files)),
    Rows = [rows(File) || File <- Files],
    check:same([Samples], lists:usort([length(R) || R <- Rows])),
    Schedulers = erlang:system_info(schedulers),
    check:same([1 + Schedulers], columns("sample_run_queues.dat")),
    check:same([1 + Schedulers], columns("sample_scheduler_utilisation.dat")),
    check:same([7], columns("sample_mem_info.dat")),
    [true = U >= 0 andalso U =< 1.01 || [_ | Us] <- rows("sample_scheduler_utilisation.dat"), U <- Us],
    true = filelib:is_regular("sample_mem_info.svg"),
    Times = [T || [T | _] <- rows("sample_run_queue.dat")],
    check:same(Times, lists:usort(Times)).

%% The picture of known values: of queues the upper edge is the sum, a single sample is a dot.
sampling_picture_test() ->
    ok = file:write_file("sample_run_queues.dat", "#run_queues\n0.02 1 2\n0.04 0 3\n0.06 2 2\n"),
    ok = strobe_sampling_picture:draw("sample_run_queues.dat"),
    check:same([{336.7, 274.0}, {336.7, 94.0}, {603.3, 94.0}, {870.0, 34.0}, {870.0, 274.0},
                {336.7, 274.0}, {336.7, 214.0}, {603.3, 274.0}, {870.0, 154.0}, {870.0, 274.0}],
               places("sample_run_queues.svg")),
    ok = file:write_file("sample_one.dat", "#message_queue_len_<0.9.0>\n0.5 7\n"),
    ok = strobe_sampling_picture:draw("sample_one.dat"),
    {ok, One} = file:read_file("sample_one.svg"),
    {_, _} = binary:match(One, <<"<circle cx=\"870.0\" cy=\"34.0\"">>),
    {_, _} = binary:match(One, <<"_&lt;0.9.0&gt;<">>),
    ok = file:write_file("sample_none.dat", "#run_queue\n"),
    ok = strobe_sampling_picture:draw("sample_none.dat").

places(File) ->
    {ok, Text} = file:read_file(File),
    {match, Lists} = re:run(Text, "points=\"([^\"]*)", [global, {capture, all_but_first, list}]),
    [begin [X, Y] = string:lexemes(P, ","), {list_to_float(X), list_to_float(Y)} end
     || [L] <- Lists, P <- string:lexemes(L, " ")].

sampling_seconds_filter_and_stop_test() ->
    Self = self(),
    Passes = fun(T) -> T > 0.05 andalso begin Self ! passed, true end end,
    {ok, #{samples := Few}} = strobe:sample(run_queue, fun() -> receive passed -> ok end end, ".", 10, Passes),
    true = Few >= 1,
    [true = T > 0.05 || [T | _] <- rows("sample_run_queue.dat")],
    {ok, #{}} = strobe:sample(run_queue, 0.05, ".", 10),
    spawn(fun() -> Self ! {sampled, strobe:sample(run_queue, 60, ".", 10)} end),
    sampling(600),
    {error, already_started} = strobe:sample(run_queue, 0.1, "."),
    ok = strobe_sampling:stop(),
    receive {sampled, {ok, #{samples := _}}} -> ok after 30000 -> exit(not_stopped) end,
    {error, not_started} = strobe_sampling:stop().

sampling(Tries) ->
    whereis(strobe_sampling) =/= undefined orelse begin
        true = Tries > 0,
        timer:sleep(50),
        sampling(Tries - 1)
    end.

sampling_misuse_test() ->
    check:same([{error, {unknown_item, phase_of_the_moon}}, {error, {no_such_directory, "/no/such"}}, {error, badarg}],
               [strobe:sample(phase_of_the_moon, 1, "."), strobe:sample(all, 1, "/no/such"),
                strobe:sample(all, 1, ".", 0)]).

busy(Ms) -> busy_until(erlang:monotonic_time(millisecond) + Ms).
busy_until(T) -> erlang:monotonic_time(millisecond) < T andalso begin _ = lists:seq(1, 1000), busy_until(T) end.

rows(File) ->
    {ok, Text} = file:read_file(File),
    [_ | Lines] = string:lexemes(binary_to_list(Text), "\n"),
    [[number(N) || N <- string:lexemes(L, " ")] || L <- Lines].

number(Text) ->
    try list_to_float(Text) catch error:badarg -> list_to_integer(Text) end.

columns(File) -> lists:usort([length(R) || R <- rows(File)]).

%% Every call that help names is there.
help_names_what_exists_test() ->
    {ok, Text} = check:output(fun() -> strobe:help() end),
    {match, Calls} = re:run(Text, "(strobe\\w*):(\\w+)\\(", [global, {capture, all_but_first, list}]),
    true = length(Calls) > 10,
    [] = [{M, F} || [M, F] <- Calls, not lists:keymember(list_to_atom(F), 1, (list_to_atom(M)):module_info(exports))].
