%% What a person may write for whom and what to record, what they are told, and where.
-module(manners_test).
-compile([export_all, nowarn_export_all]).

read(Option) ->
    {Key, _} = Option,
    try maps:get(Key, strobe_options:read([Option])) catch throw:Why -> {thrown, Why} end.

processes_as_people_write_them_test() ->
    Init = whereis(init),
    Kernel = [P || P <- processes(), application:get_application(P) =:= {ok, kernel}],
    Waiter = spawn(?MODULE, waiter, []),
    check:same([all, new, existing, [self()], [Init], [Init], [Init], lists:usort([Init, self()]), lists:usort(Kernel),
                [Waiter]],
               [read({processes, P}) || P <- [all, new, existing, descendants, Init, init, pid_to_list(Init),
                                              [init, self()], {app, kernel},
                                              {?MODULE, waiter, 0}]]),
    exit(Waiter, kill),
    Dead = dead(),
    check:same([{thrown, {no_such_process, nobody}}, {thrown, {no_such_process, Dead}},
                {thrown, {no_such_process, "<x>"}},
                {thrown, {no_process_of_app, mnesia}}, {thrown, {no_process_began_with, {a, b, 0}}}],
               [read({processes, P}) || P <- [nobody, [self(), Dead], "<x>", {app, mnesia}, {a, b, 0}]]).

waiter() -> receive stop -> ok end.

dead() ->
    {Pid, Monitor} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Monitor, _, _, _} -> Pid end.

functions_as_people_write_them_test() ->
    check:same([[{lists, map, 2}], [{lists, map, '_'}], [{lists, map, 2}], [{lists, map, 2}], [{lists, map, '_'}],
                [{'Elixir.Enum', map, 2}],
                [{lists, map, 2}, {maps, get, '_'}], [{'My.Enum', map, 2}], [{'My.Enum', 'all?', '_'}],
                [{'My.Enum', '_', '_'}], [{lists, map, 2}],
                {thrown, {no_function, 7}}, {thrown, {no_function, "a:b:c"}}],
               [read({functions, F}) || F <- [{lists, map, 2}, {lists, map}, fun lists:map/2, "lists:map/2",
                                              <<"lists:map">>,
                                              "'Elixir.Enum':map/2", ["lists:map/2", {maps, get}], "My.Enum.map/2",
                                              "My.Enum.all?", "My.Enum",
                                              ":lists.map/2", 7, "a:b:c"]]),
    check:same([[lists], [lists, maps], [kernel], [kernel, stdlib]],
               [read({modules, lists}), read({modules, ["lists", maps]}), read({apps, {app, kernel}}),
                read({apps, [kernel, "stdlib"]})]).

%% Of two options of one name none may vanish: lists are joined, and other values are refused.
options_given_twice_test() ->
    Read = fun(Key, Options) ->
               try maps:get(Key, strobe_options:read(Options)) catch throw:Why -> {thrown, Why} end end,
    check:same([[messages, procs, gc], [gc, procs], [a, b], [lists, maps], [lists], 5,
                {thrown, {option_given_twice, level}}, {thrown, {option_given_twice, processes}}],
               [Read(trace, [message, {trace, [gc]}]), Read(trace, [{trace, gc}, {trace, [procs, gc]}]),
                Read(modules, [{modules, a}, {modules, [a, b]}]),
                Read(modules, [{callgraph, [lists]}, {modules, maps}]),
                Read(modules, [{callgraph, lists}]), Read(level, [{level, 5}, {level, 5}]),
                Read(level, [{level, 5}, {level, 6}]), Read(processes, [{processes, all}, {processes, init}])]).

%% What cannot be done when the program has run is said before it runs.
nothing_runs_without_a_trace_test() ->
    Run = fun(File, Options) -> strobe:profile(File, fun() -> self() ! ran end, Options) end,
    Here = filename:absname("."),
    check:same([{error, {cannot_create, "/nowhere/t.sbt", enoent}}, {error, {cannot_create, Here, eisdir}},
                {error, {cannot_create, "/dev/null/t.sbt", enotdir}}, {error, {cannot_create, "/nowhere/t", enoent}},
                {error, wrap_files_take_no_limit}, {error, wrap_files_take_no_limit}, {error, not_started}],
               [Run("/nowhere/t.sbt", []), Run(".", []), Run("/dev/null/t.sbt", []),
                Run({"/nowhere/t", wrap, ".trc", 1000}, []), Run({"t", wrap, ".trc", 1000}, [{limit_events, 10}]),
                Run({"t", wrap, ".trc", 1000}, [{limit_bytes, 10}]), strobe:stop_profile()]),
    check:same(none, receive ran -> ran after 0 -> none end).

limits_test() ->
    check:same([500, 2000, 500, 60000, {thrown, {bad_option, {duration, "soon"}}},
                {thrown, {bad_option, {duration, 0}}}],
               [read({duration, D}) || D <- [500, "2s", "500ms", "1m", "soon", 0]]),
    check:same([1 bsl 30, infinity], [maps:get(limit_bytes, strobe_options:read([])), read({limit_bytes, infinity})]),
    check:same([{thrown, {bad_option, {limit_events, 0}}}, {thrown, {bad_option, {level, 20}}},
                {thrown, {unknown_class, gcc}},
                {thrown, {unknown_option, frobnicate}}],
               [read(O) || O <- [{limit_events, 0}, {level, 20}, {trace, [procs, gcc]}, {frobnicate, 1}]]).

names_mean_modules_of_erlang_and_elixir_test() ->
    check:same([[lists], [lists], ['Foo.Bar', 'Elixir.Foo.Bar'], ['Elixir.Foo'], ['Elixir.Foo'],
                ['ELDAPv3', 'Elixir.ELDAPv3']],
               [strobe_names:modules(N) || N <- [lists, ":lists", "Foo.Bar", 'Elixir.Foo', "'Elixir.Foo'", "ELDAPv3"]]),
    check:same(["lists:map/2", "Foo.bar/1", "Foo.Bar", "lists", "'a b'", "Foo.bar"],
               [strobe_names:shown(N) || N <- [{lists, map, 2}, {'Elixir.Foo', bar, 1}, 'Elixir.Foo.Bar', lists, 'a b',
                                               {'Elixir.Foo', bar, '_'}]]).

%% What nobody has is said at once and at the end; what is recorded is what was asked for.
unknown_names_are_reported_test() ->
    {{ok, _}, Text} = check:output(fun() ->
                                       strobe:profile("unknown.sbt", [{trace, calls}, {modules, ["Workloda"]},
                                               {apps, kernle}]) end),
    match = re:run(Text, "calls of Workloda, kernle", [{capture, none}]),
    {ok, #{missing := Missing}} = strobe:stop_profile(),
    check:same(["no application kernle was loaded: did you mean kernel?",
                "no module Workloda was loaded: did you mean workload?"], Missing),
    {ok, _, #{missing := ["there is no function workload:fibb/1: did you mean workload:fib/1?"]}} =
        strobe:profile("unknown.sbt", {workload, run, []},
                       [{trace, calls}, {functions, ["workload:fibb/1", "workload:even/1"]}, {quiet, true}]),
    os:putenv("STROBE", filename:join([os:getenv("STROBE_ROOT"), "build", "strobe"])),
    {0, Called} = strobe_program:run(["query", "unknown.sbt", "SELECT mfa FROM function WHERE calls > 0", "--format",
                                      "csv"]),
    check:same("mfa\r\nworkload:even/1\r\n", Called).

errors_are_values_test() ->
    check:same([{error, {no_such_process, nobody}}, {error, calls_need_modules_apps_or_functions},
                {error, {unknown_option, gibberish}}],
               [strobe:profile("no.sbt", O) || O <- [[{processes, nobody}], [{trace, calls}], gibberish]]),
    false = filelib:is_file("no.sbt").

the_recording_is_announced_test() ->
    {{ok, _}, Text} = check:output(fun() ->
                                       strobe:profile("said.sbt", [{trace, procs}, {processes, self()},
                                               {functions, "lists:map/2"}, {duration, "1h"}]) end),
    {ok, #{lost := 0}} = strobe:stop_profile(),
    [match = re:run(Text, Part, [{capture, none}])
     || Part <- ["recording calls, procs of <0[.0-9]+> and what it starts", "calls of lists:map/2", "into said.sbt",
                 "stops at strobe:stop_profile\\(\\)",
                 "after 3600 s", "at 1 GiB of trace", "or when this process ends"]],
    {{ok, _}, ""} = check:output(fun() -> strobe:profile("said.sbt", [{quiet, true}]) end),
    {ok, _} = strobe:stop_profile(),
    {{ok, 1, _}, ""} = check:output(fun() -> strobe:profile("said.sbt", fun() -> 1 end, []) end).

in_iex_the_announcement_names_the_call_of_elixir_test() ->
    {ok, Iex, Binary} = compile:forms([{attribute, 1, module, 'Elixir.IEx.Server'}]),
    {module, Iex} = code:load_binary(Iex, "iex", Binary),
    {{ok, _}, Text} = check:output(fun() -> strobe:profile("said.sbt", [{trace, procs}]) end),
    true = code:delete(Iex),
    {ok, _} = strobe:stop_profile(),
    match = re:run(Text, "stops at :strobe\\.stop_profile\\(\\)", [{capture, none}]).

a_recording_that_a_limit_ended_test() ->
    {ok, _} = strobe:profile("limit.sbt", [{limit_events, 1}, {quiet, true}]),
    ended(),
    {ok, _} = strobe:profile("next.sbt", [{quiet, true}]),
    {error, {already_started, _}} = strobe:profile("third.sbt", [{quiet, true}]),
    {ok, #{ended_by := stop_profile, stop := 0}} = strobe:stop_profile(),
    {ok, _} = strobe:profile("limit.sbt", [{limit_events, 1}, {quiet, true}]),
    ended(),
    {ok, #{ended_by := limit_events, stop := 2}} = strobe:stop_profile().

%% Waits until the session only waits for the question for its result.
ended() ->
    {current_function, {_, F, _}} = process_info(whereis(strobe_session), current_function),
    F =:= wait_to_be_asked orelse ended().

only_the_function_and_what_it_starts_test() ->
    {ok, _, _} = strobe:profile("mine.sbt", {workload, run, []}, [procs, {processes, descendants}]),
    os:putenv("STROBE", filename:join([os:getenv("STROBE_ROOT"), "build", "strobe"])),
    {0, Text} = strobe_program:run(["query", "mine.sbt", "SELECT count(*) AS n FROM process WHERE start IS NOT NULL",
                                    "--format", "csv"]),
    match = re:run(Text, "^5\\s*$", [multiline, {capture, none}]).

%% Whoever is not recorded may be busy or idle: nothing is said of it.
what_is_out_of_scope_is_unknown_test() ->
    {ok, _, _} = strobe:profile("scope.sbt", {workload, run, []},
                                [{trace, [procs, running, messages]}, {processes, descendants}]),
    os:putenv("STROBE", filename:join([os:getenv("STROBE_ROOT"), "build", "strobe"])),
    Ask = fun(Where) ->
              {0, Text} = strobe_program:run(["query", "scope.sbt", "--format", "csv",
                                              "SELECT count(*) FROM process WHERE (run_ns IS NULL AND wait_ns IS NULL "
                                              "AND sends IS NULL) AND " ++ Where]),
              {match, [N]} = re:run(Text, "^([0-9]+)\\s*$", [multiline, {capture, all_but_first, list}]),
              list_to_integer(N)
          end,
    check:same([1, 0, 0], [Ask("name = 'code_server'"), Ask("start IS NOT NULL"),
                           Ask("pid = '" ++ pid_to_list(self()) ++ "'")]).

%% Percept2's wrap files: as many as asked for, no larger than a message more, and what is in them is analysed.
wrap_files_test() ->
    {ok, Results, #{files := Files}} = strobe:profile({"w", wrap, ".trace", 1 bsl 20}, {workload, run, []},
                                                      [procs, running, {callgraph, [workload]},
                                                       {processes, descendants}]),
    check:same({workload:run(), [filename:absname(lists:concat(["w", N, ".trace"]))
                                 || N <- lists:seq(0, length(Files) - 1)]}, {Results, Files}),
    os:putenv("STROBE", filename:join([os:getenv("STROBE_ROOT"), "build", "strobe"])),
    {ok, #{profile := Profile}} = strobe:analyze("w", ".trace", 0, 50),
    {0, Text} = strobe_program:run(["query", Profile, "SELECT count(*) AS n FROM process WHERE entry LIKE 'workload:%'",
                                    "--format", "csv"]),
    match = re:run(Text, "^5\\s*$", [multiline, {capture, none}]),
    {0, Called} = strobe_program:run(["query", Profile,
                                      "SELECT sum(calls) AS n FROM function WHERE mfa = 'workload:even/1'", "--format",
                                      "csv"]),
    match = re:run(Called, "^755\\s*$", [multiline, {capture, none}]).

wrap_files_wrap_test() ->
    {ok, _, #{files := Files}} = strobe:profile({"v", wrap, ".trace", 4000, 3}, {workload, run, []},
                                                [procs, running, {callgraph, [workload]}, {processes, descendants}]),
    check:same(3, length(Files)),
    true = lists:all(fun(F) -> filelib:file_size(F) < 4000 + 1000 end, Files),
    {ok, #{profile := _}} = strobe:analyze("v", ".trace", 0, 3),
    check:same([{error, {bad_file, {"v", wrap, ".t", 0, 50}}}, {error, {bad_file, {"v", warp}}}],
               [strobe:profile({"v", wrap, ".t", 0}, []), strobe:profile({"v", warp}, [])]).
