#!/usr/bin/env escript
%%! +S 2 -kernel logger_level emergency
%% Terms of all kinds and shapes through every way into the tracer: messages, exits, names, spawns, calls, and what our
%% own processes hand it. The same ones each time. Run by sanitized.sh.
-mode(compile).

main(_) ->
    code:add_patha(filename:join(filename:dirname(os:getenv("STROBE")), "erlang/strobe/ebin")),
    rand:seed(exsss, {8, 25, 77}),
    ok = file:write_file("work.erl", work()),
    {ok, work} = compile:file("work"),
    code:add_patha("."),
    [run(Name, Test) || {Name, Test} <- [{"all that a program can make", fun program/0},
                                         {"what is handed to the tracer", fun handed/0},
                                         {"what is handed to the drain", fun drained/0}]],
    halt().

run(Name, Test) ->
    try Test() of
        _ -> io:format("ok sanitized: ~s~n", [Name])
    catch _:Reason:Stack -> io:format("not ok sanitized: ~s: ~0P ~0P~n", [Name, Reason, 30, hd(Stack), 12])
    after
        catch strobe:stop_profile()
    end.

work() ->
    Args = fun(N) -> lists:join(", ", ["_A" ++ integer_to_list(I) || I <- lists:seq(1, N)]) end,
    ["-module(work). -compile([export_all, nowarn_export_all]).\n" | [["f(", Args(N), ") -> ok.\n"]
            || N <- [0, 1, 2, 5, 30, 255]]].

%% ---- terms

term(Depth) -> term(rand:uniform(26), Depth).

term(N, 0) when N > 14 -> term(rand:uniform(14), 0);
term(1, _) -> rand:uniform(1000) - 500;
term(2, _) -> (1 bsl rand:uniform(400)) * (1 - 2 * (rand:uniform(2) - 1)) + rand:uniform(9);
term(3, _) -> rand:normal() * 1.0e100;
term(4, _) -> atom();
term(5, _) -> self();
term(6, _) -> far(88, 12);                                     % a pid of another node
term(7, _) -> far(90, 12);                                     % a reference of one
term(8, _) -> make_ref();
term(9, _) -> case erlang:function_exported(erlang, alias, 0) of true -> A = erlang:alias(), erlang:unalias(A), A;
                  false -> make_ref() end;
term(10, _) -> hd(erlang:ports());
term(11, _) -> binary:copy(<<(rand:uniform(255))>>, rand:uniform(200) - 1);
term(12, _) -> <<1:(rand:uniform(70))>>;
term(13, _) -> B = binary:copy(<<"x">>, 100), binary:part(B, rand:uniform(20), rand:uniform(80)); % part of another
term(14, _) -> lists:nth(rand:uniform(4), [[], {}, <<>>, #{}]);
term(15, D) -> list_to_tuple(terms(rand:uniform(8), D));
term(16, D) -> terms(rand:uniform(12), D);
term(17, D) -> [term(D - 1) | term(D - 1)];
term(18, D) -> maps:from_list([{term(D - 1), term(D - 1)} || _ <- lists:seq(1, rand:uniform(6))]);
term(19, D) -> maps:from_list([{I, term(min(1, D - 1))} || I <- lists:seq(1, 30 + rand:uniform(40))]);
term(20, D) -> T = term(D - 1), fun(X) -> {X, T} end;
term(21, _) -> lists:nth(rand:uniform(3), [fun lists:map/2, fun erlang:self/0, fun work:f/255]);
term(22, D) -> nested(200 * rand:uniform(5), term(D - 1));
term(23, D) -> {'DOWN', make_ref(), process, term(D - 1), term(D - 1)};
term(24, D) -> {'EXIT', term(D - 1), term(D - 1)};
term(25, D) -> {[alias | term(D - 1)], term(D - 1)};
term(26, D) -> lists:duplicate(rand:uniform(300), term(min(1, D - 1))).

terms(N, D) -> [term(D - 1) || _ <- lists:seq(1, N)].

nested(0, T) -> T;
nested(N, T) -> nested(N - 1, case N rem 3 of 0 -> [T]; 1 -> {T}; 2 -> #{T => N} end).

atom() -> lists:nth(rand:uniform(7), [ok, '', 'with space', 'Elixir.Some.Module', '\x{3bb}\x{10ffff}', '\xff\xe9',
                                      list_to_atom(lists:duplicate(255, 16#10fff))]).

far(Tag, N) ->
    Node = <<119, 5, "a@b.c">>,
    case Tag of
        88 -> binary_to_term(<<131, 88, Node/binary, N:32, 3:32, 7:32>>);
        90 -> binary_to_term(<<131, 90, 3:16, Node/binary, 7:32, 1:32, 2:32, 3:32>>)
    end.

%% ---- what a program does with them

program() ->
    Options = [{trace, [all, sample]}, {modules, [work]}, {drain, process}, {buffer, 4 bsl 20}, {quiet, true},
               {filter, [{{trace, '_', '_', '$1', '_'}, [{'orelse', {is_tuple, '$1'}, {'>', {size, '$1'}, 1}}],
                          [{message, '$1'}]}, {'_', [], [true]}]}],
    {ok, _, _} = strobe:profile("p.sbt", fun() -> [one(term(4)) || _ <- lists:seq(1, 600)] end, Options),
    {ok, _, _} = strobe:profile("q.sbt", fun() -> [one(term(4)) || _ <- lists:seq(1, 600)] end,
                                [{buffer, 65536}, {level, 0} | proplists:delete(buffer, Options)]).

one(T) ->
    Self = self(),
    {P, R} = spawn_monitor(fun() -> receive X -> Self ! {got, X}, exit(X) end end),
    P ! T,
    receive {got, _} -> ok end,
    receive {'DOWN', R, process, P, _} -> ok end,
    catch register(atom(), Self), [catch unregister(N)
                                   || {registered_name, N} <- [process_info(Self, registered_name)]],
    catch (atom() ! T),
    catch ({atom(), 'a@b.c'} ! T),
    catch (far(88, 99) ! T),
    {_, R2} = spawn_monitor(proc_lib, init_p, [Self, [], gen, init_it, [T, T, T, T, T, T]]),
    receive {'DOWN', R2, _, _, _} -> ok end,
    {_, R3} = spawn_monitor(proc_lib, init_p, [T, [] , T]),
    receive {'DOWN', R3, _, _, _} -> ok end,
    {_, R4} = spawn_monitor(erlang, apply, [fun() -> T end, []]),
    receive {'DOWN', R4, _, _, _} -> ok end,
    strobe:mark(lists:duplicate(rand:uniform(300), $\x{3bb})),
    [apply(work, f, lists:duplicate(N, T)) || N <- [0, 1, 2, 5, 30, 255]],
    rand:uniform(20) =:= 1 andalso erlang:garbage_collect(),
    ok.

%% ---- what nobody should hand us

handed() ->
    Exports = [{F, A} || {F, A} <- strobe_nif:module_info(exports), F =/= module_info, F =/= close, F =/= begin_,
               F =/= halt_],
    {ok, _} = strobe:profile("h.sbt", [{trace, [procs]}, {drain, process}, {quiet, true}]),
    [catch apply(strobe_nif, F, arguments(F, A)) || _ <- lists:seq(1, 200), {F, A} <- Exports],
    {ok, _} = strobe:stop_profile(),
    [catch apply(strobe_nif, F, arguments(F, A)) || _ <- lists:seq(1, 50), {F, A} <- Exports, F =/= open],
    [catch strobe_nif:open(term(2), list_to_tuple(terms(7, 2)), term(3)) || _ <- lists:seq(1, 500)].

arguments(emit, 5) ->
    Tags = [mark, exists, label, sample, filtered, counter, stack, in, nonsense],
    [lists:nth(rand:uniform(length(Tags)), Tags), hd(mostly(self())), shape(), shape(), shape()];
arguments(filter_run, 2) ->
    [{rand:bytes(rand:uniform(40)), list_to_tuple(terms(5, 2))}, list_to_tuple([trace | terms(rand:uniform(5), 3)])];
arguments(open, _) -> [<<"/dev/null/none">>, term(2), term(2)];
arguments(_, A) -> terms(A, 4).

mostly(T) -> case rand:uniform(3) of 1 -> [term(3)]; _ -> [T] end.

shape() ->
    case rand:uniform(6) of
        1 -> {lists, map, 2};
        2 -> [{lists, map, 2, []}, {term(2), term(2), term(1), []}, term(2)];
        3 -> {{lists, map, term(1)}, term(1)};
        4 -> binary:copy(<<"t">>, rand:uniform(600));
        5 -> rand:uniform(1 bsl 62);
        6 -> term(4)
    end.

drained() ->
    [catch strobe_drain_nif:step(term(3)) || _ <- lists:seq(1, 300)],
    [catch strobe_drain_nif:open(term(3)) || _ <- lists:seq(1, 300)],
    [catch strobe_drain_nif:open([rand:bytes(rand:uniform(30)) || _ <- lists:seq(1, rand:uniform(40))])
     || _ <- lists:seq(1, 300)],
    %% files that are no rings, and the header of some that could be
    [begin
         ok = file:write_file(Rings, Bytes),
         catch strobe_drain_nif:open([<<"--level">>, <<"1">>, list_to_binary(Rings), <<"none.sbt">>])
     end || Rings <- ["4199999.rings"], _ <- lists:seq(1, 100),
            Bytes <- [<<"STBRING1", 1:32/little, (rand:uniform(4)):32/little, (rand:bytes(8000))/binary>>]].
