%% Four clients of another program write the length of each request and then the request; this side serves them.
%% fixed: they write both at once.
-module(delayed_pieces).
-export([main/1]).

main(Args) ->
    Port = delayed_ack:listen(),
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
