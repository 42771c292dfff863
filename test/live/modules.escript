#!/usr/bin/env escript
%% The modules that attach sends to a node of any release from OTP 25 on must load there. OTP 29 refuses a module that
%% a compiler of OTP 25 made with the instruction bs_test_unit, which that writes for an unused tail `_/binary':
%% `_/bitstring' needs none.
main(_) ->
    Root = filename:dirname(filename:dirname(filename:dirname(filename:absname(escript:script_name())))),
    Strobe = case os:getenv("STROBE") of false -> filename:join(Root, "build/strobe"); Given -> Given end,
    Files = filelib:wildcard(filename:join(filename:dirname(Strobe), "erlang/strobe/{ebin,attach}/*.beam")),
    Refused = [{M, F, A} || Path <- Files, {beam_file, M, _, _, _, Functions} <- [beam_disasm:file(Path)],
                            {function, F, A, _, Code} <- Functions, {test, bs_test_unit, _, _} <- Code],
    case {erlang:system_info(otp_release), Files, Refused} of
        {Release, _, _} when Release =/= "25" -> io:format("ok modules: OTP 29 loads them # SKIP not of OTP 25~n");
        {_, [_ | _], []}                      -> io:format("ok modules: OTP 29 loads them~n");
        _                                     -> io:format("not ok modules: OTP 29 refuses ~0p~n", [Refused])
    end.
