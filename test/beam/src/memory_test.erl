%% strobe_memory against the formula it promises, written down here a second time, and against what is known.
-module(memory_test).
-compile([export_all, nowarn_export_all]).

-define(WORD, 8).

%% Many shapes of work: nothing, garbage, garbage that grows old, results kept, binaries, messages, children.
programs() ->
    X = erlang:unique_integer(),
    [fun() -> ok end,
     fun() -> {X, X} end,
     fun() -> lists:seq(1, 1000) end,
     fun() -> length(lists:seq(1, 50000)) end,
     fun() -> [{I, I} || I <- lists:seq(1, 100000)] end,
     fun() -> maps:from_list([{I, {I, I}} || I <- lists:seq(1, 1000)]) end,
     fun() -> lists:foldl(fun(I, Acc) -> [integer_to_list(I) | lists:sublist(Acc, 100)] end, [],
                          lists:seq(1, 3000)) end,
     fun() -> binary:copy(<<"0123456789">>, 10000) end,
     fun() -> lists:foldl(fun(I, Acc) -> <<Acc/binary, I:32>> end, <<>>, lists:seq(1, 5000)) end,
     fun() -> put(kept, lists:seq(1, 2000)), erase(kept) end,
     fun() -> S = self(), P = spawn(fun() -> S ! lists:seq(1, 1000) end), receive [1 | _] = L -> {P, length(L)} end end,
     fun() -> lists:sort([erlang:phash2(I) || I <- lists:seq(1, 20000)]) end].

%% Twice, as the words of what the VM loads and caches the first time are no part of it.
bytes_follow_the_formula_test() ->
    [begin _ = formula(P), check:same({N, formula(P)}, {N, bytes(P)}) end || {N, P} <- lists:enumerate(programs())].

bytes(Program) ->
    {ok, #{bytes := Bytes}} = strobe_memory:measure(Program),
    Bytes.

%% wordsize * sum over the collections of one process of (heap + old heap before) less after.
%% Heap and stack share a block, so when a process collects depends on the frames below the program. Those here are
%% Benchee's: a try with catch and after, over which a reference and two pids are alive.
formula(Program) ->
    Self = self(),
    Sink = spawn(fun() -> receive done -> ok end end),
    Adder = spawn(fun() -> put(owner, Self), adder(0) end),
    spawn(fun() -> outer(Program, Sink, Adder) end),
    receive {sum, Words} -> exit(Sink, kill), Words * ?WORD after 20000 -> exit(no_sum) end.

outer(Program, Sink, Adder) ->
    Ref = make_ref(),
    Adder ! {runner, self()},
    try
        _ = inner(Program, Sink, Adder),
        Sink ! {Ref, over(Adder, Ref)}
    catch
        Class:Reason:Stack -> Adder ! done, Sink ! {Ref, shutdown}, exit({Class, Reason, Stack})
    after
        Adder ! done
    end.

over(Adder, Ref) ->
    Adder ! {over, self(), Ref},
    receive {Ref, never} -> never end.

inner(Program, Sink, Adder) ->
    garbage_collect(),
    Adder ! go,
    receive traced -> ok end,
    Value = Program(),
    Sink ! Value,
    garbage_collect(),
    Adder ! stop,
    receive stopped -> ok end,
    {Program, Sink}.

adder(Sum) ->
    receive
        {runner, Pid}                  -> put(runner, Pid), adder(Sum);
        go                             ->
            erlang:trace(get(runner), true, [garbage_collection]), get(runner) ! traced, adder(Sum);
        stop                           -> erlang:trace(get(runner), false, [all]), get(runner) ! stopped, adder(Sum);
        {trace, _, gc_minor_start, I}  -> adder(Sum + words(I));
        {trace, _, gc_major_start, I}  -> adder(Sum + words(I));
        {trace, _, gc_minor_end, I}    -> adder(Sum - words(I));
        {trace, _, gc_major_end, I}    -> adder(Sum - words(I));
        {over, Pid, _}                 -> erlang:trace_delivered(Pid), adder(Sum);
        {trace_delivered, Pid, _}      -> exit(Pid, kill), get(owner) ! {sum, Sum}
    end.

words(Info) -> proplists:get_value(heap_size, Info) + proplists:get_value(old_heap_size, Info).

what_is_known_test() ->
    X = erlang:unique_integer(),
    check:same(0, bytes(fun() -> ok end)),
    check:same(3 * ?WORD, bytes(fun() -> {X, X} end)),
    check:same(2000 * ?WORD, bytes(fun() -> lists:seq(1, 1000) end)).

%% What lies on the stack and the heap below the program: on OTP 25 Elixir's compiler makes 14 words of Benchee's
%% frames.
the_frames_below_are_benchees_test() ->
    Asker = spawn(fun Ask() -> receive {From, Runner} -> From ! {frames, frames(Runner)}, Runner ! go, Ask() end end),
    Self = self(),
    Program = fun() -> Asker ! {Self, self()}, receive go -> ok end end,
    _ = formula(Program),
    Formula = receive {frames, F} -> F end,
    {ok, _} = strobe_memory:measure(Program, [{warmup, 0}]),
    Ours = receive {frames, O} -> O end,
    exit(Asker, kill),
    check:same(Formula, Ours),
    erlang:system_info(otp_release) =/= "25" orelse check:same(14, element(1, Ours)).

frames(Runner) ->
    {_, Info} = process_info(Runner, garbage_collection_info),
    {proplists:get_value(stack_size, Info), proplists:get_value(heap_size, Info)}.

%% Nothing that the function does to its process is done to the caller.
the_caller_is_left_alone_test() ->
    {error, {died, killed}} = strobe_memory:measure(fun() -> exit(self(), kill), receive never -> ok end end),
    {ok, _} = strobe_memory:measure(fun() -> put(left, behind), self() ! hello end),
    check:same({undefined, {messages, []}}, {get(left), process_info(self(), messages)}),
    {'EXIT', {oops, _}} = (catch strobe_memory:measure(fun() -> error(oops) end)).

the_same_every_time_test() ->
    [check:same([bytes(P)], lists:usort([bytes(P) || _ <- lists:seq(1, 5)])) || P <- lists:sublist(programs(), 5)].

usage(Program) ->
    {ok, Usage} = strobe_memory:measure(Program),
    Usage.

the_value_comes_back_test() ->
    check:same({some, [value]}, maps:get(value, usage(fun() -> {some, [value]} end))),
    check:same({words, #{}}, maps:get(value, usage(fun() -> {words, #{}} end))).

binaries_off_the_heap_test() ->
    #{bytes := Own, binary_bytes := 100000, total_bytes := Total} = usage(fun() -> binary:copy(<<"x">>, 100000) end),
    true = Own > 0 andalso Own < 100,
    check:same(Own + 100000, Total).

%% A copied message is in a buffer first; a list of 1000 is 2000 words, and the tuple around it three.
messages_copied_in_test() ->
    Sender = spawn(fun Loop() -> receive From -> From ! {m, lists:seq(1, 1000)}, Loop() end end),
    #{bytes := Bytes, message_bytes := Copied, total_bytes := Total} =
        usage(fun() -> Sender ! self(), receive {m, L} -> length(L) end end),
    exit(Sender, kill),
    check:same(2003 * ?WORD, Copied),
    true = Bytes < 100,
    true = Total >= Copied.

children_test() ->
    List = fun() -> length(lists:seq(1, 1000)) end,
    Gone = usage(fun() -> {_, M} = spawn_monitor(List), receive {'DOWN', M, _, _, _} -> ok end end),
    #{bytes := Own, children := #{processes := 1, bytes := Least, at_most_bytes := Most}, total_bytes := Total} = Gone,
    true = Least =< 2000 * ?WORD + 2000 andalso Most >= 2000 * ?WORD,
    true = Total >= Own + Least,
    Alive = usage(fun() -> S = self(), spawn(fun() -> L = lists:seq(1, 1000), S ! up, receive stop -> hd(L) end end),
                      receive up -> ok end end),
    #{children := #{processes := 1, bytes := Exact, at_most_bytes := Exact}} = Alive,
    true = Exact >= 2000 * ?WORD,
    Nested = usage(fun() -> S = self(), spawn(fun() -> spawn(fun() -> List(), S ! up end), receive never -> ok end end),
                            receive up -> ok end end),
    #{children := #{processes := 2}} = Nested.

peak_and_retained_test() ->
    #{peak_bytes := Peak, value_bytes := 16000, retained_bytes := 0} =
        usage(fun() -> _ = lists:seq(1, 100000), lists:seq(1, 1000) end),
    true = Peak > 1000,
    #{retained_bytes := 0, peak_bytes := High} = usage(fun() -> length(lists:seq(1, 100000)) end),
    true = High >= 200000 * ?WORD,
    #{retained_bytes := Kept, heap_bytes := Heap} = usage(fun() -> put(kept, lists:seq(1, 1000)), ok end),
    true = Kept >= 2000 * ?WORD andalso Heap >= 2000 * ?WORD.

errors_of_the_function_are_raised_test() ->
    {'EXIT', {oops, [{?MODULE, _, _, _} | _]}} = (catch strobe_memory:measure(fun() -> error(oops) end, [{warmup, 0}])),
    thrown = (catch strobe_memory:measure(fun() -> throw(thrown) end, [{warmup, 0}])),
    {'EXIT', left} = (catch strobe_memory:measure(fun() -> exit(left) end, [{warmup, 0}])).

killed_is_an_error_not_a_hang_test() ->
    {error, {died, killed}} = strobe_memory:measure(fun() -> exit(self(), kill), receive never -> ok end end,
                                                    [{warmup, 0}]),
    {error, {died, killed}} =
        strobe_memory:measure(fun() ->
                                  process_flag(max_heap_size, #{size => 1000, kill => true, error_logger => false}),
                                       lists:seq(1, 100000) end, [{warmup, 0}]).

no_process_and_no_message_stays_test() ->
    Before = length(processes()),
    _ = [bytes(P) || P <- lists:sublist(programs(), 4)],
    fewer(Before, 600),
    check:same({messages, []}, process_info(self(), messages)).

fewer(Before, Tries) ->
    length(processes()) =< Before orelse begin
        true = Tries > 0,
        timer:sleep(50),
        fewer(Before, Tries - 1)
    end.

warmup_test() ->
    Count = counters:new(1, []),
    {ok, _} = strobe_memory:measure(fun() -> counters:add(Count, 1, 1) end, [{warmup, 3}]),
    check:same(4, counters:get(Count, 1)).
