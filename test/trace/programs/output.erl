%% Programs outside write a lot, read slowly, and end; files.
-module(program_output).
-export([run/0]).

run() ->
    [{0, 300000} = read(open_port({spawn, "head -c 300000 /dev/zero"}, [binary, exit_status, stream]), 0)
     || _ <- [1, 2]],
    Lines = open_port({spawn, "seq 1 300"}, [{line, 20}, exit_status]),
    read(Lines, 0),
    Slow = open_port({spawn, "sh -c 'sleep 0.01; head -c 1000000 >/dev/null; echo enough'"}, [binary, exit_status]),
    [port_command(Slow, binary:copy(<<"x">>, 100000)) || _ <- lists:seq(1, 10)], % the pipe is full: it is suspended
    {0, 7} = read(Slow, 0),
    Name = filename:join("/tmp", "strobe-output." ++ os:getpid()),
    {ok, F} = file:open(Name, [write, delayed_write]),
    [file:write(F, integer_to_list(I)) || I <- lists:seq(1, 300)],
    file:close(F),
    {ok, _} = file:read_file(Name),
    file:delete(Name).

read(Port, N) ->
    receive
        {Port, {data, D}} when is_binary(D) -> read(Port, N + byte_size(D));
        {Port, {data, _}} -> read(Port, N + 1);
        {Port, {exit_status, Status}} -> {Status, N}
    end.
