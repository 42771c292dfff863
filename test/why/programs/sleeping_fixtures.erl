%% EUnit starts a worker for each of five tests, sleeps until it is ready, and kills it after the test. fixed: it waits
%% for its message.
-module(sleeping_fixtures).
-include_lib("eunit/include/eunit.hrl").
-export([main/1]).

main(Args) ->
    Wait = case Args of ["fixed"] -> fun get_ready/0; _ -> fun() -> timer:sleep(150) end end,
    eunit:test({foreach, fun() -> start(Wait) end, fun stop/1, [fun test/1 || _ <- lists:seq(1, 5)]}).

start(Wait) ->
    Setup = self(),
    Pid = spawn(fun() -> Setup ! ready, loop() end),
    Wait(),
    receive ready -> Pid after 0 -> Pid end.

get_ready() -> receive ready -> self() ! ready end.

stop(Pid) ->
    Ref = monitor(process, Pid),
    exit(Pid, kill),
    receive {'DOWN', Ref, _, _, _} -> ok end.

test(Pid) -> ?_test(begin Pid ! {work, self()}, receive done -> ok end end).

loop() ->
    receive {work, From} ->
        From ! lists:foldl(fun(I, _) -> _ = erlang:phash2(I), done end, done, lists:seq(1, 100000)),
        loop()
    end.
