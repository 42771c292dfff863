%% A program to record: a process that counts what it sends, and writes the count into the trace. A file that appears in
%% its folder makes it do something out of the ordinary.
-module(shop).
-export([start/0]).

start() ->
    Sink = spawn(fun() -> register(sink, self()), sink() end),
    spawn(fun() -> register(stock, self()), stock() end),
    spawn(fun() -> register(counter, self()), count(Sink, 0) end),
    spawn(fun() -> register(waiter, self()), receive never -> ok end end),
    spawn(fun() -> obey() end),
    ok = file:write_file("pid.new", os:getpid()),
    ok = file:rename("pid.new", "pid").

sink() -> receive _ -> sink() end.

stock() -> receive {'$gen_call', From, Ms} -> receive after Ms -> gen:reply(From, ok) end, stock() end.

%% The mark N is written right after message N.
count(Sink, N) ->
    Sink ! N,
    _ = N rem 50 =:= 0 andalso mark(integer_to_binary(N + 1)),
    _ = N rem 20 =:= 0 andalso receive after 1 -> ok end,
    count(Sink, N + 1).

mark(Text) -> try apply(strobe, mark, [Text]) catch error:undef -> ok end.

obey() ->
    _ = [begin ok = file:delete(atom_to_list(What)), spawn(fun() -> does(What) end) end
         || What <- [mailbox, hog, call, log, memory, die], filelib:is_file(atom_to_list(What))],
    receive after 10 -> obey() end.

does(mailbox) -> [waiter ! N || N <- lists:seq(1, 3000)];
does(hog)     -> block(400);
does(call)    -> gen_server:call(stock, 900);
does(log)     -> logger:error("the shop is ~p", [closed]);
does(memory)  -> Held = binary:copy(<<0>>, 300 bsl 20), receive never -> Held end;
does(die)     -> erlang:halt("the shop burned down", [{flush, false}]).

%% The process keeps its scheduler, and all others wait.
block(Ms) ->
    erts_debug:set_internal_state(available_internal_state, true),
    erts_debug:set_internal_state(block, Ms).
