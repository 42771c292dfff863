%% Workers tell an audit process about every step, and it can't keep up: its mailbox grows until they are done.
%%
%% Run with `fixed`, they wait for its answer now and then, and so no faster than it can write.
-module(mailbox).
-export([main/0, main/1]).

-define(WORKERS, 4).
-define(STEPS, 15000).

main() -> main([]).

main(Args) ->
    Every = case Args of ["fixed"] -> 50; [] -> never end,
    Audit = spawn_link(fun() -> audit(0) end),
    register(audit, Audit),
    Workers = [spawn_monitor(fun() -> work(?STEPS, Every) end) || _ <- lists:seq(1, ?WORKERS)],
    _ = [receive {'DOWN', M, process, P, _} -> ok end || {P, M} <- Workers],
    {_, Waiting} = process_info(Audit, message_queue_len),
    Audit ! {sync, self()},
    receive {written, Lines} -> io:format("~b lines written, ~b of them late~n", [Lines, Waiting]) end.

work(0, _) -> ok;
work(Step, Every) ->
    audit ! {step, self(), Step, lists:seq(1, 20)},
    _ = is_integer(Every) andalso Step rem Every =:= 0 andalso wait(),
    work(Step - 1, Every).

wait() ->
    audit ! {sync, self()},
    receive {written, _} -> ok end.

audit(Lines) ->
    receive
        {step, Who, Step, Details} -> _ = io_lib:format("~p ~p ~w~n", [Who, Step, Details]), audit(Lines + 1);
        {sync, From}               -> From ! {written, Lines}, audit(Lines)
    end.
