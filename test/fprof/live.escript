#!/usr/bin/env escript
%% -*- coding: utf-8 -*-
%% The real fprof as an oracle: random trace files and traces of generated programs are profiled by it and by
%% strobe fprof; analyses, dumps and what was returned must be equal to the byte. Seeds are fixed, so every run
%% tests the same cases.
%%     live.escript [CASES [SEED]]
-mode(compile).

main(Args) ->
    [Cases, Seed] = [list_to_integer(A) || A <- Args] ++ lists:nthtail(length(Args), [300, 1]),
    code:which(fprof) =/= non_existing orelse skip("fprof is not installed"),
    erlang:system_info(otp_release) =:= "25" orelse skip("fprof differs between releases, this is not OTP 25"),
    Strobe = os:getenv("STROBE", filename:absname("../../build/strobe",
                                                  filename:dirname(filename:absname(escript:script_name())))),
    filelib:is_file(Strobe) orelse skip("no " ++ Strobe),
    Dir = string:trim(os:cmd("mktemp -d")),
    put(strobe, Strobe),
    put(dir, Dir),
    group_leader(spawn_link(fun silent/0), self()),
    logger:set_primary_config(level, none), %% the trace client dies of bad bytes, as it should
    Bad = try run(Cases, Seed) after os:cmd("rm -rf " ++ Dir) end,
    halt(case Bad of 0 -> 0; _ -> 1 end).

skip(Why) ->
    io:format("ok fprof live # SKIP ~s~n", [Why]),
    halt(0).

print(Format, Args) -> io:format(user, Format ++ "~n", Args).

%% fprof talks to the group leader
silent() ->
    receive
        {io_request, From, Ref, _} -> From ! {io_reply, Ref, ok};
        _ -> ok
    end,
    silent().

run(Cases, Seed) ->
    Random = [fun() -> random_case(Seed, N) end || N <- lists:seq(1, Cases)],
    Programs = [fun() -> program_case(P) end || P <- programs()],
    length([bad || Case <- Random ++ Programs ++ [fun wrap_case/0], not Case()]).

random_case(Seed, N) ->
    rand:seed(exsss, {Seed, N, 7}),
    File = filename:join(get(dir), "t"),
    ok = file:write_file(File, spoil(trace())),
    compare(["random ", integer_to_list(Seed), ".", integer_to_list(N)], File).

program_case({Name, Fun}) ->
    File = filename:join(get(dir), "t"),
    try
        _ = (catch fprof:apply(Fun, [], [{file, File} | [verbose || string:prefix(Name, "verbose") =/= nomatch]])),
        compare(["program ", Name], File)
    after
        file:delete(File)
    end.

%% A wrap set that went round: by its base name, and by its files in the wrong order.
wrap_case() ->
    Base = filename:join(get(dir), "wrap"),
    Set = {Base, wrap, ".log", 20000, 4},
    Port = (dbg:trace_port(file, Set))(),
    erlang:trace_pattern({lists, '_', '_'}, [{'_', [], [{message, {{cp, {caller}}}}]}], [local]),
    erlang:trace(self(), true, [call, return_to, running, procs, garbage_collection, arity, timestamp, {tracer, Port}]),
    [lists:sort([X * 7 rem 11 || X <- lists:seq(1, 20)]) || _ <- lists:seq(1, 200)],
    erlang:trace(self(), false, [all]),
    erlang:trace_pattern({lists, '_', '_'}, false, [local]),
    erlang:port_close(Port),
    timer:sleep(100),
    Out = filename:join(get(dir), "a"),
    ok = fprof:profile([{file, Set}]),
    ok = fprof:analyse([{dest, Out}]),
    Files = filelib:wildcard(Base ++ "*.log"),
    length(Files) =:= 4 orelse print("not ok fprof wrap set: ~p did not go round", [Files]),
    Same = [begin strobe(["fprof", "-o", Out ++ "2" | Names]), same(Out, Out ++ "2") end
            || Names <- [[Base], lists:reverse(Files)]],
    print(case Same of [true, true] -> "ok fprof wrap set"; _ -> "not ok fprof wrap set: base name, files ~p" end,
        [Same || Same =/= [true, true]]),
    Same =:= [true, true].

%%% ---- comparing

compare(Name, File) ->
    Dir = get(dir),
    [Dump, OurDump, Out, OurOut] = [filename:join(Dir, F) || F <- ["d", "od", "a", "oa"]],
    lists:foreach(fun file:delete/1, [Dump, OurDump, Out, OurOut]),
    Profiled = fprof:profile([{file, File}, {dump, Dump}]),
    {Options, Flags} = variant(),
    Analysed = fprof:analyse([{dest, Out} | Options]),
    {Code, Err} = strobe(["fprof", File, "--dump", OurDump, "-o", OurOut | Flags]),
    {_, _} = strobe(["fprof", File, "-o", OurOut ++ "2", "--threads", "3" | Flags]),
    Answer = case Profiled of ok -> Analysed; _ -> Profiled end,
    Problems =
        [["analysis ", difference(Out, OurOut)] || not same(Out, OurOut)] ++
        [["analysis by three threads ", difference(Out, OurOut ++ "2")] || not same(Out, OurOut ++ "2")] ++
        [["dump ", difference(Dump, OurDump)] || not same(Dump, OurDump)] ++
        [["answer ", Err, " instead of ", io_lib:format("~0tp", [Answer])] || not matches(Answer, Code, Err)],
    Problems =:= [] orelse keep(File),
    print(case Problems of [] -> "ok fprof ~ts~ts"; _ -> "not ok fprof ~ts: ~ts" end,
          [Name, lists:join(", ", Problems)]),
    Problems =:= [].

%% A case that failed can be looked at: KEEP names a folder.
keep(File) ->
    case os:getenv("KEEP") of
        false -> ok;
        To -> file:copy(File, filename:join(To, "failed.trace"))
    end.

same(A, B) -> file:read_file(A) =:= file:read_file(B).

difference(A, B) ->
    string:replace(os:cmd("diff " ++ A ++ " " ++ B ++ " | head -6"), "\n", " / ", all).

matches(ok, Code, Err) -> Code =:= 0 andalso Err =:= "";
matches({error, {badarg, [_ | _]}}, Code, Err) -> %% lines of the reader's own stack may differ
    Code =:= 1 andalso string:find(Err, "fprof returns {error,{badarg,[{erlang,binary_to_term,[") =/= nomatch;
matches(Answer, Code, Err) ->
    Wanted = "fprof returns " ++ lists:flatten(io_lib:format("~0tp", [Answer])),
    Code =:= 1 andalso string:find(Err, Wanted) =/= nomatch.

strobe(Args) ->
    Err = filename:join(get(dir), "err"),
    Command = "exec \"$0\" \"$@\" 2>" ++ Err,
    Port = open_port({spawn_executable, "/bin/sh"}, [{args, ["-c", Command, get(strobe) | Args]}, exit_status, binary]),
    Code = wait(Port),
    {ok, Text} = file:read_file(Err),
    {Code, unicode:characters_to_list(Text)}.

wait(Port) ->
    receive
        {Port, {exit_status, Code}} -> Code;
        {Port, _} -> wait(Port)
    end.

variant() ->
    Cols = pick([80, 80, 1, 40, 132, 500]),
    Sort = pick([acc, own]),
    Given = [{O, F} || {O, F} <- [{totals, "--totals"}, {no_callers, "--no-callers"}, {no_details, "--no-details"}],
                       rand:uniform(3) =:= 1],
    {[{cols, Cols}, {sort, Sort} | [O || {O, _} <- Given]],
     ["--cols", integer_to_list(Cols), "--sort", atom_to_list(Sort) | [F || {_, F} <- Given]]}.

%%% ---- random traces

pick(L) -> lists:nth(rand:uniform(length(L)), L).

trace() ->
    Next = fun(_, {T, Off}) ->
                   {R, Off1} = sane(T, Off),
                   {R, {T + pick([0, 1, 1, 2, 5, 40, 3000, 999999]), Off1}}
           end,
    Wild = rand:uniform(3) =:= 1,
    {Records, _} = lists:mapfoldl(Next, {rand:uniform(1000000), case Wild of true -> wild; false -> #{} end},
                                  lists:seq(1, pick([0, 1, 5, 30, 100, 300]))),
    [case R of
         {drop, N} -> <<1, N:32>>;
         _ -> B = term_to_binary(R), <<0, (byte_size(B)):32, B/binary>>
     end || R <- Records].

stamp(T) -> {1700, T div 1000000, T rem 1000000}.

pid() -> list_to_pid("<0." ++ integer_to_list(499 + rand:uniform(3)) ++ "." ++ pick(["0", "0", "0", "1"]) ++ ">").

mfa() ->
    pick([{m, a, 1}, {m, a, 1}, {m, b, 1}, {m, c, 2}, {m, d, 0}, {'Elixir.M', 'x y', 3}, {lists, 'é', 1},
          {'λ', 'end', 255},
          {a_module_with_quite_a_long_name_for_a_module, a_function_with_quite_a_long_name_for_a_function, 3}]).

arity_or_args() -> case rand:uniform(12) of 1 -> with_args(mfa()); _ -> mfa() end.

with_args({M, F, A}) -> {M, F, [term(1) || _ <- lists:seq(1, A rem 7)]}.

%% Who is suspended or collects garbage comes back before it does anything else, unless the trace is a wild one.
sane(T, wild) -> {record(T), wild};
sane(T, Off) ->
    case record(T) of
        Drop when element(1, Drop) =/= trace_ts ->
            {case rand:uniform(20) of 1 -> Drop; _ -> {trace_ts, pid(), link, pid(), stamp(T)} end, Off};
        R -> sane(R, element(2, R), Off, T)
    end.

sane(R, Pid, Off, T) ->
    case {maps:get(Pid, Off, run), element(3, R)} of
        {out, _} -> {{trace_ts, Pid, in, 0, stamp(T)}, maps:remove(Pid, Off)};
        {gc, _} -> {{trace_ts, Pid, gc_minor_end, [], stamp(T)}, maps:remove(Pid, Off)};
        {run, in} -> {{trace_ts, Pid, return_to, mfa(), stamp(T)}, Off};
        {run, out} -> {R, Off#{Pid => out}};
        {run, Tag} when Tag =:= gc_minor_end; Tag =:= gc_major_end; Tag =:= gc_end; Tag =:= gc_max_heap_size ->
            {{trace_ts, Pid, call, mfa(), {cp, mfa()}, stamp(T)}, Off};
        {run, Tag} when Tag =:= gc_minor_start; Tag =:= gc_major_start; Tag =:= gc_start -> {R, Off#{Pid => gc}};
        {run, spawn} -> {R, Off#{element(4, R) => out}};
        {run, spawned} -> {R, Off#{Pid => out}};
        _ -> {R, Off}
    end.

%% Mostly what a well-behaved process does; now and then what none does.
record(T) ->
    Ts = stamp(T),
    case rand:uniform(400) of
        1 -> {drop, rand:uniform(9)};
        2 -> {trace_ts, pid(), gc_max_heap_size, [], Ts};
        3 -> {trace_ts, pid(), call, mfa(), Ts};
        4 -> {trace, pid(), call, mfa(), {cp, undefined}};
        5 -> {seq_trace, 0, {print, {0, 1}, pid(), pid(), term(2)}, Ts};
        N when N < 150 -> {trace_ts, pid(), call, arity_or_args(), {cp, pick([undefined, mfa(), mfa(), mfa(), mfa()])},
                           Ts};
        N when N < 300 -> {trace_ts, pid(), return_to, pick([undefined, mfa(), mfa(), mfa(), arity_or_args()]), Ts};
        N when N < 306 -> {trace_ts, pid(), out, pick([0, arity_or_args()]), Ts};
        N when N < 312 -> {trace_ts, pid(), in, pick([0, arity_or_args()]), Ts};
        N when N < 320 -> {trace_ts, pid(), pick([gc_minor_start, gc_major_start, gc_start]), [{a, 1}], Ts};
        N when N < 330 -> {trace_ts, pid(), pick([gc_minor_end, gc_major_end, gc_end]), [{a, 1}], Ts};
        N when N < 345 -> {trace_ts, pid(), spawn, pid(), with_args(mfa()), Ts};
        N when N < 355 -> {trace_ts, pid(), spawned, pid(), with_args(mfa()), Ts};
        N when N < 362 -> {trace_ts, pid(), exit, term(3), Ts};
        N when N < 375 -> {trace_ts, pid(), pick([link, unlink, getting_linked, getting_unlinked]), pid(), Ts};
        N when N < 380 -> {trace_ts, pid(), pick([register, unregister]), atom(), Ts};
        N when N < 390 -> {trace_ts, pid(), pick([send, send_to_non_existing_process]), term(4), pid(), Ts};
        _ -> {trace_ts, pid(), 'receive', term(4), Ts}
    end.

%% Cut somewhere, or with bytes that are no record or no term.
spoil(Records) ->
    Bytes = iolist_to_binary(Records),
    case rand:uniform(10) of
        1 -> binary:part(Bytes, 0, rand:uniform(byte_size(Bytes) + 1) - 1);
        2 -> [Bytes, pick([<<7, 0, 0, 0, 1, 0>>, <<0, 0, 0, 0, 3, 131, 99, 1>>, <<0, 0, 0, 0, 0>>, <<0, 0, 0, 0, 9>>,
                           <<0, 0, 0>>])];
        _ -> Bytes
    end.

%%% ---- random terms

term(0) -> small();
term(D) ->
    case rand:uniform(16) of
        1 -> list_to_tuple([term(D - 1) || _ <- lists:seq(1, rand:uniform(6) - 1)]);
        2 -> [term(D - 1) || _ <- lists:seq(1, rand:uniform(9) - 1)];
        3 -> [term(D - 1), term(D - 1) | small()];
        4 -> maps:from_list([{term(D - 1), term(D - 1)} || _ <- lists:seq(1, rand:uniform(5) - 1)]);
        5 -> list_to_tuple([atom() | [term(D - 1) || _ <- lists:seq(1, rand:uniform(6))]]);
        6 -> [{atom(), term(D - 1)} || _ <- lists:seq(1, rand:uniform(6))];
        7 -> nest(rand:uniform(30), term(D - 1));
        8 -> maps:from_list([{atom(), term(D - 1)} || _ <- lists:seq(1, rand:uniform(8))]);
        9 -> lists:seq(1, pick([3, 30, 70]));
        10 -> maps:from_list([{pick([I, {k, I}, list_to_atom("k" ++ integer_to_list(I))]), I}
                              || I <- lists:seq(1, pick([33, 80]))]);
        _ -> small()
    end.

nest(0, T) -> T;
nest(N, T) -> nest(N - 1, pick([{T}, [T], {N, T}, {tag, T}, [N | T], #{k => T}, #{T => N}])).

small() ->
    case rand:uniform(22) of
        1 -> rand:uniform(1000) - 500;
        2 -> pick([1, -1]) * (1 bsl rand:uniform(300)) + rand:uniform(1000);
        3 -> float();
        4 -> text(rand:uniform(12));
        5 -> text(pick([60, 100, 200]));
        6 -> list_to_binary(text(rand:uniform(30)));
        7 -> rand:bytes(rand:uniform(40));
        8 -> rand:bytes(pick([100, 300]));
        9 -> <<1:3, (rand:uniform(100)):11>>;
        10 -> <<"grün und λ"/utf8>>;
        11 -> [955, 956, 32];
        12 -> pid();
        13 -> make_ref();
        14 -> fun lists:reverse/1;
        15 -> fun() -> ok end;
        16 -> hd(erlang:ports());
        17 -> [];
        18 -> {};
        19 -> #{};
        20 -> <<>>;
        21 -> fun 'å b':'λ'/3;
        _ -> atom()
    end.

float() ->
    case rand:uniform(5) of
        1 -> rand:uniform(1000000) * math:pow(10, rand:uniform(40) - 20);
        2 -> float(rand:uniform(1 bsl 60));
        3 -> pick([0.0, -0.0, 1.0, -1.5, 1.0e300, 5.0e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 1000.0,
                   123456.0]);
        4 -> math:pow(2, rand:uniform(1800) - 900);
        _ -> <<F/float>> = <<(rand:uniform(1 bsl 62)):64>>, F
    end.

text(N) -> [pick("abc xyz\"\\\n\t\e" ++ [229, 160, 126, 39]) || _ <- lists:seq(1, N)].

atom() ->
    pick([a, ok, error, 'hello world', 'λ', 'åäö', 'Å', '', 'end', '\n', 'it\'s',
          a_rather_long_atom_that_takes_some_room_on_a_line, x@y_1, '1a', undefined, 'DOWN', '\e', '日本']).

%%% ---- programs

programs() ->
    [{"recursion", fun() -> {sum(60), count(200, 0), even(41), tree(6), ack(2, 3)} end},
     {"exceptions", fun() -> [catch deep(N) || N <- lists:seq(1, 12)] end},
     {"closures", fun() -> lists:foldl(fun(F, A) -> F(A) end, 1, [fun(X) -> X + N end || N <- lists:seq(1, 30)]) end},
     {"mutual recursion, 600 deep", fun() -> ping_deep(600) end},
     {"processes", fun processes/0},
     {"odd spawn arguments", fun odd_spawns/0},
     {"garbage", fun() -> [lists:sort([rand:uniform() || _ <- lists:seq(1, 500)]) || _ <- lists:seq(1, 2)], ok end},
     {"a gen_server", fun server/0},
     {"tail call loops", fun() -> loop_a(300) end},
     {"compile", fun() -> {ok, _, _} = compile:forms(forms(), [binary, return]) end},
     {"verbose processes", fun processes/0},
     {"verbose odd spawn arguments", fun odd_spawns/0},
     {"verbose parser", fun() -> forms() end},
     {"xref", fun() -> {ok, X} = xref:start([]), {ok, queue} = xref:add_module(X, code:which(queue)),
                       {ok, _} = xref:analyze(X, locals_not_used), xref:stop(X) end}].

sum(0) -> 0;
sum(N) -> N + sum(N - 1).
count(0, A) -> A;
count(N, A) -> count(N - 1, A + 1).
even(0) -> true;
even(N) -> odd(N - 1).
odd(0) -> false;
odd(N) -> even(N - 1).
tree(0) -> leaf;
tree(N) -> {tree(N - 1), tree(N - 1)}.
ack(0, N) -> N + 1;
ack(M, 0) -> ack(M - 1, 1);
ack(M, N) -> ack(M - 1, ack(M, N - 1)).
ping_deep(0) -> 0;
ping_deep(N) -> 1 + pong_deep(N - 1).
pong_deep(0) -> 0;
pong_deep(N) -> 1 + ping_deep(N - 1).
loop_a(0) -> done;
loop_a(N) -> loop_b(N - 1).
loop_b(N) when N rem 3 =:= 0 -> loop_c(N);
loop_b(0) -> done;
loop_b(N) -> loop_a(N - 1).
loop_c(N) -> sum(3), loop_a(N).

deep(0) -> error(bottom);
deep(N) when N rem 4 =:= 0 -> try deep(N - 1) catch error:_ -> throw({caught, N}) end;
deep(N) when N rem 7 =:= 0 -> exit({N, catch deep(N - 1)});
deep(N) -> {N, deep(N - 1)}.

processes() ->
    Self = self(),
    Pids = [spawn_link(fun() -> Self ! {self(), sum(N)} end) || N <- lists:seq(1, 20)],
    [receive {P, S} -> S end || P <- Pids].

odd_spawns() ->
    rand:seed(exsss, {5, 5, 5}),
    [begin {_, M} = spawn_monitor(erlang, hd, [[term(4)]]), receive {'DOWN', M, _, _, _} -> ok end end
     || _ <- lists:seq(1, 40)].

server() ->
    {ok, P} = gen_event:start(),
    ok = gen_event:add_handler(P, error_logger_tty_h, []) =/= x andalso ok,
    [gen_event:sync_notify(P, N) || N <- lists:seq(1, 60)],
    gen_event:stop(P).

forms() ->
    Text = "-module(m). -export([f/1]). f(0) -> []; f(N) -> [{N, g(N, [X || X <- lists:seq(1, N), X rem 2 =:= 0])} | "
           "f(N - 1)]. "
           "g(_, []) -> none; g(N, [H | T]) when H > N -> g(N, T); g(N, L) -> case L of [A, B | _] -> A + B; _ -> N "
           "end.",
    {ok, Tokens, _} = erl_scan:string(Text),
    parse(Tokens, [], []).

parse([], [], Forms) -> lists:reverse(Forms);
parse([{dot, _} = Dot | Ts], Form, Forms) ->
    {ok, F} = erl_parse:parse_form(lists:reverse([Dot | Form])),
    parse(Ts, [], [F | Forms]);
parse([T | Ts], Form, Forms) -> parse(Ts, [T | Form], Forms).
