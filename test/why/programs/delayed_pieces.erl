%% Four clients of another program write the length of each request and then the request; this side serves them.
%% fixed: they write both at once.
-module(delayed_pieces).
-export([main/1]).

main(Args) ->
    {ok, L} = gen_tcp:listen(0, [binary, {packet, 4}, {active, false}, {backlog, 64}]),
    {ok, Port} = inet:port(L),
    spawn_link(fun() -> accept(L) end),
    Parts = case Args of ["fixed"] -> "[length + b'request']"; _ -> "[length, b'request']" end,
    Script = ["import socket, threading\n"
              "length = (7).to_bytes(4, 'big')\n"
              "def client():\n"
              " s = socket.create_connection(('localhost', ", integer_to_list(Port), "))\n"
              " for _ in range(25):\n"
              "  for part in ", Parts, ": s.sendall(part)\n"
              "  s.recv(11, socket.MSG_WAITALL)\n"
              "for _ in range(4): threading.Thread(target=client).start()\n"],
    P = open_port({spawn_executable, os:find_executable("python3")}, [exit_status, {args, ["-c", Script]}]),
    receive {P, {exit_status, 0}} -> ok end.

accept(L) ->
    {ok, Socket} = gen_tcp:accept(L),
    Pid = spawn(fun() -> receive go -> serve(Socket) end end),
    ok = gen_tcp:controlling_process(Socket, Pid),
    Pid ! go,
    accept(L).

serve(Socket) ->
    case gen_tcp:recv(Socket, 0) of
        {ok, Request} -> ok = gen_tcp:send(Socket, Request), serve(Socket);
        {error, closed} -> ok
    end.
