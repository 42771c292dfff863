%% Who ends with mail in its box: of its own will, killed, with the mail in the middle of coming.
-module(program_mailboxes).
-export([run/0]).

run() ->
    [begin
         {P, Ref} = spawn_monitor(fun() -> End(receive last -> ok end) end),
         [P ! {mail, I, lists:seq(1, 5)} || I <- lists:seq(1, 500)],
         P ! last,
         [exit(P, kill) || kill <- [How]],
         receive {'DOWN', Ref, _, _, _} -> ok end
     end || {How, End} <- [{end_, fun(ok) -> ok end}, {error, fun(ok) -> exit(bad) end}, {kill, fun(ok) -> ok end}]],
    {Target, Gone} = spawn_monitor(fun() -> receive after 2 -> ok end end),
    Senders = [spawn_monitor(fun() -> [Target ! {I, J} || J <- lists:seq(1, 1000)] end) || I <- lists:seq(1, 4)],
    [receive {'DOWN', R, _, _, normal} -> ok end || {_, R} <- [{Target, Gone} | Senders]],
    {Off, OffRef} = spawn_opt(fun() -> receive last -> ok end end, [monitor, {message_queue_data, off_heap}]),
    [Off ! I || I <- lists:seq(1, 1000)],
    Off ! last,
    receive {'DOWN', OffRef, _, _, normal} -> ok end.
