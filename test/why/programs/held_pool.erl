%% 9 callers take one of three connections, ask it for 3 ms, and keep it while they wait 15 ms for a mailer that takes
%% all mails at once. fixed: they give it back before.
-module(held_pool).
-export([main/1]).

main(Args) ->
    Conns = [spawn_link(fun conn/0) || _ <- lists:seq(1, 3)],
    Pool = spawn_link(fun() -> register(pool, self()), pool(Conns, []) end),
    Mailer = spawn_link(fun() -> register(mailer, self()), mailer() end),
    Refs = [element(2, spawn_monitor(fun() -> [place(Pool, Mailer, Args) || _ <- lists:seq(1, 20)] end))
            || _ <- lists:seq(1, 9)],
    [receive {'DOWN', R, _, _, normal} -> ok end || R <- Refs].

place(Pool, Mailer, Args) ->
    Conn = call(Pool, out),
    _ = call(Conn, query),
    case Args of
        ["fixed"] -> Pool ! {in, Conn}, call(Mailer, mail);
        _ -> call(Mailer, mail), Pool ! {in, Conn}
    end.

call(To, What) ->
    Ref = make_ref(),
    To ! {What, {self(), Ref}},
    receive {Ref, Answer} -> Answer end.
reply({Pid, Ref}, Answer) -> Pid ! {Ref, Answer}.

pool(Free, Queue) ->
    receive
        {out, From} -> hand_out(Free, Queue ++ [From]);
        {in, Conn} -> hand_out([Conn | Free], Queue)
    end.
hand_out([Conn | Free], [From | Queue]) -> reply(From, Conn), hand_out(Free, Queue);
hand_out(Free, Queue) -> pool(Free, Queue).
conn() -> receive {query, From} -> receive after 3 -> reply(From, row) end, conn() end.
mailer() ->
    receive
        {mail, From} -> erlang:send_after(15, self(), {sent, From});
        {sent, From} -> reply(From, ok)
    end,
    mailer().
